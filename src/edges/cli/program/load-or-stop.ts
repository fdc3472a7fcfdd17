import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { findConfig } from '../../../platform/config/find-config.js'
import { describeProblem, type ConfigProblem } from '../../../platform/config/describe-problem.js'
import type { OutsideOpinions } from '../../../policy/deciders/with-outside.js'
import { loadDeciders } from '../../../host/load-deciders.js'
import type { LoadedTools } from '../../../host/load-settings.js'
import type { CribSettings, LoadToolsOptions } from '../../../host/crib-settings.js'
import { loadSettings, loadTools } from '../../../host/load-settings.js'
import type { GivenOptions } from './command.js'
import { untrustedSentence } from '../../../host/untrusted-sentence.js'
import { ownCommand } from '../../../platform/text/own-command.js'
import { printable } from '../../../platform/text/printable.js'
import type { Terminal } from '../terminal/terminal.js'
import { usageProblem } from './usage-problem.js'

const HOW_TO_BEGIN = `There is no config file here. Make a toolcrib.yaml that names your tools:

  tools:
    - ./tools/*.mjs

Such a module exports tools made with defineTool. "toolcrib add --help" adds MCP servers and APIs. For a look: toolcrib demo`

/** The hint for a folder without a config; most people have files of other clients. */
export function howToBegin(folder = process.cwd()): string {
  const file = clientFileIn(folder)
  if (file === undefined) return HOW_TO_BEGIN
  return `There is no config file here, but ${file} names MCP servers. To take them over: ${ownCommand('init')}`
}

export function clientFileIn(folder: string): string | undefined {
  const files = ['.mcp.json', 'mcp.json', join('.cursor', 'mcp.json'), join('.vscode', 'mcp.json')]
  return files.find((file) => existsSync(join(folder, file)))
}

/**
 * The config and the tools that it names. Problems end the command. An untrusted config imports nothing: that is
 * printed, or ends a command that needs the tools.
 */
export async function loadToolsOrStop(
  options: GivenOptions,
  { terminal, needsTools = false }: { terminal: Terminal; needsTools?: boolean },
): Promise<Extract<LoadedTools, { ok: true }>> {
  const loaded = await loadTools(placeOf(options))
  if (!loaded.ok) throw configProblem(loaded.problems)
  const leftOut = untrustedSentence(loaded)
  if (leftOut !== undefined && needsTools) throw usageProblem(printable(leftOut))
  if (leftOut !== undefined) terminal.explain(printable(leftOut), terminal.sayStyle.bad)
  return loaded
}

/** The config alone: enough to find the store. */
export async function loadSettingsOrStop(options: GivenOptions): Promise<CribSettings> {
  const loaded = await loadSettings(placeOf(options))
  if (!loaded.ok) throw configProblem(loaded.problems)
  return loaded
}

/** The deciders of the config for calls that no rule decides. */
export async function loadDecidersOrStop(settings: CribSettings): Promise<OutsideOpinions> {
  const loaded = await loadDeciders(settings)
  if (!loaded.ok) throw configProblem(loaded.problems)
  return loaded.outside
}

/** Where the config is searched for. */
export function placeOf({ config, project }: GivenOptions): LoadToolsOptions {
  if (typeof project !== 'string') return { configPath: config }
  if (config !== undefined) throw usageProblem('Give either --config or --project, not both.')
  const cwd = resolve(project)
  const found = findConfig(cwd)
  // A config above would belong to another project.
  if (found !== undefined && dirname(found) === cwd) return { cwd }
  throw usageProblem(`There is no config file in ${cwd}; give the folder of a toolcrib.yaml to --project.`)
}

export function configProblem(problems: readonly ConfigProblem[]): Error {
  return usageProblem(problems.map((problem) => describeProblem(problem)).join('\n'))
}
