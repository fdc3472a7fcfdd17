import { describeProblem } from '../../../platform/config/describe-problem.js'
import { loadLayers } from '../../../host/load-layers.js'
import type { LoadedRules } from '../../../policy/files/loaded-rules.js'
import type { CribSettings } from '../../../host/crib-settings.js'
import type { GivenOptions } from '../program/command.js'
import { ruleArguments } from './rule-options.js'
import { usageProblem } from '../program/usage-problem.js'

/** The rules of all files and of the command line. An unreadable file that the command line names ends the command. */
export async function loadLayersOrStop(
  settings: CribSettings,
  options: GivenOptions,
): Promise<LoadedRules[]> {
  const layers = await loadLayers(settings, ruleArguments(options))
  const refused = layers.find(({ source, isUnreadable }) => source === 'flag_settings' && isUnreadable)
  if (refused) throw usageProblem(refused.problems.map((problem) => describeProblem(problem)).join('\n'))
  return layers
}
