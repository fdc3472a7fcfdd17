import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { createCrib, defineTool, memoryStore, type Crib } from 'toolcrib'
import { lastEvents } from '../../src/edges/cli/record/last-events.js'
import type { LoggedEvent } from '../../src/storage/journal/complete-chunk.js'
import type { Store } from '../../src/storage/store.js'
import { openTemporaryFolder } from '../temporary-folder.js'
import { memoryStoreWithGaps, sqliteStoreWithGaps } from './store-with-gaps.js'

const place = openTemporaryFolder()
let files = 0
afterAll(place.remove)

const stores: [string, () => Store][] = [
  ['memory', () => memoryStore()],
  ['memory, whose positions have gaps', memoryStoreWithGaps],
  ['sqlite, whose positions have gaps', () => sqliteStoreWithGaps(place.file(`${files++}.db`))],
]

describe.each(stores)('reading events of a store: %s', (_, makeStore) => {
  let crib: Crib | undefined

  afterEach(async () => {
    await crib?.close()
    crib = undefined
  })

  async function openWithCalls(count: number): Promise<{ crib: Crib; call(): Promise<void> }> {
    const hello = defineTool({ name: 'hello', description: 'Says hello.', execute: () => 'hello' })
    crib = await createCrib({
      store: makeStore(),
      tools: [hello],
      decider: () => ({ behavior: 'allow' }),
    })
    const surface = await crib.surface({ scope: 'turn' })
    const call = async (): Promise<void> => {
      await crib!.call(surface, { name: 'hello' })
      await crib!.flush()
    }
    for (let n = 0; n < count; n++) await call()
    return { crib, call }
  }

  const all = async (from?: string): Promise<LoggedEvent[]> => {
    const events: LoggedEvent[] = []
    for await (const event of crib!.events(from === undefined ? {} : { from })) events.push(event)
    return events
  }

  it('continues after any event without missing or repeating one', async () => {
    await openWithCalls(8)
    const events = await all()
    expect(events.length).toBeGreaterThan(20)
    for (const [index, { toolcrib }] of events.entries())
      expect(await all(toolcrib.cursor)).toEqual(events.slice(index + 1))
    expect(await all('now')).toEqual([])
  })

  it('follows later events, from the end and from a cursor', async () => {
    const { call } = await openWithCalls(2)
    const before = await all()
    const controller = new AbortController()
    const { signal } = controller
    const follow = async (from: string, results: number): Promise<string[]> => {
      const seen: string[] = []
      let left = results
      for await (const event of crib!.events({ from, follow: true, signal })) {
        seen.push(event.event_id)
        if (event.event_type === 'tool.result.created' && --left === 0) break
      }
      return seen
    }
    const fromNow = follow('now', 3)
    const middle = before[3]!.toolcrib.cursor
    const earlier = before.slice(4).filter(({ event_type: type }) => type === 'tool.result.created').length
    const fromMiddle = follow(middle, earlier + 3)
    for (let n = 0; n < 3; n++) {
      await new Promise(setImmediate)
      await call()
    }
    const ids = (await all()).map(({ event_id: id }) => id)
    const upTo = ids.indexOf((await fromNow).at(-1)!) + 1
    expect(await fromNow).toEqual(ids.slice(before.length, upTo))
    expect(await fromMiddle).toEqual(ids.slice(4, upTo))
    controller.abort()
  })

  it('finds the last events and where to continue', async () => {
    await openWithCalls(5)
    const events = await all()
    for (const limit of [1, 3, events.length, events.length + 5]) {
      const last = await lastEvents(crib!, { limit, matches: () => true })
      expect(last.events).toEqual(events.slice(-limit))
      expect(await all(last.cursor)).toEqual([])
    }
    const isResult = ({ event_type: type }: { event_type: string }) => type === 'tool.result.created'
    expect((await lastEvents(crib!, { limit: 4, matches: isResult })).events).toEqual(
      events.filter(isResult).slice(-4),
    )
  })
})
