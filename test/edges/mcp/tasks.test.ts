import { expect, test } from 'vitest'
import { defineTool } from 'toolcrib'
import { until } from '../../until.js'
import { exchangeOf } from './support/exchange.js'
import { add, greet, openGateway, textOf, write } from './support/open-gateway.js'

const gates: (() => void)[] = []
const slow = defineTool({
  name: 'slow',
  namespace: 'jobs',
  description: 'Takes until it is let go.',
  isReadOnly: true,
  isOpenWorld: false,
  execute: (_input, { signal }) =>
    new Promise((resolve, reject) => {
      gates.push(() => resolve('done at last'))
      signal.addEventListener('abort', () => reject(signal.reason))
    }),
})
const failing = defineTool({
  name: 'failing',
  namespace: 'jobs',
  description: 'Fails.',
  isReadOnly: true,
  isOpenWorld: false,
  execute: () => Promise.reject(new Error('no luck')),
})

const tools = { crib: { tools: [add, greet, slow, failing] } }
const TASKS = 'io.modelcontextprotocol/tasks'
const withTasks = { era: 'modern', capabilities: { elicitation: {}, extensions: { [TASKS]: {} } } } as const

async function letGo(): Promise<void> {
  await until(() => gates.length !== 0)
  gates.splice(0).forEach((open) => open())
}

test('a client with a session starts a task, polls it and fetches its result', async () => {
  const { session: open } = await openGateway(tools)
  const session = await open('legacy')
  const call = { name: 'jobs__slow', arguments: {}, task: { ttl: 60_000 } }
  const { task } = (await session.handle('tools/call', call, exchangeOf())) as { task: { taskId: string } }
  expect(task).toMatchObject({ status: 'working', ttl: 60_000, createdAt: expect.any(String) })
  const { taskId } = task
  expect(await session.handle('tasks/get', { taskId }, exchangeOf())).toMatchObject({
    taskId,
    status: 'working',
  })
  expect(await session.handle('tasks/list', {}, exchangeOf())).toMatchObject({ tasks: [{ taskId }] })
  const bob = await open('legacy', { actor: 'bob' })
  expect(await bob.handle('tasks/list', {}, exchangeOf())).toEqual({ tasks: [] })
  for (const method of ['tasks/get', 'tasks/result', 'tasks/cancel'])
    await expect(bob.handle(method, { taskId }, exchangeOf())).rejects.toMatchObject({ code: -32602 })
  const result = session.handle('tasks/result', { taskId }, exchangeOf())
  await letGo()
  expect(await result).toMatchObject({ _meta: { 'io.modelcontextprotocol/related-task': { taskId } } })
  expect(textOf(await result)).toBe('done at last')
  expect(await session.handle('tasks/get', { taskId }, exchangeOf())).toMatchObject({ status: 'completed' })
  await expect(session.handle('tasks/cancel', { taskId }, exchangeOf())).rejects.toMatchObject({
    code: -32602,
  })
})

test('a task asks its questions during tasks/result, and can be canceled', async () => {
  const session = await (await openGateway(tools)).session('legacy')
  const capabilities = { elicitation: {} }
  const call = { name: 'people__greet', arguments: {}, task: {} }
  const { task } = (await session.handle('tools/call', call, exchangeOf({ capabilities }))) as {
    task: { taskId: string }
  }
  const { taskId } = task
  let status: unknown
  do ({ status } = await session.handle('tasks/get', { taskId }, exchangeOf()))
  while (status === 'working')
  expect(status).toBe('input_required')
  const related: unknown[] = []
  const exchange = exchangeOf({
    capabilities,
    async ask({ params }) {
      related.push((params!['_meta'] as Record<string, unknown>)['io.modelcontextprotocol/related-task'])
      return { action: 'accept', content: { name: 'Ann', place: 'Rome' } }
    },
  })
  expect(textOf(await session.handle('tasks/result', { taskId }, exchange))).toBe('Hello Ann from Rome')
  expect(related).toEqual([{ taskId }, { taskId }])
  const other = (await session.handle('tools/call', { name: 'jobs__slow', task: {} }, exchangeOf())) as {
    task: { taskId: string }
  }
  expect(await session.handle('tasks/cancel', { taskId: other.task.taskId }, exchangeOf())).toMatchObject({
    status: 'cancelled',
  })
})

test('a modern client gets a task for a long call, but only if it supports tasks', async () => {
  const session = await (await openGateway(tools)).session('modern')
  const exchange = exchangeOf(withTasks)
  const sum = { name: 'sums__add', arguments: { a: 1, b: 2 }, task: { ttl: 1 } }
  expect(await session.handle('tools/call', sum, exchange)).toMatchObject({ resultType: 'complete' })
  const task = await session.handle('tools/call', { name: 'jobs__slow' }, exchange)
  expect(task).toMatchObject({ resultType: 'task', status: 'working', ttlMs: expect.any(Number) })
  expect(task).not.toHaveProperty('requestState')
  const { taskId } = task
  const bare = exchangeOf({ era: 'modern' })
  for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel'])
    await expect(session.handle(method, { taskId, inputResponses: {} }, bare)).rejects.toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { extensions: { [TASKS]: {} } } },
    })
  for (const method of ['tasks/result', 'tasks/list'])
    await expect(session.handle(method, { taskId }, exchange)).rejects.toMatchObject({ code: -32601 })
  await expect(session.handle('tasks/get', { taskId: 'inv_none' }, exchange)).rejects.toMatchObject({
    code: -32602,
  })
  await letGo()
  const waited = session.handle('tools/call', { name: 'jobs__slow' }, bare)
  await letGo()
  expect(await waited).toMatchObject({ resultType: 'complete' })
  expect(await session.handle('tasks/get', { taskId }, exchange)).toMatchObject({
    resultType: 'complete',
    status: 'completed',
    result: { content: [{ type: 'text', text: 'done at last' }] },
  })
  expect(await session.handle('tasks/cancel', { taskId }, exchange)).toEqual({ resultType: 'complete' })
  const failed = await session.handle('tools/call', { name: 'jobs__failing' }, exchange)
  expect(failed).toMatchObject({ resultType: 'complete', isError: true })
})

test('ended tasks are dropped at the limit, and a call that finds no free slot is answered without a task', async () => {
  const { crib, session: open } = await openGateway({
    crib: { tools: [add, slow, write], permission: {}, reviewers: ['boss'] },
  })
  const session = await open('legacy')
  const sum = { name: 'sums__add', arguments: { a: 1, b: 2 }, task: {} }
  for (let count = 0; count < 1001; count++)
    expect(await session.handle('tools/call', sum, exchangeOf())).toHaveProperty('task')
  const under = { name: 'jobs__slow', arguments: {}, task: {} }
  const started = Array.from({ length: 1000 }, () => session.handle('tools/call', under, exchangeOf()))
  await Promise.all(started)
  await expect(session.handle('tools/call', under, exchangeOf())).rejects.toMatchObject({ code: -32603 })
  const modern = await open('modern')
  const waits = await modern.handle('tools/call', { name: 'notes__write' }, exchangeOf(withTasks))
  expect(textOf(waits)).toContain('waits for approval')
  // Other callers have their own limit.
  const bob = await open('legacy', { actor: 'bob' })
  expect(await bob.handle('tools/call', sum, exchangeOf())).toHaveProperty('task')
  gates.splice(0)
  await crib.close({ graceMs: 0 })
})

test('a task asks again if the connection broke before its question was answered', async () => {
  const session = await (await openGateway(tools)).session('legacy')
  const capabilities = { elicitation: {} }
  const call = { name: 'people__greet', arguments: {}, task: {} }
  const { task } = (await session.handle('tools/call', call, exchangeOf({ capabilities }))) as {
    task: { taskId: string }
  }
  const { taskId } = task
  const gone = new AbortController()
  let onAsked: () => void
  const asked = new Promise<void>((resolve) => (onAsked = resolve))
  const broken = session.handle(
    'tasks/result',
    { taskId },
    exchangeOf({
      capabilities,
      signal: gone.signal,
      ask: (_question, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason))
          onAsked()
        }),
    }),
  )
  await asked
  gone.abort()
  await expect(broken).rejects.toMatchObject({ code: -32603 })
  expect(await session.handle('tasks/get', { taskId }, exchangeOf())).toMatchObject({
    status: 'input_required',
  })
  const answering = exchangeOf({
    capabilities,
    ask: async () => ({ action: 'accept', content: { name: 'Ann', place: 'Rome' } }),
  })
  expect(textOf(await session.handle('tasks/result', { taskId }, answering))).toBe('Hello Ann from Rome')
})
