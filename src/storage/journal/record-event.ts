import { randomUUID } from 'node:crypto'
import { toEventList, type EventDraft } from '../event-list.js'
import type { Store } from '../store.js'

/** Records one event that belongs to no call and no open crib, in a stream of its own. Durable once it resolves. */
export async function recordEvent(
  store: Store,
  { tenant, event }: { tenant: string; event: EventDraft },
): Promise<void> {
  const { at: baseTime } = event
  const events = toEventList([event], baseTime)
  await store.write({
    chunks: [{ tenant, stream: `event_${randomUUID()}`, firstSequence: 1, baseTime, events }],
  })
  await store.sync()
}
