/** A position in a distributed trace, with the names of the standard. */
export interface TraceRef {
  readonly trace_id: string
  readonly span_id: string
}

const TRACE_PARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/
const NO_ID = /^0+$/

/** Reads a `traceparent` of W3C Trace Context. By its rules, an invalid value counts as absent. */
export function parseTraceParent(given: unknown): TraceRef | undefined {
  const match = typeof given === 'string' ? TRACE_PARENT.exec(given) : null
  if (!match) return undefined
  const [, version, traceId = '', spanId = '', more] = match
  // Later versions may add fields; the first version has exactly these.
  const isKnown = version !== 'ff' && (version !== '00' || more === undefined)
  if (!isKnown || NO_ID.test(traceId) || NO_ID.test(spanId)) return undefined
  return { trace_id: traceId, span_id: spanId }
}
