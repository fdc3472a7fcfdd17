import type { HookAnswer, HookCall, HookDefinition } from './hook.js'

export type HookOutcome = { ok: true; answer: HookAnswer } | { ok: false; problem: string }

const DEFAULT_TIMEOUT_MS = 60_000

/** Runs one hook within its time. Whatever goes wrong in it comes back as an outcome. */
export async function runHook(hook: HookDefinition, call: Omit<HookCall, 'signal'>): Promise<HookOutcome> {
  const controller = new AbortController()
  const timeoutMs = hook.timeoutMs ?? DEFAULT_TIMEOUT_MS
  let timer: NodeJS.Timeout | undefined
  const outOfTime = new Promise<HookOutcome>((resolve) => {
    timer = setTimeout(() => {
      resolve({ ok: false, problem: `The hook "${hook.id}" did not answer within ${timeoutMs} ms.` })
      controller.abort()
    }, timeoutMs)
  })
  try {
    return await Promise.race([answerOf(hook, { ...call, signal: controller.signal }), outOfTime])
  } finally {
    clearTimeout(timer)
  }
}

async function answerOf(hook: HookDefinition, call: HookCall): Promise<HookOutcome> {
  try {
    const answer: unknown = await hook.run(call)
    if (answer === undefined || answer === null) return { ok: true, answer: {} }
    if (typeof answer === 'object') return { ok: true, answer }
    return { ok: false, problem: `The hook "${hook.id}" answered with something that cannot be read.` }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return { ok: false, problem: `The hook "${hook.id}" failed: ${message}` }
  }
}
