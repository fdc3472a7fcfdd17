import { randomUUID } from 'node:crypto'
import { MissingRequiredClientCapabilityError, ProtocolError } from '@modelcontextprotocol/server'
import { capabilitiesOf } from './questions.mjs'

export const TASKS = 'io.modelcontextprotocol/tasks'
const tasks = new Map()

export const knowsTasks = (context, server) =>
  capabilitiesOf(context, server).extensions?.[TASKS] !== undefined

export function requireTasks(context, server) {
  if (knowsTasks(context, server)) return
  throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { extensions: { [TASKS]: {} } } })
}

/** Starts the work and answers at once; what it comes to is read with `tasks/get`. */
export function startTask(work) {
  const now = new Date().toISOString()
  const stop = new AbortController()
  const task = {
    id: randomUUID(),
    status: 'working',
    createdAt: now,
    lastUpdatedAt: now,
    questions: new Map(),
    stop,
  }
  tasks.set(task.id, task)
  const settle = (status, outcome) => {
    if (isOver(task)) return
    Object.assign(task, { status, lastUpdatedAt: new Date().toISOString() }, outcome)
  }
  task.cancel = () => {
    settle('cancelled', {})
    stop.abort(new Error('cancelled'))
  }
  work({ signal: stop.signal, ask: (key, request) => askThrough(task, key, request) }).then(
    (result) => settle('completed', { result }),
    (error) => settle('failed', { error: { code: error.code ?? -32603, message: error.message } }),
  )
  return { resultType: 'task', ...wireForm(task) }
}

function askThrough(task, key, request) {
  return new Promise((resolve) => {
    task.questions.set(key, { request, resolve })
    task.status = 'input_required'
  })
}

const isOver = (task) => ['completed', 'failed', 'cancelled'].includes(task.status)

const wireForm = (task) => ({
  taskId: task.id,
  status: task.status,
  createdAt: task.createdAt,
  lastUpdatedAt: task.lastUpdatedAt,
  ttlMs: 600_000,
  pollIntervalMs: 100,
})

function detailsOf(task) {
  const questions = [...task.questions].map(([key, { request }]) => [key, request])
  return {
    ...wireForm(task),
    ...(task.status === 'input_required' && { inputRequests: Object.fromEntries(questions) }),
    ...(task.result && { result: task.result }),
    ...(task.error && { error: task.error }),
  }
}

function taskOf(params) {
  const task = tasks.get(params.taskId)
  if (!task) throw new ProtocolError(-32602, `There is no task ${params.taskId}.`)
  return task
}

function answerTask(task, responses) {
  for (const [key, response] of Object.entries(responses ?? {})) {
    const question = task.questions.get(key)
    if (!question) continue
    task.questions.delete(key)
    if (task.questions.size === 0 && task.status === 'input_required') task.status = 'working'
    question.resolve(response)
  }
}

const anyParams = { '~standard': { version: 1, vendor: 'reference', validate: (value) => ({ value }) } }

export function registerTaskMethods(server) {
  const methods = {
    'tasks/get': (params) => detailsOf(taskOf(params)),
    'tasks/update': (params, context) => {
      answerTask(taskOf(params), params.inputResponses ?? context.mcpReq.inputResponses)
      return {}
    },
    'tasks/cancel': (params) => {
      taskOf(params).cancel()
      return {}
    },
  }
  for (const [method, answer] of Object.entries(methods))
    server.setRequestHandler(method, { params: anyParams }, (params, context) => {
      requireTasks(context, server)
      return answer(params, context)
    })
}
