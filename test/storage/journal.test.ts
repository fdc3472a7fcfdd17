import { expect, it } from 'vitest'
import { createJournal, type CallEntry } from '../../src/storage/journal/journal.js'
import { eventCount } from '../../src/storage/event-list.js'
import { memoryStore } from '../../src/storage/memory/memory-store.js'
import type { Store, WriteGroup } from '../../src/storage/store.js'
import { memoryStoreWithGaps } from './store-with-gaps.js'

/** A store that responds later and sometimes fails instead of writing or after having written. */
function farAway(inner: Store): Store {
  let count = 0
  return {
    ...inner,
    async write(group) {
      await new Promise(setImmediate)
      const turn = ++count % 7
      if (turn === 3) throw new Error('lost on the way')
      const outcome = await inner.write(group)
      if (turn === 5) throw new Error('the answer was lost')
      return outcome
    },
  }
}

it.each([
  ['', memoryStore],
  [' with gaps in its positions', memoryStoreWithGaps],
])('a journal writes each fact once and in order, whatever its store%s does', async (_, makeStore) => {
  const inner = makeStore()
  const journal = createJournal({ store: farAway(inner) })
  const entries = Array.from({ length: 20 }, (_, index): CallEntry => ({
    row: {
      tenant: 't',
      invocationId: `inv_${index}`,
      toolId: 'tool',
      surfaceId: 'surface',
      status: 'running',
      createdAt: 0,
      owner: 'me',
      revision: 0,
    },
    events: [],
    handedOver: 0,
    queued: false,
    isLost: false,
  }))
  const EVENTS = 40
  await Promise.all(
    entries.map(async (entry, index) => {
      for (let n = 1; n <= EVENTS; n++) {
        journal.record(entry, 'tool.invocation.progress', n, { n })
        if ((n + index) % 3 === 0) await journal.flush().catch(() => {})
        else if ((n + index) % 5 === 0) await new Promise(setImmediate)
      }
    }),
  )
  for (let tries = 0; tries < 20; tries++) await journal.flush().catch(() => {})
  await journal.flush()
  for (const { row } of entries) {
    const chunks = await inner.readStream('t', row.invocationId)
    const numbers = chunks.flatMap(({ events }) => events.filter((each) => typeof each === 'object'))
    expect(numbers).toEqual(Array.from({ length: EVENTS }, (_, index) => ({ n: index + 1 })))
    expect(chunks.reduce((sum, { events }) => sum + eventCount(events), 0)).toBe(EVENTS)
  }
  await journal.close()
})

it('a document reaches the store in the group of the facts around it, and also without facts', async () => {
  const inner = memoryStore()
  const groups: WriteGroup[] = []
  const store: Store = {
    ...inner,
    write(group) {
      groups.push({ calls: [...(group.calls ?? [])], documents: [...(group.documents ?? [])] })
      return inner.write(group)
    },
  }
  const journal = createJournal({ store })
  const entry: CallEntry = {
    row: {
      tenant: 't',
      invocationId: 'inv_1',
      toolId: 'tool',
      surfaceId: 'surface',
      status: 'planned',
      createdAt: 0,
      owner: 'me',
      revision: 0,
    },
    events: [],
    handedOver: 0,
    queued: false,
    isLost: false,
  }
  const document = (id: string) => ({ tenant: 't', kind: 'k', id, updatedAt: 0, value: { id } })
  journal.accompany(document('before'))
  journal.record(entry, 'tool.invocation.planned', 1, {})
  journal.accompany(document('after'))
  await journal.flush()
  expect(groups).toHaveLength(1)
  expect(groups[0]!.calls).toHaveLength(1)
  expect(groups[0]!.documents!.map(({ id }) => id)).toEqual(['before', 'after'])
  journal.accompany(document('alone'))
  await journal.flush()
  expect(await inner.getDocument('t', 'k', 'alone')).toMatchObject({ value: { id: 'alone' } })
  await journal.close()
})
