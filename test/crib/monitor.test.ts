import { expect, it } from 'vitest'
import { defineTool, memoryStore, type EndedCall, type Store } from 'toolcrib'
import { createGate, openCrib } from '../scenarios/open-crib.js'
import { until } from '../until.js'

const fact = { description: 'A tool.', isReadOnly: true, isOpenWorld: false } as const

it('counts the open calls of this process, and tells which wait for people', async () => {
  const gate = createGate()
  const answer = createGate<{ approved: boolean }>()
  const crib = await openCrib({
    tools: [
      defineTool({ ...fact, name: 'slow', execute: () => gate.promise.then(() => 'done') }),
      defineTool({ ...fact, name: 'asks', execute: async () => 'done' }),
    ],
    decider: ({ tool }) =>
      tool.toolId === 'local.asks' ? { behavior: 'ask', message: 'May it?' } : { behavior: 'allow' },
    approver: () => answer.promise,
  })
  const surface = await crib.surface()
  expect(crib.monitor.calls()).toEqual({ running: 0, waiting: 0 })
  const slow = crib.call(surface, { name: 'slow', input: {} })
  const asks = crib.call(await crib.surface(), { name: 'asks', input: {} })
  await until(() => crib.monitor.calls().waiting === 1)
  expect(crib.monitor.calls()).toEqual({ running: 1, waiting: 1 })
  gate.open()
  answer.open({ approved: true })
  await Promise.all([slow, asks])
  expect(crib.monitor.calls()).toEqual({ running: 0, waiting: 0 })
})

it('tells listeners about each call that ends, without its content, until they stop', async () => {
  const crib = await openCrib({
    tools: [
      defineTool({ ...fact, name: 'works', execute: async () => 'a secret' }),
      defineTool({ ...fact, name: 'writes', isReadOnly: false, execute: async () => 'written' }),
    ],
    decider: () => ({ behavior: 'allow' }),
  })
  const ended: EndedCall[] = []
  const stop = crib.monitor.onCallEnd((call) => ended.push(call))
  const surface = await crib.surface({ actor: 'ann' })
  await crib.call(surface, { name: 'works', input: {} })
  await crib.call(surface, { name: 'writes', input: {} })
  await crib.call(surface, { name: 'missing', input: {} })
  expect(ended).toMatchObject([
    {
      toolId: 'local.works',
      source: 'function',
      actor: 'ann',
      status: 'succeeded',
      resultStatus: 'succeeded',
    },
    { toolId: 'local.writes', status: 'succeeded' },
    { toolId: 'toolcrib.unknown_tool', source: undefined, status: 'failed', resultStatus: 'failed' },
  ])
  expect(JSON.stringify(ended)).not.toContain('secret')
  stop()
  await crib.call(surface, { name: 'works', input: {} })
  expect(ended).toHaveLength(3)
})

it('finds out whether the store can be written, and counts writes that failed', async () => {
  const memory = memoryStore()
  let problem: Error | undefined
  const write: Store['write'] = (group) => {
    if (problem) throw problem
    return memory.write(group)
  }
  const crib = await openCrib({
    store: { ...memory, write },
    tools: [defineTool({ ...fact, name: 'works', execute: async () => 1 })],
  })
  expect(await crib.monitor.storeProblem()).toBeUndefined()
  expect(crib.monitor.writeFailures()).toBe(0)
  problem = new Error('The disk is full.')
  await crib.call(await crib.surface(), { name: 'works', input: {} })
  await until(async () => (await crib.monitor.storeProblem()) === 'The disk is full.')
  expect(crib.monitor.writeFailures()).toBeGreaterThan(0)
  problem = undefined
  await until(async () => (await crib.monitor.storeProblem()) === undefined)
})
