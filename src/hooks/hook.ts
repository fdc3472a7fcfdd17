import type { ToolPermissionDecision } from '../contract/objects/tool-permission-decision.js'
import type { HookEvent } from '../contract/unions.js'

/** What a hook gets to see. The input is a frozen copy. */
export interface HookCall {
  readonly event: HookEvent
  readonly invocationId: string
  /** The id that the model's provider or the protocol gave the call. */
  readonly nativeCallId: string | undefined
  readonly toolId: string
  readonly toolName: string
  /** Before the call: as it would run. After it: as it ran. */
  readonly input: unknown
  /** After a success: what the model will receive. */
  readonly output?: unknown
  /** After a failure. */
  readonly error?: { readonly error_class: string; readonly message: string } | undefined
  /** At `permission_decision`: the record of what was decided. */
  readonly decision?: ToolPermissionDecision | undefined
  readonly actor: string | undefined
  readonly session: string | undefined
  readonly workspace: string
  readonly permissionMode: string
  /** Aborted when the call is canceled or the hook is out of time. */
  readonly signal: AbortSignal
  /** Adds facts to the record of this run, such as the exit code of a command. */
  report(facts: HookFacts): void
  /** Nothing that is recorded of the call holds this text from now on. */
  hide(secret: string): void
}

export type HookFacts = Readonly<Record<string, string | number | boolean | readonly string[]>>

/** What a hook may say. Everything is optional; nothing said means nothing to object. */
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

/** What may be kept of a result. */
export interface HookPersistence {
  /**
   * `redact` takes the fields out of the result for everyone, or all of it where no field is named;
   * `never_persist` gives the result to the caller and keeps only that there was one; `drop_with_reason` gives it to
   * nobody.
   */
  strategy: 'redact' | 'never_persist' | 'drop_with_reason'
  reason: string
  /** Dotted paths in the structured content; `*` stands for every member. */
  fields?: readonly string[]
}

export interface HookDefinition {
  id: string
  event: HookEvent
  /** Names or patterns with `*`. Absent: every tool. */
  tools?: readonly string[]
  /** Instead of `tools`: a regular expression over whole names, as coding agents write it: `Edit|Write`, `mcp__.*`. */
  matcher?: string
  /** Only calls whose input meets all of these. */
  when?: HookCondition | readonly HookCondition[]
  timeoutMs?: number
  /** Lower numbers run first, hooks without a number last. Hooks with different numbers may rewrite the same call. */
  order?: number
  /**
   * What it counts as when the hook breaks. `ask` by default; at `result_persistence` the result is then not kept.
   * At `post_tool_use`, `continue` by default; with `deny` nobody gets a result that the hook did not see.
   * Only the events that decide something have it: these, `pre_tool_use` and `permission_request`.
   */
  onFailure?: 'ask' | 'deny' | 'continue'
  /** Lets this hook's allow stand against an ask. A deny still wins. */
  isAuthoritative?: boolean
  /** Set by `commandHook` and `httpHook`. */
  transport?: 'command' | 'http'
  /** Set by them too: the program or the address, as records tell it. */
  asks?: Readonly<Record<string, unknown>>
  run: (call: HookCall) => HookAnswer | undefined | void | Promise<HookAnswer | undefined | void>
}

/** One demand on the input of a call: the field, and exactly one of the others. */
export interface HookCondition {
  /** A dotted path: `path`, `options.mode`. */
  field: string
  /** A text with `*` for any run of characters, slashes included. */
  matches?: string
  equals?: unknown
  oneOf?: readonly unknown[]
}
