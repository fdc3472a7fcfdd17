import type { LateAnswer, LateOutcome } from '../../sources/source.js'
import { eventAt, eventCount, toEventList, type EventDraft } from '../../storage/event-list.js'
import type { Journal } from '../../storage/journal/journal.js'
import type { LoggedChunk } from '../../storage/store.js'
import { countEvents } from '../recovery/close-call.js'

/** A longer answer is kept as the beginning of its text. */
const MAX_ANSWER_CHARS = 256 * 1024
/** Of one call. A service that answers on and on must not fill the store. */
const MAX_ANSWERS = 20

export interface LateRecord {
  readonly tenant: string
  readonly invocationId: string
  readonly now: number
  /** Without secrets. */
  readonly late: LateAnswer
}

/** Adds an answer to the record of a call that has ended, whichever process ran it. */
export async function recordLate(
  journal: Pick<Journal, 'store' | 'flush' | 'durable'>,
  { tenant, invocationId, now, late }: LateRecord,
): Promise<LateOutcome> {
  const { store } = journal
  await journal.flush()
  for (;;) {
    const row = await store.getCall(tenant, invocationId)
    if (!row) return 'unknown'
    if (row.owner !== undefined) return 'open'
    const chunks = await store.readStream(tenant, invocationId)
    const known = chunks.flatMap(lateIds)
    if (known.includes(late.message_id) || known.length >= MAX_ANSWERS) return 'recorded'
    const event: EventDraft = { type: 'toolcrib.result.late_answer', at: now, data: bounded(late) }
    const { conflictingCalls } = await store.write({
      calls: [
        {
          row: { ...row, revision: row.revision + 1 },
          firstSequence: countEvents(chunks) + 1,
          events: toEventList([event], row.createdAt),
        },
      ],
    })
    // Otherwise another process wrote to the call meanwhile, and what it wrote comes first.
    if (conflictingCalls.length > 0) continue
    await journal.durable()
    return 'recorded'
  }
}

/** Of the answers that are recorded already: queues may deliver a message twice. */
function lateIds({ events, baseTime }: LoggedChunk): string[] {
  const ids: string[] = []
  for (let index = 0; index < eventCount(events); index++) {
    const { type, data } = eventAt(events, index, baseTime)
    if (type === 'toolcrib.result.late_answer') ids.push((data as LateAnswer).message_id)
  }
  return ids
}

function bounded({ message_id, answer }: LateAnswer): object {
  const text = JSON.stringify(answer) ?? 'null'
  if (text.length <= MAX_ANSWER_CHARS) return { message_id, answer }
  return { message_id, answer: text.slice(0, MAX_ANSWER_CHARS), cut_to: MAX_ANSWER_CHARS }
}
