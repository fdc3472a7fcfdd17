import type { ToolEvent } from '../../../contract/objects/tool-event.js'
import { toCursor } from '../../../storage/journal/complete-event.js'
import type { Crib } from '../../../crib/crib.js'

export interface LastEvents {
  events: ToolEvent[]
  /** The position to continue from. */
  cursor: string
}

/**
 * The last matching events, up to a number. Reads backwards in growing steps: the log may be long and the events near
 * its end. Positions may be missing, so that only the start of the log ends the search.
 */
export async function lastEvents(
  crib: Crib,
  { limit, matches }: { limit: number; matches: (event: ToolEvent) => boolean },
): Promise<LastEvents> {
  const end = await crib.store.lastPosition()
  for (let back = Math.max(1_000, limit * 4); ; back *= 8) {
    const from = Math.max(0, end - back)
    const events: ToolEvent[] = []
    let cursor = toCursor(from)
    for await (const event of crib.events({ from: toCursor(from) })) {
      cursor = String(event.toolcrib?.['cursor'])
      if (!matches(event)) continue
      events.push(event)
      if (events.length > limit) events.shift()
    }
    if (events.length >= limit || from === 0) return { events, cursor }
  }
}
