import { expect, it } from 'vitest'
import { defineTool, memoryStore } from 'toolcrib'
import { openCrib } from '../scenarios/open-crib.js'

const tool = (name: string, facts: object) =>
  defineTool({ name, description: 'Does it.', ...facts, execute: () => 'done' })

it.each([
  ['what declares that it only reads', { isReadOnly: true }, 'succeeded'],
  ['what declares that it reads the open world', { isReadOnly: true, isOpenWorld: true }, 'succeeded'],
  ['what says nothing of itself', {}, 'rejected'],
  ['what declares that it writes', { isReadOnly: false, isOpenWorld: false }, 'rejected'],
])('with openReads, read-only calls are allowed wherever they reach: %s', async (_, facts, status) => {
  const crib = await openCrib({
    store: memoryStore(),
    permission: { openReads: true },
    tools: [tool('act', facts)],
  })
  const surface = await crib.surface({ scope: 'session' })
  expect(await crib.call(surface, { name: 'act' })).toMatchObject({ status })
})

it('an ask rule still applies', async () => {
  const crib = await openCrib({
    store: memoryStore(),
    permission: { openReads: true, deny: ['act'] },
    tools: [tool('act', { isReadOnly: true })],
  })
  expect(await crib.call(await crib.surface({ scope: 'session' }), { name: 'act' })).toMatchObject({
    is_error: true,
  })
})

it('by default, open-world reads need approval', async () => {
  const crib = await openCrib({
    store: memoryStore(),
    permission: {},
    tools: [tool('act', { isReadOnly: true })],
  })
  expect(await crib.call(await crib.surface({ scope: 'session' }), { name: 'act' })).toMatchObject({
    status: 'rejected',
  })
})
