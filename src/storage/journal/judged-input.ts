import { eventAt, eventCount } from '../event-list.js'
import type { LoggedChunk } from '../store.js'

/**
 * The input of a call that was judged last, masked as it is recorded; of a call that was never judged, its last input.
 * Faster than all records of the call.
 */
export function judgedInput(chunks: readonly LoggedChunk[]): unknown {
  let last: unknown
  let judged: { input: unknown } | undefined
  for (const { events, baseTime } of chunks) {
    for (let index = 0; index < eventCount(events); index++) {
      const { type, data } = eventAt(events, index, baseTime)
      const has = (data ?? {}) as Record<string, unknown>
      if (type === 'tool.invocation.planned') last = has['model_input']
      else if (type === 'toolcrib.invocation.input_changed') last = has['input']
      else if (type === 'tool.permission.requested' || type === 'tool.permission.decided')
        judged = { input: last }
    }
  }
  return judged ? judged.input : last
}
