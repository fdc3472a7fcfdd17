import type { HookEvent } from '../../foundation/contract/unions.js'

/** What a hook gets to see. The input is a frozen copy. */
export interface HookCall {
  readonly event: HookEvent
  readonly invocationId: string
  readonly toolId: string
  readonly toolName: string
  readonly input: unknown
  /** After a success: what the model will receive. */
  readonly output?: unknown
  /** After a failure. */
  readonly error?: { readonly error_class: string; readonly message: string } | undefined
  readonly actor: string | undefined
  readonly session: string | undefined
  readonly signal: AbortSignal
}

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
}

export interface HookDefinition {
  id: string
  event: HookEvent
  /** Names or patterns with `*`. Absent: every tool. */
  tools?: readonly string[]
  timeoutMs?: number
  /** Lets this hook's allow stand against an ask. A deny still wins. */
  isAuthoritative?: boolean
  run: (call: HookCall) => HookAnswer | undefined | void | Promise<HookAnswer | undefined | void>
}

/** A hook made of a function. */
export function defineHook(hook: HookDefinition): HookDefinition {
  return hook
}
