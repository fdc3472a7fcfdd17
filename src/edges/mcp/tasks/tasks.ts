import type { JsonObject } from '../../../sources/mcp/protocol/json-rpc.js'
import { McpError, mcpErrorCodes } from '../../../sources/mcp/protocol/mcp-error.js'
import { OWN_META_KEY } from '../../../sources/mcp/protocol/meta-keys.js'
import type { Era } from '../../../sources/mcp/protocol/revisions.js'
import type { Crib } from '../../../crib/crib.js'
import { callerKey } from '../caller-key.js'
import { mayAccessCall } from '../tools/is-on-surface.js'
import type { Connection } from '../connection.js'
import type { CallRequest, StartedCall } from '../calls/call-request.js'
import type { LiveTask } from './live-task.js'
import { taskView } from './task-view.js'

/** Per caller. */
const MAX_TASKS = 1000
const USUAL_TTL_MS = 60 * 60_000
const LONGEST_TTL_MS = 24 * 60 * 60_000
/** A task is kept this long after its end, however short its time to live, so that a late result can be fetched. */
const FETCH_MS = 60_000
/** A call that takes longer is answered with a task, if the client supports tasks. */
const TASK_AFTER_MS = 500

export interface Tasks {
  /** Starts a call as a task because a client with a session requests one. */
  create(request: CallRequest, start: () => StartedCall): Promise<JsonObject>
  /** Turns a call into a task, which its waiters get instead of the result. False where it stays a call. */
  convert(started: StartedCall, request: CallRequest): Promise<boolean>
  convertLater(started: StartedCall, request: CallRequest): void
  setMessage(taskId: string, connection: Connection, message: string): void
  find(taskId: string, connection: Connection): LiveTask | undefined
  /** The caller's tasks, the oldest first. */
  list(connection: Connection): LiveTask[]
  close(): void
}

export function createTaskStore({ crib, now }: { crib: Crib; now: () => number }): Tasks {
  /** By caller, then by id. */
  const live = new Map<string, Map<string, LiveTask>>()
  const timers = new Set<NodeJS.Timeout>()

  function later(ms: number, act: () => void): void {
    const timer = setTimeout(() => {
      timers.delete(timer)
      act()
    }, ms).unref()
    timers.add(timer)
  }

  function register({ call, work }: StartedCall, { connection, params, tool }: CallRequest): LiveTask {
    const taskId = call.invocationId
    const at = now()
    const task: LiveTask = {
      taskId,
      work,
      toolId: tool.toolId,
      surfaceId: connection.surface.id,
      createdAt: at,
      ttlMs: ttlOf(params['task']),
      updatedAt: at,
      isCancelled: false,
      message: undefined,
    }
    work.taskId = taskId
    add(task, connection)
    const onEnd = (): void => {
      task.updatedAt = now()
      later(Math.max(FETCH_MS, task.createdAt + task.ttlMs - now()), () => drop(task, connection))
    }
    if (work.isDone) onEnd()
    else work.onEnd = onEnd
    return task
  }

  /** Drops the oldest task that has ended where necessary: the records have its result. */
  function hasRoom({ caller }: Pick<Connection, 'caller'>): boolean {
    const own = live.get(callerKey(caller))
    if (!own || own.size < MAX_TASKS) return true
    const [ended] = [...own.values()].filter(({ work }) => work.isDone)
    return ended !== undefined && own.delete(ended.taskId)
  }

  function add(task: LiveTask, { caller }: Pick<Connection, 'caller'>): void {
    const key = callerKey(caller)
    const own = live.get(key) ?? new Map<string, LiveTask>()
    live.set(key, own.set(task.taskId, task))
  }

  function drop({ taskId }: LiveTask, { caller }: Pick<Connection, 'caller'>): void {
    const key = callerKey(caller)
    const own = live.get(key)
    if (own?.delete(taskId) && own.size === 0) live.delete(key)
  }

  /** Flushes first, so that the client can find the task from any process. */
  async function created(task: LiveTask, era: Era): Promise<JsonObject> {
    await crib.flush()
    const view = taskView(task, era)
    const _meta = { [OWN_META_KEY]: { invocationId: task.taskId, status: view['status'] } }
    return era === 'modern' ? { resultType: 'task', ...view, _meta } : { task: view, _meta }
  }

  async function convert(started: StartedCall, request: CallRequest): Promise<boolean> {
    const { work } = started
    if (work.isDone || work.taskId !== undefined) return true
    if (!hasRoom(request.connection)) return false
    const task = register(started, request)
    try {
      work.answerInterim(await created(task, request.exchange.era))
      return true
    } catch {
      // The records could not be written, so the call stays a call and its waiters get the result.
      work.taskId = undefined
      drop(task, request.connection)
      return false
    }
  }

  return {
    async create(request, start) {
      if (!hasRoom(request.connection))
        throw new McpError(mcpErrorCodes.internal, 'Too many tasks are under way; try again later.')
      return created(register(start(), request), request.exchange.era)
    },
    convert,
    convertLater(started, request) {
      const { work } = started
      const timer = setTimeout(() => {
        timers.delete(timer)
        if (work.hasWaiters) convert(started, request).catch(() => {})
      }, TASK_AFTER_MS).unref()
      timers.add(timer)
      work.onServerTask = () => void convert(started, request).catch(() => {})
      work.onEnd = () => {
        clearTimeout(timer)
        timers.delete(timer)
      }
    },
    setMessage(taskId, connection, message) {
      const task = live.get(callerKey(connection.caller))?.get(taskId)
      if (!task) return
      task.message = message
      task.updatedAt = now()
    },
    find(taskId, connection) {
      const task = live.get(callerKey(connection.caller))?.get(taskId)
      return task && mayAccessCall(task, connection) ? task : undefined
    },
    list: (connection) =>
      [...(live.get(callerKey(connection.caller))?.values() ?? [])].filter((task) =>
        mayAccessCall(task, connection),
      ),
    close() {
      for (const timer of timers) clearTimeout(timer)
      timers.clear()
      live.clear()
    },
  }
}

function ttlOf(task: unknown): number {
  const ttl = (task as JsonObject | undefined)?.['ttl']
  return typeof ttl === 'number' && ttl > 0 ? Math.min(Math.round(ttl), LONGEST_TTL_MS) : USUAL_TTL_MS
}
