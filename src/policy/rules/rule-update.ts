import type { RuleSource } from '../../contract/unions.js'
import type { PermissionMode } from '../permission-mode.js'
import { parseRule } from './parse-rule.js'
import type { Rule, RuleBehavior } from './rule.js'

/** A change of the policy that can be offered, accepted and undone. */
export type RuleUpdate =
  | RulesUpdate
  | {
      readonly type: 'replace_rules'
      readonly behavior: RuleBehavior
      readonly rules: readonly string[]
      /** The rules that these replace. */
      readonly replaces: readonly { readonly behavior: RuleBehavior; readonly rule: string }[]
      /** Why the new rules are there. */
      readonly reason?: string | undefined
      readonly destination: RuleSource
    }
  | { readonly type: 'set_mode'; readonly mode: PermissionMode; readonly destination: RuleSource }
  | {
      readonly type: 'add_directories' | 'remove_directories'
      readonly directories: readonly string[]
      readonly destination: RuleSource
    }

export interface RulesUpdate {
  readonly type: 'add_rules' | 'remove_rules'
  readonly behavior: RuleBehavior
  readonly rules: readonly string[]
  /** Of added rules: why they are there. */
  readonly reason?: string | undefined
  readonly destination: RuleSource
}

export const updateTypes = [
  'add_rules',
  'replace_rules',
  'remove_rules',
  'set_mode',
  'add_directories',
  'remove_directories',
] as const satisfies readonly RuleUpdate['type'][]

/** The part of a policy that updates change. */
export interface PolicyContent {
  readonly rules: readonly Rule[]
  readonly mode: PermissionMode
  readonly workingDirectories: readonly string[]
  /** No caller may choose a looser mode. */
  readonly modeLimit?: PermissionMode | undefined
  /** Sessions with a mode of their own. */
  readonly sessionModes?: ReadonlyMap<string, PermissionMode> | undefined
  /** Sessions with working folders of their own, in addition to the general ones. */
  readonly sessionFolders?: ReadonlyMap<string, readonly string[]> | undefined
}

/** The policy after the update. Only content of the destination itself can be removed from it. */
export function applyUpdate(content: PolicyContent, update: RuleUpdate, base: string): PolicyContent {
  switch (update.type) {
    case 'add_rules':
      return { ...content, rules: [...content.rules, ...rulesOf(update, base)] }
    case 'remove_rules':
      return { ...content, rules: content.rules.filter((rule) => !isOneOf(rule, update.destination, update)) }
    case 'replace_rules': {
      const kept = content.rules.filter(
        (rule) =>
          !update.replaces.some(({ behavior, rule: text }) =>
            isOneOf(rule, update.destination, { behavior, rules: [text] }),
          ),
      )
      return { ...content, rules: [...kept, ...rulesOf(update, base)] }
    }
    case 'set_mode':
      return { ...content, mode: update.mode }
    case 'add_directories':
      return {
        ...content,
        workingDirectories: [...new Set([...content.workingDirectories, ...update.directories])],
      }
    case 'remove_directories':
      return {
        ...content,
        workingDirectories: content.workingDirectories.filter((each) => !update.directories.includes(each)),
      }
  }
}

function rulesOf(
  {
    behavior,
    rules,
    reason,
    destination,
  }: {
    behavior: RuleBehavior
    rules: readonly string[]
    reason?: string | undefined
    destination: RuleSource
  },
  base: string,
): Rule[] {
  return rules.map((text) => parseRule(text, { behavior, source: destination, base }, { reason }))
}

function isOneOf(
  rule: Rule,
  source: RuleSource,
  { behavior, rules }: { behavior: RuleBehavior; rules: readonly string[] },
): boolean {
  return rule.source === source && rule.behavior === behavior && rules.includes(rule.text)
}
