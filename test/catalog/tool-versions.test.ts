import { expect, it } from 'vitest'
import { defineTool, sqliteStore, type FunctionTool } from 'toolcrib'
import { collect, onBothStores, openCrib, temporaryStorePath } from '../scenarios/open-crib.js'

function give(description: string): FunctionTool<unknown, number> {
  return defineTool({ name: 'give', description, execute: () => 1 })
}

onBothStores('the versions of a tool', (newStore) => {
  it('has every version, the newest first, each with what changed', async () => {
    let now = 1000
    const crib = await openCrib({ store: newStore(), clock: () => now })
    const added = await crib.add([give('Gives one.')])
    now = 2000
    await added.replace([give('Gives two.')])
    now = 3000
    const versions = await crib.toolVersions('give')
    expect(versions).toEqual([
      {
        fingerprint: crib.tool('give')!.fingerprint,
        firstSeenAt: 2000,
        lastSeenAt: undefined,
        isCurrent: true,
        diff: {
          changed: ['description'],
          lines: ['description:', '- Gives one.', '+ Gives two.'],
        },
      },
      {
        fingerprint: expect.stringMatching(/^sha256:/) as string,
        firstSeenAt: 1000,
        lastSeenAt: 2000,
        isCurrent: false,
        diff: undefined,
      },
    ])
  })

  it('lists a version once that comes back, as the newest', async () => {
    let now = 1000
    const crib = await openCrib({ store: newStore(), clock: () => now })
    const added = await crib.add([give('Gives one.')])
    now = 2000
    await added.replace([give('Gives two.')])
    now = 3000
    await added.replace([give('Gives one.')])
    const versions = await crib.toolVersions('local.give')
    expect(versions.map(({ isCurrent, lastSeenAt }) => ({ isCurrent, lastSeenAt }))).toEqual([
      { isCurrent: true, lastSeenAt: undefined },
      { isCurrent: false, lastSeenAt: 3000 },
    ])
    expect(versions[0]!.diff!.lines).toContain('+ Gives one.')
  })

  it('keeps the versions of a tool that was removed or retired', async () => {
    let now = 1000
    const crib = await openCrib({ store: newStore(), clock: () => now })
    const added = await crib.add([give('Gives.')])
    now = 2000
    added.dispose()
    expect(await crib.toolVersions('local.give')).toMatchObject([{ isCurrent: false, lastSeenAt: 2000 }])
    await crib.add([give('Gives again.')])
    now = 3000
    await crib.retire('give')
    expect(await crib.toolVersions('local.give')).toMatchObject([{ lastSeenAt: 3000 }, { lastSeenAt: 2000 }])
  })

  it('has the version that a person has to accept once, as soon as it is accepted', async () => {
    let now = 1000
    const crib = await openCrib({ store: newStore(), clock: () => now })
    const blocked = (tool: FunctionTool<unknown, number>) => ({
      ...tool,
      availability: {
        setupProblem: () => ({ code: 'toolcrib.tool_changed' as const, message: 'Accept it first.' }),
      },
    })
    const added = await crib.add([give('Gives one.')])
    const versions = async () =>
      (await crib.toolVersions('give')).map(({ isCurrent, firstSeenAt, diff }) => ({
        isCurrent,
        firstSeenAt,
        lines: diff?.lines,
      }))
    const first = { isCurrent: true, firstSeenAt: 1000, lines: undefined }
    const second = { firstSeenAt: 3000, lines: ['description:', '- Gives one.', '+ Gives two.'] }
    for (const unaccepted of [give('Gives one.'), give('Gives two.')]) {
      now += 500
      await added.replace([blocked(unaccepted)])
      expect(await versions()).toEqual([first])
    }
    await added.replace([give('Gives one.')])
    expect(await versions()).toEqual([first])
    await added.replace([blocked(give('Gives two.'))])
    now = 3000
    await added.replace([give('Gives two.')])
    expect(await versions()).toEqual([
      { isCurrent: true, ...second },
      { ...first, isCurrent: false },
    ])
    const types = (await collect(crib.events())).map(({ event_type: type }) => type)
    expect(types.filter((type) => type.includes('tool.'))).toEqual([
      'tool.declared',
      'toolcrib.tool.blocked',
      'toolcrib.tool.blocked',
      'tool.declared',
      'toolcrib.tool.blocked',
      'tool.declared',
    ])
  })

  it('knows nothing of a tool that was never there', async () => {
    const crib = await openCrib({ store: newStore() })
    expect(await crib.toolVersions('nothing')).toEqual([])
  })
})

it('a version of an earlier process stays, and a change between two processes is one', async () => {
  const path = temporaryStorePath()
  const first = await openCrib({
    store: sqliteStore({ path }),
    tools: [give('Gives one.')],
    clock: () => 1000,
  })
  await first.close()
  const second = await openCrib({
    store: sqliteStore({ path }),
    tools: [give('Gives two.')],
    clock: () => 5000,
  })
  expect(await second.toolVersions('give')).toMatchObject([
    { isCurrent: true, firstSeenAt: 5000, diff: { changed: ['description'] } },
    { isCurrent: false, firstSeenAt: 1000, lastSeenAt: 5000 },
  ])
})
