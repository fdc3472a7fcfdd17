import { readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { ConfigProblem } from '../platform/config/describe-problem.js'
import { emptyLayer } from '../policy/files/empty-layer.js'
import type { LoadedRules } from '../policy/files/loaded-rules.js'
import type { CribSettings } from './crib-settings.js'
import { ruleBase, ruleFiles, type RuleFile } from '../policy/files/rule-files.js'
import { looseningBesideRules } from '../policy/files/without-loosening.js'

/** Rules given on the command line. */
export interface RuleArguments {
  /** A file of rules. */
  rules?: string | undefined
  allow?: readonly string[] | undefined
  ask?: readonly string[] | undefined
  deny?: readonly string[] | undefined
  mode?: string | undefined
}

/** The rules of every source that has any, and of those to which rules can be added. */
export async function loadLayers(
  { configPath, config }: CribSettings,
  given: RuleArguments = {},
): Promise<LoadedRules[]> {
  const layers: LoadedRules[] = []
  for (const file of ruleFiles(configPath)) {
    const hasRules = file.path === configPath ? speaksOfPermission(config) : isThere(file.path)
    const layer = hasRules ? await loadFile(file, config) : undefined
    layers.push(layer ?? emptyLayer(file))
  }
  const { rules, allow, ask, deny, mode } = given
  if (rules === undefined && !allow && !ask && !deny && mode === undefined) return layers
  const { loadRuleFile, ruleSetOf } = await reader()
  if (rules !== undefined) {
    const file: RuleFile = { source: 'flag_settings', path: resolve(rules), isProject: false }
    const layer = await loadRuleFile(file, { mustExist: true })
    layers.push(layer ?? emptyLayer(file))
  }
  if (allow || ask || deny || mode !== undefined) {
    const place = { source: 'cli_arg', path: undefined, base: process.cwd() } as const
    const set = ruleSetOf({ allow, ask, deny, mode }, place)
    const problems = set.problems.map(({ message }): ConfigProblem => ({ file: 'the command line', message }))
    layers.push({ ...place, set, problems, isTrusted: true, untrusted: [] })
  }
  return layers
}

/** Loaded only where there are rules: most commands start without any. */
const reader = () => import('../policy/files/load-rules.js')

function speaksOfPermission(config: CribSettings['config']): boolean {
  return config.permission !== undefined || looseningBesideRules(config).length > 0
}

/** Whether the file exists. A file that may not be read counts: its rules are unknown, which is not the same as no rules. */
function isThere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined
  } catch {
    return true
  }
}

/** The permission block of a config. Only text files have line numbers; the config loader has run a program already. */
async function loadFile(file: RuleFile, config: CribSettings['config']): Promise<LoadedRules | undefined> {
  const { loadRuleFile, rulesOfConfig, trustedOnly, ruleSetOf } = await reader()
  const loaded = await loadRuleFile(file)
  if (loaded || file.source !== 'project_settings') return loaded
  const { source, path } = file
  const base = ruleBase(file)
  const set = ruleSetOf(rulesOfConfig(config.permission), { source, path, base })
  const problems = set.problems.map(({ message }): ConfigProblem => ({ file: path, message }))
  const layer: LoadedRules = { source, path, base, set, problems, isTrusted: true, untrusted: [] }
  return trustedOnly(layer, { ...file, text: readFileSync(path, 'utf8'), config })
}
