/** Which numbers are asked for. */
export interface StatisticsQuery {
  /** Default: one day before `until`. */
  since?: Date | number
  /** Default: now. */
  until?: Date | number
  /** The length of the steps that `points` has. Default: chosen so that there are about a hundred. */
  stepMs?: number
  /** How long to wait for old calls that are not counted yet. Default: half a second. */
  waitMs?: number
  tenant?: string
}

/** Numbers about calls. A call counts at the time when it ended. */
export interface StatisticsNumbers {
  calls: number
  /** Without denials and cancellations. */
  errors: number
  denials: number
  canceled: number
  /** Approvals that were requested. */
  approvals: number
  /** The time of calls that ran, without their waits. */
  p50_ms?: number
  p95_ms?: number
  p99_ms?: number
  /** How long calls that ran waited for their turn: for locks, limits and slots. */
  wait_ms_p95?: number
  /** How long calls waited for people, of those that had to. */
  person_wait_ms_p95?: number
  /** Tokens that surfaces saved by deferring tools; each surface counts once. */
  tokens_saved: number
}

export interface StatisticsPoint extends StatisticsNumbers {
  at: string
}

interface GroupNumbers {
  calls: number
  errors: number
  denials: number
  p50_ms?: number
  p95_ms?: number
  last_error?: { at: string; invocation_id: string; error_class?: string }
}

export interface ToolStatistics extends GroupNumbers {
  tool_id: string
  /** The qualified name, for people. Absent, like the source, where the tool is no longer in the catalog. */
  tool_name?: string
  source?: string
}

export interface SourceStatistics extends GroupNumbers {
  source: string
}

/** The answer, as the HTTP API gives it. */
export interface Statistics {
  /** The start of the first point: `since`, or a little before it. */
  since: string
  until: string
  step_ms: number
  points: StatisticsPoint[]
  totals: StatisticsNumbers
  /** The most called first. */
  by_tool: ToolStatistics[]
  by_source: SourceStatistics[]
  /** Whether all calls are counted. If not, they are being counted: ask again. */
  is_complete: boolean
}
