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
  {
    workspace,
    openReads,
    content = contentOf(layers),
  }: { workspace: string; openReads?: boolean; content?: PolicyContent },
): Policy {
  return createPolicy({
    ...content,
    home: homedir(),
    baseOf: (source) => baseOf(layers, source) ?? workspace,
    protectedPaths: ownPaths({}, layers),
    now: Date.now,
    openReads,
  })
}

/** The base folder of `./` in rules that are added to a source, if it has a file. */
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
  // If trusted sources name folders, more folders would loosen the policy; if none does, they tighten it.
  const folders = foldersOf(trusted)
  return {
    rules: all.flatMap(({ set }) => set.rules),
    // A mode from the command line is the user's current choice; otherwise an untrusted file may only tighten the mode.
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

/** The nearest source with a mode decides. The administrator's mode is a limit, not a choice. */
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
