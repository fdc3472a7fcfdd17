import type { ResultStatus } from '../../api/types.js'

/** The results that count as errors; denials and cancellations do not. */
export const ERRORS: readonly ResultStatus[] = ['failed', 'timed_out', 'synthetic_error', 'too_large']
export const DENIALS: readonly ResultStatus[] = ['denied', 'rejected']
export const CANCELED: readonly ResultStatus[] = ['canceled', 'discarded']

interface CallsFilter {
  readonly since: string
  readonly until?: string
  readonly tool?: string
  readonly source?: string
  readonly results?: readonly ResultStatus[]
}

/** The list of the calls behind a number. */
export function callsLink({ since, until, tool, source, results }: CallsFilter): string {
  const query = new URLSearchParams({ since })
  if (until !== undefined) query.set('until', until)
  if (tool !== undefined) query.set('tool', tool)
  if (source !== undefined) query.set('source', source)
  if (results !== undefined) query.set('result_status', results.join(','))
  return `/calls?${query.toString()}`
}
