import { setTimeout as sleep } from 'node:timers/promises'
import { isObject } from '../../../platform/json/is-object.js'
import type { JsonObject } from '../protocol/json-rpc.js'
import { McpError, mcpErrorCodes } from '../protocol/mcp-error.js'
import type { Era } from '../protocol/revisions.js'
import type { McpClient, McpQuestion } from '../protocol/mcp-client.js'
import { askClient } from '../connection/ask-client.js'

export interface TaskFollower {
  readonly server: string
  readonly era: Era
  readonly signal: AbortSignal
  readonly client: McpClient | undefined
  ask(method: string, params: JsonObject, signal: AbortSignal): Promise<JsonObject>
  say(message: string): void
  /** Called when a cancellation was requested and the server reports the task as cancelled. */
  onEndConfirmed(): void
}

interface TaskStatus {
  taskId: string
  status: string
  pollMs: number
  message: string | undefined
  body: JsonObject
}

const SHORTEST_POLL_MS = 50
const LONGEST_POLL_MS = 30_000
const USUAL_POLL_MS = 1_000
const CANCEL_MS = 5_000

/** Follows a server's task until it has a result, and cancels it when the caller stops waiting. */
export async function followTask(created: JsonObject, follower: TaskFollower): Promise<JsonObject> {
  const first = readTask(created)
  if (!first) throw new McpError(mcpErrorCodes.internal, 'The server made a task without an id.')
  let end: JsonObject | McpError
  try {
    end = await (follower.era === 'legacy' ? followLegacy(first, follower) : followModern(first, follower))
  } catch (error) {
    // After any error, its result is never fetched.
    const canceling = cancel(first.taskId, follower)
    if (follower.signal.aborted) await canceling
    throw error
  }
  if (end instanceof McpError) throw end
  return end
}

/**
 * Requesting the result waits for it and delivers the task's questions: it is requested as soon as the status calls for
 * it.
 */
async function followLegacy(task: TaskStatus, follower: TaskFollower): Promise<JsonObject> {
  const { signal, ask } = follower
  const { taskId } = task
  let now = task
  while (now.status === 'working') {
    await sleep(now.pollMs, undefined, { signal })
    now = readTask(await ask('tasks/get', { taskId }, signal)) ?? now
    if (now.message !== undefined) follower.say(now.message)
  }
  return ask('tasks/result', { taskId }, signal)
}

/** Resolves with an error where the task itself failed. */
async function followModern(task: TaskStatus, follower: TaskFollower): Promise<JsonObject | McpError> {
  const { signal, ask } = follower
  const { taskId } = task
  const answered = new Set<string>()
  let now = task
  for (;;) {
    if (now.message !== undefined) follower.say(now.message)
    if (now.status === 'completed' && isObject(now.body['result'])) return now.body['result']
    if (now.status === 'failed') return errorOf(now.body['error'])
    if (now.status === 'cancelled') return CANCELLED
    if (now.status === 'input_required') await answer(now, answered, follower)
    await sleep(now.pollMs, undefined, { signal })
    now = readTask(await ask('tasks/get', { taskId }, signal)) ?? now
  }
}

const CANCELLED: JsonObject = {
  isError: true,
  content: [{ type: 'text', text: 'The server has canceled the task.' }],
}

/** A question may still be listed while its answer is on the way: it is asked once. */
async function answer(
  { taskId, body }: TaskStatus,
  answered: Set<string>,
  { server, client, signal, ask }: TaskFollower,
): Promise<void> {
  const requests = isObject(body['inputRequests']) ? body['inputRequests'] : {}
  const fresh = Object.entries(requests).filter(([key, value]) => !answered.has(key) && isQuestion(value))
  if (fresh.length === 0) return
  for (const [key] of fresh) answered.add(key)
  const questions = Object.fromEntries(fresh) as unknown as Record<string, McpQuestion>
  const inputResponses = await askClient(questions, { server, client, answer: undefined }, signal)
  await ask('tasks/update', { taskId, inputResponses }, signal)
}

/** Cancels the task once and reports a confirmed end. */
async function cancel(taskId: string, { ask, onEndConfirmed }: TaskFollower): Promise<void> {
  const signal = AbortSignal.timeout(CANCEL_MS)
  try {
    const answer = readTask(await ask('tasks/cancel', { taskId }, signal))
    // In the later era the answer only acknowledges the request.
    const task = answer ?? readTask(await ask('tasks/get', { taskId }, signal))
    if (task?.status === 'cancelled') onEndConfirmed()
  } catch {
    // Nothing confirms that the task has ended.
  }
}

/** Depending on revision and method, the members are in `task` or at the top level. */
function readTask(result: JsonObject): TaskStatus | undefined {
  const body = isObject(result['task']) ? result['task'] : result
  const { taskId, status, pollInterval, pollIntervalMs, statusMessage } = body
  if (typeof taskId !== 'string' || typeof status !== 'string') return undefined
  const asked = [pollIntervalMs, pollInterval].find((value) => typeof value === 'number')
  const pollMs = Math.min(LONGEST_POLL_MS, Math.max(SHORTEST_POLL_MS, asked ?? USUAL_POLL_MS))
  return {
    taskId,
    status,
    pollMs,
    message: typeof statusMessage === 'string' ? statusMessage : undefined,
    body,
  }
}

function errorOf(error: unknown): McpError {
  if (!isObject(error)) return new McpError(mcpErrorCodes.internal, 'The task of the server failed.')
  const { code, message, data } = error
  return new McpError(
    typeof code === 'number' ? code : mcpErrorCodes.internal,
    typeof message === 'string' ? message : 'The task of the server failed.',
    data,
  )
}

function isQuestion(value: unknown): boolean {
  return isObject(value) && typeof value['method'] === 'string'
}
