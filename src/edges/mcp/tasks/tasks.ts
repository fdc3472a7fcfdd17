import type { JsonObject } from '../../../sources/mcp/protocol/json-rpc.js'
import { McpError, mcpErrorCodes } from '../../../sources/mcp/protocol/mcp-error.js'
import { OWN_META_KEY } from '../../../sources/mcp/protocol/meta-keys.js'
import type { Era } from '../../../sources/mcp/protocol/revisions.js'
import type { Crib } from '../../../crib/crib.js'
import { callerKey } from '../caller-key.js'
import { mayLookAfter } from '../tools/is-on-surface.js'
import type { OpenWork } from '../calls/open-work.js'
import type { Connection } from '../connection.js'
import { startCall, type CallRequest, type StartedCall } from '../calls/start-call.js'
import { taskView } from './task-view.js'

/** Of one caller. */
const MAX_TASKS = 1000
const USUAL_TTL_MS = 60 * 60_000
const LONGEST_TTL_MS = 24 * 60 * 60_000
/** However short a client wants it: a result that comes late is still to be fetched. */
const FETCH_MS = 60_000
/** What takes longer is answered with a task, where the client takes tasks. */
const TASK_AFTER_MS = 500

/** A call that goes on while its client looks after it now and then. Its id is that of the call. */
export interface LiveTask {
  readonly taskId: string
  readonly work: OpenWork
  readonly toolId: string
  /** Where it was begun. */
  readonly surfaceId: string
  readonly createdAt: number
  readonly ttlMs: number
  updatedAt: number
  isCancelled: boolean
  message: string | undefined
}

export interface Tasks {
  /** Starts a call as a task, as a client with a session asks for it. */
  create(request: CallRequest): Promise<JsonObject>
  /** Answers whoever waits with a task in connection of the result. Says whether it has become one. */
  become(started: StartedCall, request: CallRequest): Promise<boolean>
  becomeLater(started: StartedCall, request: CallRequest): void
  say(taskId: string, connection: Connection, message: string): void
  find(taskId: string, connection: Connection): LiveTask | undefined
  /** Of this caller, the oldest first. */
  list(connection: Connection): LiveTask[]
  close(): void
}

export function createTaskStore({ crib, now }: { crib: Crib; now: () => number }): Tasks {
  /** Of each caller, by id. */
  const live = new Map<string, Map<string, LiveTask>>()
  const timers = new Set<NodeJS.Timeout>()

  function later(ms: number, act: () => void): void {
    const timer = setTimeout(() => {
      timers.delete(timer)
      act()
    }, ms).unref()
    timers.add(timer)
  }

  function adopt({ call, work }: StartedCall, { connection, params, tool }: CallRequest): LiveTask {
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

  /** What has ended makes room, the oldest first: the record has its result. */
  function hasRoom({ caller }: Connection): boolean {
    const own = live.get(callerKey(caller))
    if (!own || own.size < MAX_TASKS) return true
    const [ended] = [...own.values()].filter(({ work }) => work.isDone)
    return ended !== undefined && own.delete(ended.taskId)
  }

  function add(task: LiveTask, { caller }: Connection): void {
    const key = callerKey(caller)
    const own = live.get(key) ?? new Map<string, LiveTask>()
    live.set(key, own.set(task.taskId, task))
  }

  function drop({ taskId }: LiveTask, { caller }: Connection): void {
    const key = callerKey(caller)
    const own = live.get(key)
    if (own?.delete(taskId) && own.size === 0) live.delete(key)
  }

  /** Whoever is told of a task can find it from anywhere. */
  async function created(task: LiveTask, era: Era): Promise<JsonObject> {
    await crib.flush()
    const view = taskView(task, era)
    const _meta = { [OWN_META_KEY]: { invocationId: task.taskId, status: view['status'] } }
    return era === 'modern' ? { resultType: 'task', ...view, _meta } : { task: view, _meta }
  }

  async function become(started: StartedCall, request: CallRequest): Promise<boolean> {
    const { work } = started
    if (work.isDone || work.taskId !== undefined) return true
    if (!hasRoom(request.connection)) return false
    const task = adopt(started, request)
    try {
      work.answerMeanwhile(await created(task, request.exchange.era))
      return true
    } catch {
      // What cannot be kept is no task: the call is waited for after all.
      work.taskId = undefined
      drop(task, request.connection)
      return false
    }
  }

  return {
    async create(request) {
      if (!hasRoom(request.connection))
        throw new McpError(mcpErrorCodes.internal, 'Too many tasks are under way; try again later.')
      const started = startCall(request, { inBackground: true })
      return created(adopt(started, request), request.exchange.era)
    },
    become,
    becomeLater(started, request) {
      const { work } = started
      const timer = setTimeout(() => {
        timers.delete(timer)
        if (work.isWaitedFor) become(started, request).catch(() => {})
      }, TASK_AFTER_MS).unref()
      timers.add(timer)
      work.onAlone = () => void become(started, request).catch(() => {})
      work.onEnd = () => {
        clearTimeout(timer)
        timers.delete(timer)
      }
    },
    say(taskId, connection, message) {
      const task = live.get(callerKey(connection.caller))?.get(taskId)
      if (!task) return
      task.message = message
      task.updatedAt = now()
    },
    find(taskId, connection) {
      const task = live.get(callerKey(connection.caller))?.get(taskId)
      return task && mayLookAfter(task, connection) ? task : undefined
    },
    list: (connection) =>
      [...(live.get(callerKey(connection.caller))?.values() ?? [])].filter((task) =>
        mayLookAfter(task, connection),
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
