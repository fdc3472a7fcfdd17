import { expect, it } from 'vitest'
import { createCrib, defineTool, sqliteStore } from 'toolcrib'
import { describeEvent } from '../../src/edges/cli/record/describe-event.js'
import type { SourceStorage } from '../../src/sources/source.js'
import { createGate, onBothStores, temporaryStorePath } from '../scenarios/open-crib.js'

onBothStores('an answer that comes after its call has ended', (newStore) => {
  async function open(execute: () => unknown) {
    let storage: SourceStorage | undefined
    const crib = await createCrib({
      store: newStore(),
      tools: [
        defineTool({ name: 'ask', description: 'Asks.', isReadOnly: true, isOpenWorld: false, execute }),
      ],
      sources: [
        {
          name: 'any',
          open: async (opened) => void (storage = opened as SourceStorage),
          list: async () => [],
        },
      ],
    })
    const surface = await crib.surface()
    return { crib, surface, recordLate: storage!.recordLate! }
  }

  it('is kept with the call, once, and its result stays as it is', async () => {
    const { crib, surface, recordLate } = await open(() => {
      throw new Error('No answer came.')
    })
    const result = await crib.call(surface, { name: 'ask' })
    const id = result.invocation_id
    const late = {
      message_id: 'm1',
      answer: { text: 'hello', token: 'ghp_012345678901234567890123456789abcdef' },
    }
    expect(await recordLate(id, late)).toBe('recorded')
    expect(await recordLate(id, late)).toBe('recorded')
    expect(await recordLate(id, { message_id: 'm2', answer: 'again' })).toBe('recorded')
    const told: string[] = []
    for await (const event of crib.events({ invocation: id })) told.push(describeEvent(event))
    expect(told.slice(-2)).toEqual([
      'a late answer came (message m1): {"text":"hello","token":"[redacted]"}',
      'a late answer came (message m2): "again"',
    ])
    expect(await crib.result(id)).toEqual(result)
    await crib.close()
  })

  it('is cut where it is too long', async () => {
    const { crib, surface, recordLate } = await open(() => 'done')
    const { invocation_id: id } = await crib.call(surface, { name: 'ask' })
    await recordLate(id, { message_id: 'm1', answer: 'x'.repeat(400_000) })
    const events = []
    for await (const event of crib.events({ invocation: id })) events.push(event)
    expect(events.at(-1)!.data).toMatchObject({ message_id: 'm1', cut_to: 256 * 1024 })
    await crib.close()
  })

  it('is one of a few: a service that answers on and on does not fill the store', async () => {
    const { crib, surface, recordLate } = await open(() => 'done')
    const { invocation_id: id } = await crib.call(surface, { name: 'ask' })
    for (let at = 0; at < 25; at++)
      expect(await recordLate(id, { message_id: `m${at}`, answer: at })).toBe('recorded')
    const types = []
    for await (const { event_type: type } of crib.events({ invocation: id })) types.push(type)
    expect(types.filter((type) => type === 'toolcrib.result.late_answer')).toHaveLength(20)
    await crib.close()
  })

  it('is not taken while the call runs, nor of a call that is unknown', async () => {
    const gate = createGate()
    const { crib, surface, recordLate } = await open(() => gate.promise)
    const call = crib.call(surface, { name: 'ask' })
    const { invocationId } = call
    const late = { message_id: 'm1', answer: 1 }
    await expect.poll(() => recordLate(invocationId, late)).toBe('open')
    expect(await recordLate('inv_unknown', late)).toBe('unknown')
    gate.open()
    await call
    expect(await recordLate(invocationId, late)).toBe('recorded')
    await crib.close()
  })
})

it('a late answer is taken by another process than the one that made the call', async () => {
  const path = temporaryStorePath()
  const first = await createCrib({
    store: sqliteStore({ path }),
    tools: [
      defineTool({
        name: 'ask',
        description: 'Asks.',
        isReadOnly: true,
        isOpenWorld: false,
        execute: () => 'done',
      }),
    ],
  })
  const { invocation_id: id } = await first.call(await first.surface(), { name: 'ask' })
  await first.close()
  let storage: SourceStorage | undefined
  const second = await createCrib({
    store: sqliteStore({ path }),
    sources: [
      {
        name: 'any',
        open: async (opened) => void (storage = opened as SourceStorage),
        list: async () => [],
      },
    ],
  })
  expect(await storage!.recordLate!(id, { message_id: 'm1', answer: 'late' })).toBe('recorded')
  const story = await second.story(id)
  expect(story?.result?.status).toBe('succeeded')
  await second.close()
})
