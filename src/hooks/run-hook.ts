import { toJson } from '../platform/json/to-json.js'
import { safeErrorMessage } from '../platform/text/error-message.js'
import type { HookAnswer, HookCall, HookDefinition, HookFacts } from './hook.js'
import { readAnswer } from './read-answer.js'
import { MAX_TIMER_MS } from '../platform/async/max-timer-ms.js'

type Said =
  /** `ignored`: fields of the answer that have no meaning at the hook's event. */
  | { ok: true; answer: HookAnswer; ignored: readonly string[] }
  | { ok: false; isTimedOut: boolean; problem: string }

/** `facts`: what the run reported about itself. */
export type HookOutcome = Said & { facts: HookFacts }

/** What the hook sees, and the signal that is aborted when the call is canceled. */
export type HookRun = Omit<HookCall, 'signal' | 'report'> & { callSignal: AbortSignal }

const DEFAULT_HOOK_TIMEOUT_MS = 60_000
/** How long a command or a request may take to end after it was aborted. */
const END_GRACE_MS = 5_000

/** Runs one hook within its timeout. A failure in it is returned as an outcome. */
export async function runHook(hook: HookDefinition, { callSignal, ...call }: HookRun): Promise<HookOutcome> {
  const controller = new AbortController()
  const onAbort = (): void => controller.abort(callSignal.reason)
  if (callSignal.aborted) onAbort()
  else callSignal.addEventListener('abort', onAbort, { once: true })
  const timeoutMs = Math.min(hook.timeoutMs ?? DEFAULT_HOOK_TIMEOUT_MS, MAX_TIMER_MS)
  const facts: Record<string, HookFacts[string]> = {}
  let isTimedOut = false
  let timer: NodeJS.Timeout | undefined
  const outOfTime = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => {
      isTimedOut = true
      controller.abort()
      // A command or a request has ended before the call continues; a function cannot be stopped.
      if (hook.transport) timer = setTimeout(() => resolve(undefined), END_GRACE_MS)
      else resolve(undefined)
    }, timeoutMs)
  })
  // A copy as JSON: it is recorded.
  const report = (more: HookFacts): void => void Object.assign(facts, toJson(more))
  try {
    const said = await Promise.race([
      answerOf(hook, { ...call, signal: controller.signal, report }),
      outOfTime,
    ])
    if (said && !isTimedOut) return { facts, ...said }
    const problem = `The hook "${hook.id}" did not answer within ${timeoutMs} ms.`
    return { facts, ok: false, isTimedOut: true, problem }
  } finally {
    clearTimeout(timer)
    callSignal.removeEventListener('abort', onAbort)
  }
}

async function answerOf(hook: HookDefinition, call: HookCall): Promise<Said> {
  const failed = (problem: string): Said => ({ ok: false, isTimedOut: false, problem })
  try {
    const answer: unknown = await hook.run(call)
    if (answer === undefined || answer === null) return { ok: true, answer: {}, ignored: [] }
    if (typeof answer === 'object') return { ok: true, ...readAnswer(answer, hook.event) }
    return failed(`The hook "${hook.id}" answered with something that cannot be read.`)
  } catch (error) {
    const words = safeErrorMessage(error)
    return failed(`The hook "${hook.id}" failed: ${words}${/[.!?…]$/.test(words) ? '' : '.'}`)
  }
}
