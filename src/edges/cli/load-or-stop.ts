import { describeProblem, type ConfigProblem } from '../../foundation/config/describe-problem.js'
import type { OutsideOpinions } from '../../judgement/policy/with-outside.js'
import { loadOutside } from '../../runtime/load-outside.js'
import type { CribSettings, LoadedTools } from '../../runtime/load-tools.js'
import { loadSettings, loadTools } from '../../runtime/load-tools.js'
import type { GivenOptions } from './command.js'
import { usageProblem } from './usage-problem.js'

export const HOW_TO_BEGIN = `There is no config file here. Make a toolcrib.yaml that names your tools:

  tools:
    - ./tools/*.mjs

Such a module exports tools made with defineTool. For a look: toolcrib demo`

/** The config and the tools that it names. What is wrong with them ends the command. */
export async function loadToolsOrStop({ config }: GivenOptions): Promise<Extract<LoadedTools, { ok: true }>> {
  const loaded = await loadTools({ configPath: config })
  if (!loaded.ok) throw configProblem(loaded.problems)
  return loaded
}

/** The config alone: enough to find the store. */
export async function loadSettingsOrStop({ config }: GivenOptions): Promise<CribSettings> {
  const loaded = await loadSettings({ configPath: config })
  if (!loaded.ok) throw configProblem(loaded.problems)
  return loaded
}

/** Whom the config lets be asked about what no rule decides. */
export async function loadOutsideOrStop(settings: CribSettings): Promise<OutsideOpinions> {
  const loaded = await loadOutside(settings)
  if (!loaded.ok) throw configProblem(loaded.problems)
  return loaded.outside
}

function configProblem(problems: readonly ConfigProblem[]): Error {
  return usageProblem(problems.map((problem) => describeProblem(problem)).join('\n'))
}
