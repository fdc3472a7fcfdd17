import { mergeHistogram, type Histogram } from './histogram.js'

/** What happened in one span of time. A call counts where it ended. */
export interface Bucket {
  readonly totals: Totals
  readonly tools: Map<string, ToolTotals>
}

export interface Totals {
  calls: number
  errors: number
  denials: number
  canceled: number
  /** Approvals that were requested. */
  approvals: number
  /** Tokens that surfaces saved by deferring tools, once for each surface. */
  tokensSaved: number
  /** Milliseconds of calls that ran, without their waits. */
  readonly latency: Histogram
  /** Milliseconds that calls which ran waited for their turn. */
  readonly queueWait: Histogram
  /** Milliseconds that calls waited for people, of those that had to. */
  readonly personWait: Histogram
}

export interface ToolTotals {
  calls: number
  errors: number
  denials: number
  readonly latency: Histogram
  lastError: LastError | undefined
}

/** Names the call instead of quoting its message: when its record is deleted, nothing of it stays here. */
export interface LastError {
  readonly at: number
  readonly invocationId: string
  readonly errorClass: string | undefined
}

export function emptyBucket(): Bucket {
  return { totals: emptyTotals(), tools: new Map() }
}

export function emptyTotals(): Totals {
  return {
    calls: 0,
    errors: 0,
    denials: 0,
    canceled: 0,
    approvals: 0,
    tokensSaved: 0,
    latency: [],
    queueWait: [],
    personWait: [],
  }
}

/** Together they keep a bucket small, however many tools there are. */
const MAX_TOOLS = 500
/** Stands for the tools beyond them. */
export const OTHER_TOOLS = 'toolcrib.other_tools'

export function toolTotalsIn({ tools }: Pick<Bucket, 'tools'>, given: string): ToolTotals {
  const toolId = tools.has(given) || tools.size < MAX_TOOLS ? given : OTHER_TOOLS
  let found = tools.get(toolId)
  if (!found) tools.set(toolId, (found = emptyToolTotals()))
  return found
}

export function emptyToolTotals(): ToolTotals {
  return { calls: 0, errors: 0, denials: 0, latency: [], lastError: undefined }
}

export function mergeTotals(into: Totals, from: Totals): void {
  into.calls += from.calls
  into.errors += from.errors
  into.denials += from.denials
  into.canceled += from.canceled
  into.approvals += from.approvals
  into.tokensSaved += from.tokensSaved
  mergeHistogram(into.latency, from.latency)
  mergeHistogram(into.queueWait, from.queueWait)
  mergeHistogram(into.personWait, from.personWait)
}

export function mergeToolTotals(into: ToolTotals, from: ToolTotals): void {
  into.calls += from.calls
  into.errors += from.errors
  into.denials += from.denials
  mergeHistogram(into.latency, from.latency)
  if (from.lastError && from.lastError.at >= (into.lastError?.at ?? 0)) into.lastError = from.lastError
}

/** A bucket as it is stored: lists instead of objects, because a document has many of them. */
export type PackedBucket = readonly [totals: PackedTotals, tools: Readonly<Record<string, PackedTool>>]

type PackedTotals = readonly [
  calls: number,
  errors: number,
  denials: number,
  canceled: number,
  approvals: number,
  tokensSaved: number,
  latency: Histogram,
  queueWait: Histogram,
  personWait: Histogram,
]

type PackedTool = readonly [
  calls: number,
  errors: number,
  denials: number,
  latency: Histogram,
  lastError?: readonly [at: number, invocationId: string, errorClass: string | null],
]

export function packBucket({ totals, tools }: Bucket): PackedBucket {
  return [
    [
      totals.calls,
      totals.errors,
      totals.denials,
      totals.canceled,
      totals.approvals,
      totals.tokensSaved,
      [...totals.latency],
      [...totals.queueWait],
      [...totals.personWait],
    ],
    Object.fromEntries([...tools].map(([toolId, tool]) => [toolId, packTool(tool)])),
  ]
}

function packTool({ calls, errors, denials, latency, lastError: last }: ToolTotals): PackedTool {
  const histogram = [...latency]
  if (!last) return [calls, errors, denials, histogram]
  return [calls, errors, denials, histogram, [last.at, last.invocationId, last.errorClass ?? null]]
}

export function unpackBucket([totals, tools]: PackedBucket): Bucket {
  const [calls, errors, denials, canceled, approvals, tokensSaved, latency, queueWait, personWait] = totals
  return {
    totals: {
      calls,
      errors,
      denials,
      canceled,
      approvals,
      tokensSaved,
      latency: [...latency],
      queueWait: [...queueWait],
      personWait: [...personWait],
    },
    tools: new Map(Object.entries(tools).map(([toolId, tool]) => [toolId, unpackTool(tool)])),
  }
}

function unpackTool([calls, errors, denials, latency, last]: PackedTool): ToolTotals {
  const lastError = last && { at: last[0], invocationId: last[1], errorClass: last[2] ?? undefined }
  return { calls, errors, denials, latency: [...latency], lastError }
}
