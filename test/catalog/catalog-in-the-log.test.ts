import { expect, it } from 'vitest'
import { defineTool, sqliteStore, type Crib } from 'toolcrib'
import { collect, onBothStores, openCrib, temporaryStorePath } from '../scenarios/open-crib.js'

const give = defineTool({ name: 'give', description: 'Gives.', execute: () => 1 })

/** The events about the tool in the log, in order. */
async function eventTypes(crib: Crib): Promise<string[]> {
  const types = ['tool.declared', 'toolcrib.tool.removed', 'toolcrib.tool.retired']
  return (await collect(crib.events()))
    .map(({ event_type: type }) => type)
    .filter((type) => types.includes(type))
}

onBothStores('the catalog’s events in the log', (newStore) => {
  it('a tool that was removed and added again is declared again', async () => {
    const crib = await openCrib({ store: newStore() })
    const added = await crib.add([give])
    added.dispose()
    await crib.add([give])
    expect(await eventTypes(crib)).toEqual(['tool.declared', 'toolcrib.tool.removed', 'tool.declared'])
  })

  it('a tool that was retired and added again is declared again', async () => {
    const crib = await openCrib({ store: newStore(), tools: [give] })
    await crib.retire('give')
    await crib.add([give])
    expect(await eventTypes(crib)).toEqual(['tool.declared', 'toolcrib.tool.retired', 'tool.declared'])
  })

  it('a tool is removed once, however often that is requested', async () => {
    const crib = await openCrib({ store: newStore() })
    const added = await crib.add([give])
    added.dispose()
    added.dispose()
    expect(await eventTypes(crib)).toEqual(['tool.declared', 'toolcrib.tool.removed'])
  })

  it('a tool that was retired is not removed as well', async () => {
    const crib = await openCrib({ store: newStore() })
    const added = await crib.add([give])
    await crib.retire('give')
    added.dispose()
    expect(await eventTypes(crib)).toEqual(['tool.declared', 'toolcrib.tool.retired'])
  })
})

it('a tool that was added again is no longer retired for a process that does not have it', async () => {
  const path = temporaryStorePath()
  const first = await openCrib({ store: sqliteStore({ path }), tools: [give] })
  await first.retire('give')
  await first.add([give])
  await first.flush()
  const second = await openCrib({ store: sqliteStore({ path }) })
  const { error } = await second.call(await second.surface({ scope: 'turn' }), { name: 'local.give' })
  expect(error?.error_code).not.toBe('toolcrib.tool_retired')
})
