import type { ToolEvent } from '../../foundation/contract/objects/tool-event.js'
import { completeEvent } from '../../foundation/events/complete-event.js'
import { eventAt, eventCount } from '../../foundation/stores/event-list.js'
import type { Crib } from '../../runtime/crib.js'

/** The events of one call, first to last, without reading the rest of the log. */
export async function callEvents(crib: Crib, tenant: string, invocationId: string): Promise<ToolEvent[]> {
  const events: ToolEvent[] = []
  for (const chunk of await crib.store.readStream(tenant, invocationId)) {
    for (let index = 0; index < eventCount(chunk.events); index++) {
      events.push(
        completeEvent(chunk, eventAt(chunk.events, index, chunk.baseTime), {
          sequence: chunk.firstSequence + index,
          position: chunk.position + index,
        }),
      )
    }
  }
  return events
}
