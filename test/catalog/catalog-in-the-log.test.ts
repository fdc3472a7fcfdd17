import { expect, it } from 'vitest'
import { defineTool, sqliteStore, type Crib } from 'toolcrib'
import { collect, onBothStores, openCrib, temporaryStorePath } from '../scenarios/open-crib.js'

const give = defineTool({ name: 'give', description: 'Gives.', execute: () => 1 })

/** What the log says of the tool, in order. */
async function told(crib: Crib): Promise<string[]> {
  const types = ['tool.declared', 'toolcrib.tool.removed', 'toolcrib.tool.retired']
  return (await collect(crib.events()))
    .map(({ event_type: type }) => type)
    .filter((type) => types.includes(type))
}

onBothStores('the log’s view of the catalog', (newStore) => {
  it('a tool that was taken out and came back is declared again', async () => {
    const crib = await openCrib({ store: newStore() })
    const added = await crib.add([give])
    added.dispose()
    await crib.add([give])
    expect(await told(crib)).toEqual(['tool.declared', 'toolcrib.tool.removed', 'tool.declared'])
  })

  it('a tool that was retired and came back is declared again', async () => {
    const crib = await openCrib({ store: newStore(), tools: [give] })
    await crib.retire('give')
    await crib.add([give])
    expect(await told(crib)).toEqual(['tool.declared', 'toolcrib.tool.retired', 'tool.declared'])
  })

  it('a tool is taken out once, however often that is asked for', async () => {
    const crib = await openCrib({ store: newStore() })
    const added = await crib.add([give])
    added.dispose()
    added.dispose()
    expect(await told(crib)).toEqual(['tool.declared', 'toolcrib.tool.removed'])
  })

  it('a tool that was retired is not taken out as well', async () => {
    const crib = await openCrib({ store: newStore() })
    const added = await crib.add([give])
    await crib.retire('give')
    added.dispose()
    expect(await told(crib)).toEqual(['tool.declared', 'toolcrib.tool.retired'])
  })
})

it('a tool that came back is no longer retired for a process that does not have it', async () => {
  const path = temporaryStorePath()
  const first = await openCrib({ store: sqliteStore({ path }), tools: [give] })
  await first.retire('give')
  await first.add([give])
  await first.flush()
  const second = await openCrib({ store: sqliteStore({ path }) })
  const { error } = await second.call(await second.surface({ scope: 'turn' }), { name: 'local.give' })
  expect(error?.error_code).not.toBe('toolcrib.tool_retired')
})
