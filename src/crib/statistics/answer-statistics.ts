import { isoTime } from '../../contract/iso-time.js'
import {
  emptyToolTotals,
  emptyTotals,
  mergeToolTotals,
  mergeTotals,
  toolTotalsIn,
  type Bucket,
  type ToolTotals,
  type Totals,
} from './bucket.js'
import { DAY_MS, HOUR_MS, keptSince, levels, MINUTE_MS, startOf, type CountedLog } from './counted-log.js'
import { quantileOf } from './histogram.js'
import type {
  SourceStatistics,
  Statistics,
  StatisticsNumbers,
  StatisticsPoint,
  ToolStatistics,
} from './statistics-query.js'

/** A span in whole steps, and the length of the buckets that it is read from. */
export interface StatisticsRange {
  readonly since: number
  readonly until: number
  readonly stepMs: number
  readonly bucketMs: number
}

const NICE_STEPS_MS = [
  ...[1, 5, 10, 15, 30].map((minutes) => minutes * MINUTE_MS),
  ...[1, 3, 6, 12].map((hours) => hours * HOUR_MS),
  ...[1, 7, 30].map((days) => days * DAY_MS),
]
const USUAL_POINTS = 120
const MOST_POINTS = 3000

/** Old times are known by the hour or by the day only: the steps are then longer than asked. */
export function rangeOf(
  { since, until, stepMs: asked }: { since: number; until: number; stepMs: number | undefined },
  now: number,
): StatisticsRange {
  if (!(since < until)) throw new TypeError('"since" must be before "until".')
  const { lengthMs } = levels.find(({ keptMs }) => since >= keptSince(keptMs, now)) ?? levels.at(-1)!
  const step =
    asked ?? NICE_STEPS_MS.find((ms) => (until - since) / ms <= USUAL_POINTS) ?? NICE_STEPS_MS.at(-1)!
  const stepMs = Math.ceil(Math.max(step, lengthMs) / lengthMs) * lengthMs
  if ((until - since) / stepMs > MOST_POINTS) {
    const least = Math.ceil((until - since) / MOST_POINTS / MINUTE_MS) * MINUTE_MS
    throw new TypeError(`That are more than ${MOST_POINTS} steps; ask for steps of ${least} ms or more.`)
  }
  return { since: startOf(stepMs, since), until, stepMs, bucketMs: lengthMs }
}

/** The tool of the catalog, unless it is gone. */
type ToolOf = (toolId: string) => { readonly qualifiedName: string; readonly source: string } | undefined

/** The answer from the buckets of a range. */
export function answerStatistics(
  counted: Pick<CountedLog, 'buckets'>,
  range: StatisticsRange,
  toolOf: ToolOf,
): Omit<Statistics, 'is_complete'> {
  const totals = emptyTotals()
  const points: StatisticsPoint[] = []
  const tools = new Map<string, ToolTotals>()
  for (let at = range.since; at < range.until; at += range.stepMs) {
    const step = emptyTotals()
    for (const bucket of bucketsOf(counted, { ...range, since: at, until: at + range.stepMs }))
      mergeTotals(step, bucket.totals)
    mergeTotals(totals, step)
    points.push({ at: isoTime(at), ...numbersOf(step) })
  }
  const until = Math.max(range.until, range.since + points.length * range.stepMs)
  for (const bucket of bucketsOf(counted, { ...range, until }))
    for (const [toolId, tool] of bucket.tools) mergeToolTotals(toolTotalsIn({ tools }, toolId), tool)
  return {
    since: isoTime(range.since),
    until: isoTime(range.until),
    step_ms: range.stepMs,
    points,
    totals: numbersOf(totals),
    by_tool: byTool(tools, toolOf),
    by_source: bySource(tools, toolOf),
  }
}

/** The buckets of a span, each as long as possible. Shorter ones than those of the range are only known later. */
function* bucketsOf(
  counted: Pick<CountedLog, 'buckets'>,
  { since, until, bucketMs }: Pick<StatisticsRange, 'since' | 'until' | 'bucketMs'>,
): Generator<Bucket, void, void> {
  for (let at = since; at < until;) {
    const { lengthMs } =
      levels.findLast(({ lengthMs: ms }) => at % ms === 0 && at + ms <= until && ms >= bucketMs) ??
      levels.find(({ lengthMs: ms }) => ms === bucketMs)!
    for (const [, bucket] of counted.buckets(lengthMs, at, at + lengthMs)) yield bucket
    at += lengthMs
  }
}

function numbersOf(totals: Totals): StatisticsNumbers {
  const { calls, errors, denials, canceled, approvals, tokensSaved, latency, queueWait, personWait } = totals
  const p95 = quantileOf(latency, 0.95)
  const waited = quantileOf(queueWait, 0.95)
  const waitedForPeople = quantileOf(personWait, 0.95)
  return {
    calls,
    errors,
    denials,
    canceled,
    approvals,
    ...(p95 !== undefined && {
      p50_ms: quantileOf(latency, 0.5)!,
      p95_ms: p95,
      p99_ms: quantileOf(latency, 0.99)!,
    }),
    ...(waited !== undefined && { wait_ms_p95: waited }),
    ...(waitedForPeople !== undefined && { person_wait_ms_p95: waitedForPeople }),
    tokens_saved: tokensSaved,
  }
}

function byTool(tools: ReadonlyMap<string, ToolTotals>, toolOf: ToolOf): ToolStatistics[] {
  return [...tools]
    .map(([toolId, tool]) => {
      const known = toolOf(toolId)
      return {
        tool_id: toolId,
        ...(known && { tool_name: known.qualifiedName, source: known.source }),
        ...groupOf(tool),
      }
    })
    .sort((a, b) => b.calls - a.calls || (a.tool_id < b.tool_id ? -1 : 1))
}

function bySource(tools: ReadonlyMap<string, ToolTotals>, toolOf: ToolOf): SourceStatistics[] {
  const sources = new Map<string, ToolTotals>()
  for (const [toolId, tool] of tools) {
    const source = toolOf(toolId)?.source
    if (source === undefined) continue
    const into = sources.get(source) ?? emptyToolTotals()
    mergeToolTotals(into, tool)
    sources.set(source, into)
  }
  return [...sources]
    .map(([source, totals]) => ({ source, ...groupOf(totals) }))
    .sort((a, b) => b.calls - a.calls || (a.source < b.source ? -1 : 1))
}

function groupOf({
  calls,
  errors,
  denials,
  latency,
  lastError,
}: ToolTotals): Omit<SourceStatistics, 'source'> {
  const p50 = quantileOf(latency, 0.5)
  return {
    calls,
    errors,
    denials,
    ...(p50 !== undefined && { p50_ms: p50, p95_ms: quantileOf(latency, 0.95)! }),
    ...(lastError && {
      last_error: {
        at: isoTime(lastError.at),
        invocation_id: lastError.invocationId,
        ...(lastError.errorClass !== undefined && { error_class: lastError.errorClass }),
      },
    }),
  }
}
