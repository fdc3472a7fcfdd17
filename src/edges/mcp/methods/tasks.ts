import { toAbortSignal } from '../../../platform/async/stop-signal.js'
import type { JsonObject } from '../../../sources/mcp/protocol/json-rpc.js'
import { metaKeys } from '../../../sources/mcp/protocol/meta-keys.js'
import { readResponses } from '../calls/check-response.js'
import type { Exchange } from '../gateway.js'
import { complete } from '../in-era.js'
import { invalidParams } from '../invalid-params.js'
import type { WorkOutcome } from '../calls/open-work.js'
import { pageOf } from '../page-of.js'
import type { ServedConnection } from '../served-connection.js'
import { readPastTask, type PastTask } from '../tasks/past-task.js'
import { checkTakesTasks } from '../tasks/takes-tasks.js'
import type { LiveTask } from '../tasks/live-task.js'
import { describeTask, statusOf, taskView } from '../tasks/task-view.js'
import { toWireError } from '../to-wire-error.js'

export async function getTask(
  params: JsonObject,
  exchange: Exchange,
  connection: ServedConnection,
): Promise<JsonObject> {
  checkTakesTasks(exchange)
  const { era } = exchange
  const task = await findTask(params, connection)
  if ('facts' in task) {
    return complete({ ...describeTask(task.facts, era), ...(era === 'modern' && endOf(task.outcome)) }, era)
  }
  return complete({ ...taskView(task, era), ...(era === 'modern' && detailsOf(task)) }, era)
}

/** The fields of a task that the modern revision adds to its status. */
function detailsOf(task: LiveTask): JsonObject {
  switch (statusOf(task, 'modern')) {
    case 'input_required':
      return { inputRequests: task.work.questions() }
    case 'completed':
    case 'failed':
      return endOf(task.work.outcome)
    case 'working':
    case 'cancelled':
      return {}
  }
}

function endOf(outcome: WorkOutcome | undefined): JsonObject {
  if (!outcome) return {}
  return 'result' in outcome
    ? { result: complete({ ...outcome.result }, 'modern') }
    : { error: toWireError(outcome.error, () => {}) }
}

/** Waits for the result. Questions of the task are asked during this request. */
export async function getTaskResult(
  params: JsonObject,
  exchange: Exchange,
  connection: ServedConnection,
): Promise<JsonObject> {
  const task = await findTask(params, connection)
  const { taskId } = 'facts' in task ? task.facts : task
  const result =
    'facts' in task ? await task.wait(toAbortSignal(exchange.signal)) : await task.work.attach(exchange)
  const _meta = { ...(result['_meta'] as JsonObject | undefined), [metaKeys.relatedTask]: { taskId } }
  return { ...result, _meta }
}

export async function listTasks(
  params: JsonObject,
  exchange: Exchange,
  connection: ServedConnection,
): Promise<JsonObject> {
  const all = connection.gateway.tasks.list(connection)
  const { items, nextCursor } = pageOf(all, params['cursor'], ({ taskId }) => taskId)
  return { tasks: items.map((task) => taskView(task, exchange.era)), ...(nextCursor && { nextCursor }) }
}

export async function updateTask(
  params: JsonObject,
  exchange: Exchange,
  connection: ServedConnection,
): Promise<JsonObject> {
  checkTakesTasks(exchange)
  const task = await findTask(params, connection)
  const answers = readResponses(params['inputResponses'])
  if ('work' in task) task.work.take(answers)
  return complete({}, exchange.era)
}

export async function cancelTask(
  params: JsonObject,
  exchange: Exchange,
  connection: ServedConnection,
): Promise<JsonObject> {
  checkTakesTasks(exchange)
  const { era } = exchange
  const task = await findTask(params, connection)
  const status = 'facts' in task ? task.facts.status : statusOf(task, era)
  const isOver = status === 'completed' || status === 'failed' || status === 'cancelled'
  if (isOver && era === 'legacy') throw invalidParams(`The task is over already: it is ${status}.`)
  if (!isOver) await cancel(task, connection)
  if (era === 'modern') return complete({}, era)
  return 'facts' in task ? describeTask({ ...task.facts, status: 'cancelled' }, era) : taskView(task, era)
}

async function cancel(
  task: LiveTask | PastTask,
  { gateway }: Pick<ServedConnection, 'gateway'>,
): Promise<void> {
  if ('facts' in task) return task.cancel()
  task.isCancelled = true
  task.updatedAt = gateway.now()
  task.work.cancel()
}

async function findTask({ taskId }: JsonObject, connection: ServedConnection): Promise<LiveTask | PastTask> {
  if (typeof taskId !== 'string') throw invalidParams('"taskId" must be the id of a task.')
  const task = connection.gateway.tasks.find(taskId, connection) ?? (await readPastTask(taskId, connection))
  if (!task) throw invalidParams(`There is no task ${taskId}.`)
  return task
}
