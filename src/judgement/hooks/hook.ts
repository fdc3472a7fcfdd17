import { nearestWord } from '../../foundation/config/nearest-word.js'
import { hookEvents, type HookEvent } from '../../foundation/contract/unions.js'
import { checkOptions, type OptionKind } from '../../foundation/validation/check-options.js'

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

const HOOK_OPTIONS = {
  id: 'text',
  event: 'text',
  tools: 'texts',
  timeoutMs: 'positive',
  isAuthoritative: 'boolean',
  run: 'function',
} as const satisfies Record<keyof HookDefinition, OptionKind>

/** A hook made of a function. */
export function defineHook(hook: HookDefinition): HookDefinition {
  checkHook(hook)
  return hook
}

/** Throws one sentence about a hook that would never run: a gate that nobody passes is no gate. */
export function checkHook(hook: HookDefinition): void {
  checkOptions('A hook', hook, HOOK_OPTIONS)
  const { id, event, run } = hook
  if (!id) throw new TypeError('A hook needs an "id": a text by which records name it.')
  if (!(hookEvents as readonly unknown[]).includes(event)) {
    const near = nearestWord(
      String(event).replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      [...hookEvents],
    )
    const hint = near ? `did you mean "${near}"?` : `there are ${hookEvents.join(', ')}.`
    throw new TypeError(`The hook "${id}" has the event "${String(event)}", which there is not; ${hint}`)
  }
  if (!run) throw new TypeError(`The hook "${id}" has no "run": give it a function of the call.`)
}
