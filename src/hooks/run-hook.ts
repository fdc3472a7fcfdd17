import { toJson } from '../platform/json/to-json.js'
import type { HookAnswer, HookCall, HookDefinition, HookFacts } from './hook.js'
import { readAnswer } from './read-answer.js'

type Said =
  /** `unheard`: fields of the answer that mean nothing at the hook's event. */
  | { ok: true; answer: HookAnswer; unheard: readonly string[] }
  | { ok: false; isTimedOut: boolean; problem: string }

/** `facts`: what the run reported about itself. */
export type HookOutcome = Said & { facts: HookFacts }

/** What the hook is shown, and the signal by which it hears that the call was canceled. */
export type HookRun = Omit<HookCall, 'signal' | 'report'> & { callSignal: AbortSignal }

const DEFAULT_HOOK_TIMEOUT_MS = 60_000
/** The longest time that a timer can wait. */
const MAX_TIMEOUT_MS = 2_147_483_647
/** How long a command or a request that was told to end may take to do so. */
const END_GRACE_MS = 5_000

/** Runs one hook within its time. Whatever goes wrong in it comes back as an outcome. */
export async function runHook(hook: HookDefinition, { callSignal, ...call }: HookRun): Promise<HookOutcome> {
  const controller = new AbortController()
  const onAbort = (): void => controller.abort(callSignal.reason)
  if (callSignal.aborted) onAbort()
  else callSignal.addEventListener('abort', onAbort, { once: true })
  const timeoutMs = Math.min(hook.timeoutMs ?? DEFAULT_HOOK_TIMEOUT_MS, MAX_TIMEOUT_MS)
  const facts: Record<string, HookFacts[string]> = {}
  let isTimedOut = false
  let timer: NodeJS.Timeout | undefined
  const outOfTime = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => {
      isTimedOut = true
      controller.abort()
      // A command or a request is gone before the call goes on; a function cannot be made to end.
      if (hook.transport) timer = setTimeout(() => resolve(undefined), END_GRACE_MS)
      else resolve(undefined)
    }, timeoutMs)
  })
  // A copy of what JSON can hold: it goes into a record.
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
    if (answer === undefined || answer === null) return { ok: true, answer: {}, unheard: [] }
    if (typeof answer === 'object') return { ok: true, ...readAnswer(answer, hook.event) }
    return failed(`The hook "${hook.id}" answered with something that cannot be read.`)
  } catch (error) {
    const words = wordsOf(error)
    return failed(`The hook "${hook.id}" failed: ${words}${/[.!?…]$/.test(words) ? '' : '.'}`)
  }
}

function wordsOf(error: unknown): string {
  try {
    return error instanceof Error ? error.message : String(error)
  } catch {
    return 'it cannot be said how'
  }
}
