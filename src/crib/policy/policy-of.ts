import { homedir } from 'node:os'
import { ruleSources, type RuleSource } from '../../contract/unions.js'
import { stricterMode, type PermissionMode } from '../../policy/permission-mode.js'
import { createPolicy, type Policy } from '../../policy/policy.js'
import type { PolicyContent } from '../../policy/rules/rule-update.js'
import type { LoadedRules } from '../../policy/files/loaded-rules.js'
import { ownPaths } from './own-paths.js'

/** The rules of all sources as one policy, without a store and without sessions. */
export function policyOf(
  layers: readonly LoadedRules[],
  { workspace, openReads }: { workspace: string; openReads?: boolean },
): Policy {
  return createPolicy({
    ...contentOf(layers),
    home: homedir(),
    baseOf: (source) => baseOf(layers, source) ?? workspace,
    places: ownPaths({}, layers),
    now: Date.now,
    openReads,
  })
}

/** What `./` means in rules that are added to a source, where it has a file. */
export function baseOf(layers: readonly LoadedRules[], source: RuleSource): string | undefined {
  return layers.find((layer) => layer.source === source && layer.path !== undefined)?.base
}

export function contentOf(layers: readonly LoadedRules[]): PolicyContent {
  const all = ruleSources.flatMap((source) => layers.filter((layer) => layer.source === source))
  const trusted = all.filter(({ isTrusted }) => isTrusted)
  const untrusted = all.filter(({ isTrusted }) => !isTrusted)
  const modeLimit = modeIn(trusted, 'policy_settings')
  const chosen = stricterMode(chosenMode(trusted), modeLimit)
  const isTyped = modeIn(trusted, 'cli_arg') !== undefined
  // Where others name folders, more of them would loosen; where nobody does, they tighten.
  const folders = foldersOf(trusted)
  return {
    rules: all.flatMap(({ set }) => set.rules),
    // Whoever types a mode says so now; what an untrusted file says only ever tightens what was set before.
    mode: isTyped ? chosen : untrusted.reduce((mode, { set }) => stricterMode(mode, set.mode), chosen),
    modeLimit,
    workingDirectories: folders.length > 0 ? folders : foldersOf(untrusted),
  }
}

function foldersOf(layers: readonly LoadedRules[]): string[] {
  return [...new Set(layers.flatMap(({ set }) => set.workingDirectories))]
}

function modeIn(layers: readonly LoadedRules[], source: RuleSource): PermissionMode | undefined {
  return layers.findLast((layer) => layer.source === source && layer.set.mode !== undefined)?.set.mode
}

/** The nearest source that names a mode decides. The administrator's is a limit and no choice. */
function chosenMode(layers: readonly LoadedRules[]): PermissionMode {
  const nearestFirst = [
    'cli_arg',
    'flag_settings',
    'local_settings',
    'project_settings',
    'user_settings',
  ] as const
  for (const source of nearestFirst) {
    const mode = modeIn(layers, source)
    if (mode !== undefined) return mode
  }
  return 'default'
}
