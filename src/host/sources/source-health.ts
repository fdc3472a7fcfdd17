import { isoTime } from '../../contract/iso-time.js'
import { withoutUndefined } from '../../platform/json/without-undefined.js'
import type { Crib } from '../../crib/crib.js'
import type { SourceStatistics } from '../../crib/statistics/statistics-query.js'
import { sourceKinds } from '../../sources/kinds.js'
import { setupGaps } from '../../sources/setup-gaps.js'
import type { SetupGap, SourceStatus } from '../../sources/source.js'
import type { OpenedSources } from './open-configured-sources.js'
import { reasonText } from './reason-text.js'

/** A source, its state, and how its calls of the last day went. As the HTTP API gives it. */
export interface SourceHealth {
  readonly name: string
  /** The name of its entry in the config. */
  readonly entry: string
  /** The key of the config that the entry is under, such as `mcpServers`. */
  readonly kind: string
  readonly state: SourceStatus['state']
  readonly problem?: string
  readonly tools: number
  readonly next_retry_at?: string
  readonly restarts?: number
  readonly latency_ms?: { readonly p50: number; readonly p95: number }
  readonly calls: number
  readonly errors: number
  readonly last_error?: {
    readonly at: string
    readonly invocation_id: string
    readonly error_class?: string
    /** Absent where the record of the call was deleted. */
    readonly message?: string
  }
  readonly requires_setup?: readonly SetupGap[]
}

/** A source of the config and its current status. */
export interface StatedSource {
  readonly name: string
  readonly entry: string
  readonly kind: string
  /** Undefined where the crib has not opened it yet. */
  readonly status: SourceStatus | undefined
}

export function sourceStatuses(
  crib: Pick<Crib, 'sources'>,
  opened: Pick<OpenedSources, 'of'>,
): StatedSource[] {
  const listed = new Map(crib.sources().map((status) => [status.name, status]))
  return sourceKinds().flatMap((kind) => {
    const made = opened.of(kind)
    const own = new Map(made?.status?.().map((status) => [status.name, status]))
    return (made?.sources ?? []).map((source) => ({
      name: source.name,
      entry: source.entry ?? source.name,
      kind: kind.key,
      // What a kind knows itself is more than whether the list could be read.
      status: own.get(source.name) ?? listed.get(source.name),
    }))
  })
}

/** The sources of a crib that a program opened: they have no config. */
export function openedSources(crib: Pick<Crib, 'sources'>): StatedSource[] {
  return crib.sources().map((status) => ({ name: status.name, entry: status.name, kind: 'source', status }))
}

/** The health of sources, by the numbers of one tenant. */
export async function sourceHealth(
  crib: Pick<Crib, 'tools' | 'statistics' | 'result'>,
  stated: readonly StatedSource[],
  tenant: string,
): Promise<SourceHealth[]> {
  const { by_source: counted } = await crib.statistics({ tenant })
  return Promise.all(
    stated.map(async ({ status, ...about }) => ({
      ...about,
      ...stateOf(status),
      ...(await numbersOf(
        crib,
        tenant,
        counted.find(({ source }) => source === about.name),
      )),
      ...setupOf(crib, about.name),
    })),
  )
}

function stateOf(
  status: SourceStatus | undefined,
): Pick<SourceHealth, 'state' | 'problem' | 'tools' | 'next_retry_at' | 'restarts'> {
  if (!status) return { state: 'connecting', tools: 0 }
  const { state, tools, restarts } = status
  const retryAt = status.state === 'failed' ? status.nextRetryAt : undefined
  return withoutUndefined({
    state,
    tools,
    restarts,
    problem: problemOf(status),
    next_retry_at: retryAt === undefined ? undefined : isoTime(retryAt),
  })
}

function problemOf(status: SourceStatus): string | undefined {
  switch (status.state) {
    case 'failed':
      return reasonText(status.problem, status.said)
    case 'connecting':
      return status.said
    case 'ready':
    case 'disabled':
      return undefined
  }
}

/** The message of the last error is read from the record of its call, which may be deleted. */
async function numbersOf(
  crib: Pick<Crib, 'result'>,
  tenant: string,
  numbers: SourceStatistics | undefined,
): Promise<Pick<SourceHealth, 'calls' | 'errors' | 'latency_ms' | 'last_error'>> {
  if (!numbers) return { calls: 0, errors: 0 }
  const { calls, errors, p50_ms: p50, p95_ms: p95, last_error: last } = numbers
  const result = last && (await crib.result(last.invocation_id, { tenant }))
  return {
    calls,
    errors,
    ...(p50 !== undefined && p95 !== undefined && { latency_ms: { p50, p95 } }),
    ...(last && { last_error: withoutUndefined({ ...last, message: result?.error?.message }) }),
  }
}

function setupOf(crib: Pick<Crib, 'tools'>, name: string): Pick<SourceHealth, 'requires_setup'> {
  const drafts = crib.tools().flatMap(({ source, draft }) => (source === name ? [draft] : []))
  const gaps = setupGaps(drafts)
  return gaps.length > 0 ? { requires_setup: gaps } : {}
}
