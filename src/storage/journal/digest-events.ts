import { createHash } from 'node:crypto'
import type { ToolEvent } from '../../contract/objects/tool-event.js'
import { canonicalJson } from '../../platform/json/canonical-json.js'

/** Computes the digest of a list of events, event by event. */
export interface EventsDigest {
  add(event: ToolEvent): void
  /** How many characters were digested so far. A getter would give each digest a hidden class of its own. */
  length(): number
  /** SHA-256 in hex; ends the digest. */
  hex(): string
}

/** Handing text to the hash costs more than adding to the text. */
const CHARS_AT_ONCE = 65_536

/** The digest of the canonical JSON of the list. Cursors are left out: a restored event has another one. */
export function createEventsDigest(): EventsDigest {
  const hash = createHash('sha256')
  let text = '['
  let hashed = 0
  return {
    add(event) {
      if (hashed + text.length > 1) text += ','
      text += canonicalJson(withoutCursor(event))
      if (text.length < CHARS_AT_ONCE) return
      hash.update(text)
      hashed += text.length
      text = ''
    },
    length: () => hashed + text.length,
    hex: () => hash.update(`${text}]`).digest('hex'),
  }
}

/** The `content_sha256` of a call with these events, as `crib.events({ invocation })` gives them. */
export function digestEvents(events: Iterable<ToolEvent>): string {
  const digest = createEventsDigest()
  for (const event of events) digest.add(event)
  return digest.hex()
}

function withoutCursor(event: ToolEvent): ToolEvent {
  if (event.toolcrib?.['cursor'] === undefined) return event
  const { cursor: _, ...own } = event.toolcrib
  return { ...event, toolcrib: own }
}
