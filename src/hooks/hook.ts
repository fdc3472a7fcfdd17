import type { ToolPermissionDecision } from '../contract/objects/tool-permission-decision.js'
import type { HookEvent } from '../contract/unions.js'

/** What a hook sees. The input is a frozen copy. */
export interface HookCall {
  readonly event: HookEvent
  readonly invocationId: string
  /** The id that the model's provider or the protocol gave the call. */
  readonly nativeCallId: string | undefined
  readonly toolId: string
  readonly toolName: string
  /** Before the call: the input that would run. After it: the input that ran. */
  readonly input: unknown
  /** After a success: what the model will receive. */
  readonly output?: unknown
  /** After a failure. */
  readonly error?: { readonly error_class: string; readonly message: string } | undefined
  /** At `permission_decision`: the record of the decision. */
  readonly decision?: ToolPermissionDecision | undefined
  readonly actor: string | undefined
  readonly session: string | undefined
  readonly workspace: string
  readonly permissionMode: string
  /** Aborted when the call is canceled or the hook times out. */
  readonly signal: AbortSignal
  /** Adds facts to the record of this run, such as the exit code of a command. */
  report(facts: HookFacts): void
  /** From now on no record of the call contains this text. */
  hide(secret: string): void
}

export type HookFacts = Readonly<Record<string, string | number | boolean | readonly string[]>>

/** A hook's answer. Everything is optional; an empty answer has no effect. */
export interface HookAnswer {
  message?: string
  progress?: string
  /** The whole new input, not a change to it. */
  updatedInput?: unknown
  permission?: { behavior: 'allow' | 'ask' | 'deny' | 'passthrough'; message?: string }
  additionalContext?: string | readonly string[]
  stop?: { reason: string }
  /** The whole new output; only after a success. */
  updatedOutput?: unknown
  /** Only at `result_persistence`. */
  persistence?: HookPersistence
}

/** What may be stored of a result. */
export interface HookPersistence {
  /**
   * `redact` removes the fields from the result for everyone, or the whole result if no field is named; `never_persist`
   * gives the result to the caller and stores only that there was one; `drop_with_reason` gives it to no one.
   */
  strategy: 'redact' | 'never_persist' | 'drop_with_reason'
  reason: string
  /** Dotted paths in the structured content; `*` means every member. */
  fields?: readonly string[]
}

export interface HookDefinition {
  id: string
  event: HookEvent
  /** Names or patterns with `*`. Absent: every tool. */
  tools?: readonly string[]
  /** Instead of `tools`: a regular expression over whole names, as coding agents write it: `Edit|Write`, `mcp__.*`. */
  matcher?: string
  /** Only calls whose input matches all of these. */
  when?: HookCondition | readonly HookCondition[]
  timeoutMs?: number
  /** Lower numbers run first, hooks without a number last. Hooks with different numbers may rewrite the same call. */
  order?: number
  /**
   * What a failure of the hook counts as. `ask` by default; at `result_persistence` the result is then not stored. At
   * `post_tool_use`, `continue` by default; with `deny` no one gets a result that the hook did not see. Only the events
   * that decide something have it: these, `pre_tool_use` and `permission_request`.
   */
  onFailure?: 'ask' | 'deny' | 'continue'
  /** This hook's allow lifts an ask. A deny still wins. */
  isAuthoritative?: boolean
  /** Set by `commandHook` and `httpHook`. */
  transport?: 'command' | 'http'
  /** Set by them too: the program or the URL, as records show it. */
  asks?: Readonly<Record<string, unknown>>
  run: (call: HookCall) => HookAnswer | undefined | void | Promise<HookAnswer | undefined | void>
}

/** One condition on the input of a call: the field, and exactly one of the others. */
export interface HookCondition {
  /** A dotted path: `path`, `options.mode`. */
  field: string
  /** A text with `*` for any run of characters, slashes included. */
  matches?: string
  equals?: unknown
  oneOf?: readonly unknown[]
}
