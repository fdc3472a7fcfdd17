import { createHash } from 'node:crypto'
import { isoTime } from '../../contract/iso-time.js'
import type { ToolEvent } from '../../contract/objects/tool-event.js'
import { SCHEMA_VERSION } from '../../contract/unions.js'
import { canonicalJson } from '../../platform/json/canonical-json.js'
import type { EventDraft } from '../event-list.js'
import type { LoggedCall } from '../store.js'
import { completeData, EVENT_SOURCE, eventIdOf } from './complete-event.js'

/** The digest of the canonical JSON of a list of events, without their cursors: a restored event has another one. */
interface TextDigest {
  /** The canonical JSON of the next event. */
  add(text: string): void
  /** How many characters were digested so far. A getter would give each digest a hidden class of its own. */
  length(): number
  /** SHA-256 in hex; ends the digest. */
  hex(): string
}

/** Handing text to the hash costs more than adding to the text. */
const CHARS_AT_ONCE = 65_536

function createTextDigest(): TextDigest {
  const hash = createHash('sha256')
  let text = '['
  let hashed = 0
  return {
    add(event) {
      if (hashed + text.length > 1) text += ','
      text += event
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
  const digest = createTextDigest()
  for (const event of events) digest.add(canonicalJson(withoutCursor(event)))
  return digest.hex()
}

function withoutCursor(event: ToolEvent): ToolEvent {
  if (event.toolcrib === undefined) return event
  const { cursor: _, ...own } = event.toolcrib
  return { ...event, toolcrib: own }
}

/** Computes the same digest of the events of a call, event by event. */
export interface CallDigest extends Omit<TextDigest, 'add'> {
  add(draft: EventDraft, sequence: number): void
}

/**
 * The text of an event is made from its parts, in the order of their names: apart from the data, events of a call differ
 * in little, and sorting all of it takes longer than deleting the call.
 */
export function createCallDigest(call: LoggedCall): CallDigest {
  const { add, length, hex } = createTextDigest()
  const id = JSON.stringify(call.invocationId)
  const beforeTime = `"invocation_id":${id},"schema_version":"${SCHEMA_VERSION}","source":"${EVENT_SOURCE}","subject":${id}`
  const toolId = JSON.stringify(call.toolId)
  return {
    add(draft, sequence) {
      const data = canonicalJson(completeData(draft, call, sequence))
      const eventId = JSON.stringify(eventIdOf(call.invocationId, sequence))
      const ours = `{"sequence":${sequence},"stream":${id}}`
      add(
        `{"data":${data},"event_id":${eventId},"event_type":"${draft.type}",${beforeTime},` +
          `"time":"${isoTime(draft.at)}","tool_id":${toolId},"toolcrib":${ours}}`,
      )
    },
    length,
    hex,
  }
}
