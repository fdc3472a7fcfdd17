import { createHash } from 'node:crypto'
import type { ToolEvent } from '../../contract/objects/tool-event.js'
import { canonicalJson } from '../../platform/json/canonical-json.js'

/** Computes the digest of a list of events, event by event. */
export interface EventsDigest {
  add(event: ToolEvent): void
  /** How many characters were digested so far. */
  readonly length: number
  /** SHA-256 in hex; ends the digest. */
  hex(): string
}

/** The digest of the canonical JSON of the list. Cursors are left out: a restored event has another one. */
export function createEventsDigest(): EventsDigest {
  const hash = createHash('sha256')
  let length = 0
  return {
    add(event) {
      const text = canonicalJson(withoutCursor(event))
      hash.update(length === 0 ? '[' : ',').update(text)
      length += text.length + 1
    },
    get length() {
      return length
    },
    hex: () => hash.update(length === 0 ? '[]' : ']').digest('hex'),
  }
}

/** The `content_sha256` of a call with these events, as `crib.events({ invocation })` gives them. */
export function digestEvents(events: Iterable<ToolEvent>): string {
  const digest = createEventsDigest()
  for (const event of events) digest.add(event)
  return digest.hex()
}

function withoutCursor(event: ToolEvent): ToolEvent {
  if (event.toolcrib === undefined) return event
  const { cursor: _, ...own } = event.toolcrib
  return { ...event, toolcrib: own }
}
