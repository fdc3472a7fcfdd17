import type { ShellKind } from '../../shell/shell-kind.js'
import type { ArgumentReach } from '../arguments/argument-reach.js'

/** What rules know about a tool: its identity, and which of its arguments are paths, URLs and commands. */
export interface RuleTool {
  readonly toolId: string
  readonly kind: string
  /** All its names. A deny or ask matches by any of these. */
  readonly names: readonly string[]
  /** The names that mean this tool and no other. An allow must use one of them. */
  readonly ownNames: readonly string[]
  /** Its ids without aliases: an allow with `*` matches nothing else, because anyone can choose an alias. */
  readonly ids: readonly string[]
  /** The tool's names at its origin: operation ids, a server's own names. */
  readonly nativeIds: readonly string[]
  readonly fields: RuleFields
  /** Hosts that it talks to with any input, in normal form. Only deny and ask rules match by them. */
  readonly hosts?: readonly string[] | undefined
  /** The URL that a call contacts, where the tool can tell from its input. Rules for URLs and domains match it. */
  readonly urlOf?: ((input: unknown) => string | undefined) | undefined
  /** How undeclared arguments are searched for paths. Absent: not at all. */
  readonly arguments?: ArgumentReach | undefined
  readonly profile: Readonly<Record<string, unknown>>
  /** A function of the tool decides for each input whether it only reads. That is a claim, not a proof. */
  readonly readsByOwnWord?: boolean | undefined
}

export interface RuleFields {
  readonly paths: readonly PathRuleField[]
  readonly urls: readonly string[]
  readonly command: CommandRuleField | undefined
  /** The field that asks to run outside the sandbox. */
  readonly sandboxOverride?: string | undefined
}

export interface PathRuleField {
  readonly field: string
  readonly access: 'read' | 'write'
  /** The tool asks about every path below a folder, so that a deny below the folder need not stop the call. */
  readonly asksBelow?: boolean | undefined
}

export interface CommandRuleField {
  readonly field: string
  readonly cwd?: string | undefined
  /** The shell that runs it; `sh` by default. */
  readonly shell?: ShellKind | undefined
  /** The folder in which each command starts, and the base of `cwd`. Absent: the caller's working directory. */
  readonly folder?: string | undefined
  /** Programs whose commands do not count as proven. The set is replaced, never changed. */
  readonly doubts?: { readonly programs: ReadonlySet<string> } | undefined
}

export const NO_FIELDS: RuleFields = Object.freeze({ paths: [], urls: [], command: undefined })
