import { request } from './http.js'

// Numbers about calls over time, and the health of the sources.

/** Numbers of a span of time. A call counts when it ends. */
export interface CallNumbers {
  readonly calls: number
  /** Without denials and cancellations. */
  readonly errors: number
  readonly denials: number
  readonly canceled: number
  readonly approvals: number
  readonly p50_ms?: number
  readonly p95_ms?: number
  readonly p99_ms?: number
  readonly wait_ms_p95?: number
  readonly person_wait_ms_p95?: number
  readonly tokens_saved: number
}

export interface GroupNumbers {
  readonly calls: number
  readonly errors: number
  readonly denials?: number
  readonly p50_ms?: number
  readonly p95_ms?: number
}

export interface Statistics {
  readonly since: string
  readonly until: string
  readonly step_ms: number
  readonly points: readonly (CallNumbers & { readonly at: string })[]
  readonly totals: CallNumbers
  readonly by_tool: readonly (GroupNumbers & {
    readonly tool_id: string
    readonly tool_name?: string
    readonly source?: string
  })[]
  readonly by_source: readonly (GroupNumbers & { readonly source: string })[]
  /** Absent calls are still being counted. */
  readonly is_complete: boolean
}

export interface SourceHealth {
  readonly name: string
  readonly entry: string
  /** The key of the config that the entry is under. */
  readonly kind: string
  readonly state: 'ready' | 'connecting' | 'failed' | 'disabled'
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
    readonly message?: string
  }
  readonly requires_setup?: readonly { readonly tools: number; readonly message: string }[]
}

export interface Sources {
  readonly items: readonly SourceHealth[]
  /** Only where the config is not trusted as it is now. */
  readonly untrusted?: { readonly message: string; readonly command: string }
}

export const getStatistics = (
  query: { since?: string; until?: string; step_ms?: number },
  signal?: AbortSignal,
): Promise<Statistics> => request('/statistics', { query, signal })

export const listSources = (signal?: AbortSignal): Promise<Sources> => request('/sources', { signal })
