import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createCrib, sqliteStore } from 'toolcrib'
import { openTemporaryFolder, type TemporaryFolder } from '../temporary-folder.js'
import { eventsOf, makeChunk, positionedLog } from './make-records.js'
import { endChildren, runChild, startChild } from './run-child.js'

const writeGroups = new URL('./children/write-groups.mjs', import.meta.url)
const followEvents = new URL('./children/follow-events.mjs', import.meta.url)
const compareAndSet = new URL('./children/compare-and-set.mjs', import.meta.url)
const openTogether = new URL('./children/open-together.mjs', import.meta.url)
const GROUPS = 200

describe('processes that share one SQLite file', () => {
  let place: TemporaryFolder
  let path: string

  beforeEach(() => {
    place = openTemporaryFolder()
    path = place.file('crib.db')
  })

  afterEach(async () => {
    await endChildren()
    place.remove()
  })

  // Per group: 1 to 4 events of a new call, two of the one before (but for the first), two of a stream.
  const perWriter = (GROUPS / 4) * (1 + 2 + 3 + 4) + 2 * (GROUPS - 1) + 2 * GROUPS

  it('write at once without a gap, and readers get everything once and in order', async () => {
    const store = sqliteStore({ path })
    await store.open()
    await store.write({ chunks: [makeChunk('before', { count: 10, tenant: 'default' })] })
    const total = 10 + 2 * perWriter
    const fromStart = startChild(followEvents, [path, 'start', String(total)])
    await fromStart.said('ready')
    const late = startChild(followEvents, [path, 'p7', String(total - 7)])
    await Promise.all([
      runChild(writeGroups, [path, 'a', String(GROUPS)]),
      runChild(writeGroups, [path, 'b', String(GROUPS)]),
    ]).then((said) =>
      expect(said.map((text) => JSON.parse(text))).toEqual([{ conflicts: 0 }, { conflicts: 0 }]),
    )

    const log = await positionedLog(store, 'default', 50)
    expect(log).toHaveLength(total)
    expect(await store.lastPosition()).toBe(total)
    expect(log.map(({ position }) => position)).toEqual(
      Array.from({ length: total }, (_, index) => index + 1),
    )
    for (const stream of ['a_stream', 'b_stream', 'a_0', 'a_17', 'b_198', 'b_199']) {
      const sequences = (await store.readStream('default', stream)).flatMap((chunk) =>
        eventsOf(chunk).map((_, index) => chunk.firstSequence + index),
      )
      expect(sequences).toEqual(Array.from({ length: sequences.length }, (_, index) => index + 1))
      expect(sequences.length).toBeGreaterThan(0)
    }
    await store.close()

    const expected = log.map(({ event, position }) => `p${position.toString(36)} ${event.replace('#', ' ')}`)
    for (const [reader, from] of [
      [fromStart, 0],
      [late, 7],
    ] as const) {
      const { code, stdout, stderr } = await reader.end
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      expect(JSON.parse(stdout.slice(stdout.indexOf('seen ') + 5))).toEqual(expected.slice(from))
    }
  })

  it('open a new file at the same moment', async () => {
    const startAt = String(Date.now() + 1_200)
    const ends = await Promise.all(
      Array.from({ length: 6 }, () => startChild(openTogether, [place.path, startAt, '25']).end),
    )
    expect(ends.map(({ code, stderr }) => `${code} ${stderr}`)).toEqual(ends.map(() => '0 '))
  })

  it('set a document by compare-and-set: one of two wins each round', async () => {
    const rounds = 150
    const first = sqliteStore({ path })
    await first.open()
    await first.close()
    const [a, b] = (
      await Promise.all([
        runChild(compareAndSet, [path, 'a', String(rounds)]),
        runChild(compareAndSet, [path, 'b', String(rounds)]),
      ])
    ).map((text) => JSON.parse(text) as number[])
    expect([...a!, ...b!].toSorted((x, y) => x - y)).toEqual(Array.from({ length: rounds }, (_, n) => n))
    const store = sqliteStore({ path })
    await store.open()
    expect((await store.getDocument('t', 'k', 'd'))!.revision).toBe(rounds)
    await store.close()
  })

  it('notify a watcher of what another process wrote', async () => {
    const crib = await createCrib({ store: sqliteStore({ path, pollMs: 5 }) })
    const controller = new AbortController()
    const seen: string[] = []
    const following = (async () => {
      for await (const event of crib.events({ follow: true, from: 'now', signal: controller.signal })) {
        seen.push(`${event.subject}#${event.toolcrib!['sequence']}`)
        if (seen.length === 3) controller.abort()
      }
    })()
    await runChild(writeGroups, [path, 'w', '1'])
    await following
    expect(seen).toEqual(['w_0#1', 'w_stream#1', 'w_stream#2'])
    await crib.close()
  })
})
