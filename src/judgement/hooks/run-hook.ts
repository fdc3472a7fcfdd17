import type { HookAnswer, HookCall, HookDefinition } from './hook.js'

export type HookOutcome = { ok: true; answer: HookAnswer } | { ok: false; problem: string }

/** What the hook is shown, and the signal by which it hears that the call was cancelled. */
export type HookRun = Omit<HookCall, 'signal'> & { callSignal: AbortSignal }

const DEFAULT_TIMEOUT_MS = 60_000

/** Runs one hook within its time. Whatever goes wrong in it comes back as an outcome. */
export async function runHook(hook: HookDefinition, { callSignal, ...call }: HookRun): Promise<HookOutcome> {
  const controller = new AbortController()
  const onAbort = (): void => controller.abort(callSignal.reason)
  if (callSignal.aborted) onAbort()
  else callSignal.addEventListener('abort', onAbort, { once: true })
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
    callSignal.removeEventListener('abort', onAbort)
  }
}

async function answerOf(hook: HookDefinition, call: HookCall): Promise<HookOutcome> {
  try {
    const answer: unknown = await hook.run(call)
    if (answer === undefined || answer === null) return { ok: true, answer: {} }
    if (typeof answer === 'object') return { ok: true, answer: readAnswer(answer) }
    return { ok: false, problem: `The hook "${hook.id}" answered with something that cannot be read.` }
  } catch (error) {
    return { ok: false, problem: `The hook "${hook.id}" failed: ${wordsOf(error)}` }
  }
}

const FIELDS = [
  'message',
  'progress',
  'updatedInput',
  'permission',
  'additionalContext',
  'stop',
  'updatedOutput',
] as const satisfies readonly (keyof HookAnswer)[]

/** Reads each part of an answer once. One that cannot be read throws, and the whole answer counts as broken. */
function readAnswer(given: object): HookAnswer {
  const stray = Object.keys(given).find((key) => !(FIELDS as readonly string[]).includes(key))
  if (stray !== undefined) {
    const hint = stray === 'behavior' ? '; a decision belongs in "permission"' : ''
    throw new Error(`its answer has the field "${stray}", which means nothing${hint}.`)
  }
  const said: Record<string, unknown> = {}
  for (const field of FIELDS) {
    const value: unknown = Reflect.get(given, field)
    if (value !== undefined) said[field] = value
  }
  if (said['permission'] !== undefined && !isObject(said['permission'])) {
    throw new Error('its "permission" must be an object such as { behavior: "deny" }.')
  }
  if (isObject(said['permission'])) {
    const { behavior, message } = said['permission']
    said['permission'] = { behavior, ...(message !== undefined && { message: String(message) }) }
  }
  if (isObject(said['stop'])) said['stop'] = { reason: String(said['stop']['reason']) }
  else if (said['stop'] !== undefined) said['stop'] = { reason: String(said['stop']) }
  for (const field of ['message', 'progress']) if (field in said) said[field] = String(said[field])
  if ('additionalContext' in said) said['additionalContext'] = [said['additionalContext']].flat().map(String)
  return said
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function wordsOf(error: unknown): string {
  try {
    return error instanceof Error ? error.message : String(error)
  } catch {
    return 'it cannot be said how'
  }
}
