import type { ShellKind } from '../../shell/shell-kind.js'
import type { ArgumentReach } from '../arguments/argument-reach.js'

/** What rules may know of a tool: who it is and which of its arguments are paths, URLs and commands. */
export interface RuleTool {
  readonly toolId: string
  readonly kind: string
  /** Everything that it is called. A deny or ask meets it by any of these. */
  readonly names: readonly string[]
  /** The names that mean this tool and no other. An allow must use one of them. */
  readonly ownNames: readonly string[]
  /** What it is and not what it is also called: an allow with `*` looks at nothing else, as an alias is easily chosen. */
  readonly ids: readonly string[]
  /** What the tool is called where it comes from: operation ids, a server's own names. */
  readonly nativeIds: readonly string[]
  readonly fields: RuleFields
  /** Hosts that it talks to whatever its input says, in the one way of writing. Deny and ask meet it by them; no allow does. */
  readonly hosts?: readonly string[] | undefined
  /** How the other arguments are searched for paths. Absent: not at all. */
  readonly arguments?: ArgumentReach | undefined
  readonly profile: Readonly<Record<string, unknown>>
  /** A function of the tool's own says for each input whether it only reads. That is its word, and no proof. */
  readonly readsByOwnWord?: boolean | undefined
}

export interface RuleFields {
  readonly paths: readonly { readonly field: string; readonly access: 'read' | 'write' }[]
  readonly urls: readonly string[]
  readonly command: CommandRuleField | undefined
  /** The field that asks to run outside the sandbox. */
  readonly sandboxOverride?: string | undefined
}

export interface CommandRuleField {
  readonly field: string
  readonly cwd?: string | undefined
  /** The shell that runs it; `sh` where it is not said. */
  readonly shell?: ShellKind | undefined
}

export const NO_FIELDS: RuleFields = Object.freeze({ paths: [], urls: [], command: undefined })
