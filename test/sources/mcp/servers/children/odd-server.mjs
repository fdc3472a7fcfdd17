// A server of 2025-11-25 over standard streams, whose ways are chosen by its arguments:
//   --description <text>   of its tool `work`        --names <a,b>   more tools
//   --hang initialize|list it never answers that      --tasks         `work` has to be called as a task
//   --until <path>         it answers once there is a file of that name

import { existsSync, writeSync } from 'node:fs'
import { createInterface } from 'node:readline'

const options = new Map()
for (let at = 2; at < process.argv.length; at += 2) options.set(process.argv[at], process.argv[at + 1])
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const text = (value) => ({ content: [{ type: 'text', text: value }] })
const waiting = new Map()
const tasks = new Map()
let description = options.get('--description') ?? 'Does some work.'
let questions = 0
let calls = 0

function tools() {
  const names = (options.get('--names') ?? '').split(',').filter(Boolean)
  const work = {
    name: 'work',
    description,
    inputSchema: { type: 'object', properties: { do: { type: 'string' } } },
    ...(options.has('--tasks') && { execution: { taskSupport: 'required' } }),
  }
  return [
    work,
    ...names.map((name) => ({ name, description: `The tool ${name}.`, inputSchema: { type: 'object' } })),
    { description: 'It has no name.' },
    { ...work, description: 'The same name once more.' },
    { name: 'strange', inputSchema: { $ref: 'http://127.0.0.1:9/schema.json' } },
    { name: 'with spaces and ⚙', description: 'Its name is no name.', inputSchema: { type: 'object' } },
  ]
}

function ask(method, params) {
  const id = `q${++questions}`
  send({ id, method, params })
  return new Promise((resolve) => waiting.set(id, resolve))
}

async function work({ do: what = 'nothing', ...more }, meta) {
  switch (what) {
    case 'nothing':
      return text(`call ${++calls} of ${process.pid}`)
    case 'die':
      if (more.words) writeSync(2, `${more.words}\n`)
      process.exit(3)
      break
    case 'hang':
      return new Promise(() => {})
    case 'large':
      return text('a line of words\n'.repeat(more.chars / 16))
    case 'ask': {
      const answer = await ask('elicitation/create', {
        message: more.message,
        requestedSchema: { type: 'object' },
      })
      return text(JSON.stringify(answer))
    }
    case 'wait':
      await new Promise((resolve) => setTimeout(resolve, more.ms))
      return text('waited')
    case 'progress':
      send({
        method: 'notifications/progress',
        params: { progressToken: meta?.progressToken, progress: 1, total: 4, message: 'begun' },
      })
      send({ method: 'notifications/message', params: { level: 'info', data: 'a word' } })
      return text('done')
    case 'change':
      description = more.description
      send({ method: 'notifications/tools/list_changed' })
      return text('changed')
    case 'refuse':
      throw {
        code: -32042,
        message: 'First open this.',
        data: { elicitations: [{ url: 'https://example.com' }] },
      }
    case 'say':
      process.stderr.write(`${more.words}\n`)
      return text('said')
  }
}

function startTask(params) {
  const taskId = `t${tasks.size + 1}`
  const task = {
    taskId,
    status: 'working',
    createdAt: new Date().toISOString(),
    ttl: 60000,
    pollInterval: 50,
  }
  tasks.set(taskId, task)
  task.done = work(params.arguments).then((result) => {
    task.status = 'completed'
    return result
  })
  return { task: shown(task) }
}

const shown = ({ taskId, status, createdAt, ttl, pollInterval }) => ({
  taskId,
  status,
  createdAt,
  ttl,
  pollInterval,
})

async function answer(method, params) {
  if (options.get('--hang') === method) return new Promise(() => {})
  switch (method) {
    case 'initialize':
      return {
        protocolVersion: '2025-11-25',
        capabilities: {
          tools: { listChanged: true },
          ...(options.has('--tasks') && { tasks: { requests: { tools: { call: {} } } } }),
        },
        serverInfo: { name: 'odd', version: '1' },
      }
    case 'tools/list':
      return { tools: tools() }
    case 'tools/call':
      if (params.task) return startTask(params)
      if (options.has('--tasks')) throw { code: -32601, message: 'Only as a task.' }
      return work(params.arguments, params._meta)
    case 'tasks/get':
      return shown(tasks.get(params.taskId))
    case 'tasks/result':
      return tasks.get(params.taskId).done
    case 'tasks/cancel':
      process.stderr.write(`cancelled ${params.taskId}\n`)
      tasks.get(params.taskId).status = 'cancelled'
      return shown(tasks.get(params.taskId))
    default:
      throw { code: -32601, message: `There is no ${method}.` }
  }
}

createInterface({ input: process.stdin }).on('line', async (line) => {
  const { id, method, params, result, error } = JSON.parse(line)
  if (method === undefined) return waiting.get(id)?.(result ?? { error })
  if (id === undefined) return
  // Sends what the test wants in place of an answer.
  if (params?.arguments?.do === 'raw') return send({ id, ...params.arguments.message })
  while (options.has('--until') && !existsSync(options.get('--until')))
    await new Promise((resolve) => setTimeout(resolve, 20))
  try {
    const result = await answer(method, params)
    send({ id, result })
  } catch (error) {
    send({ id, error })
  }
})
