import { errorTable } from '../../../contract/error-table.js'
import type { ToolResult } from '../../../contract/objects/tool-result.js'
import { isTerminal } from '../../../contract/status-table.js'
import type { InvocationStatus } from '../../../contract/unions.js'
import type { CallView } from '../batch/call-view.js'

const WORDS: Record<InvocationStatus, string> = {
  planned: 'starting',
  selected: 'starting',
  arguments_ready: 'starting',
  pre_hooks_running: 'hooks',
  awaiting_approval: 'waiting',
  approved: 'starting',
  queued: 'queued',
  running: 'running',
  needs_input: 'waiting',
  partial_result: 'running',
  post_hooks_running: 'hooks',
  yielded: 'running',
  succeeded: 'succeeded',
  failed: 'failed',
  timed_out: 'timed out',
  schema_parse_failed: 'refused',
  validation_failed: 'refused',
  denied: 'denied',
  blocked: 'blocked',
  canceled: 'cancelled',
}

/** The longest of them. */
export const STATUS_COLUMNS = 9

/** Where a call is, in one short word or two. */
export function statusWord({ status, isStopping }: Pick<CallView, 'status' | 'isStopping'>): string {
  return isStopping ? 'stopping' : WORDS[status]
}

/** How a call ended, in the word that lists of calls have for it. */
export function endWord({ is_error: isError, error }: ToolResult): string {
  return WORDS[isError && error ? errorTable[error.error_class].invocationStatus : 'succeeded']
}

export function wordOf(status: InvocationStatus): string {
  return WORDS[status]
}

/** How many calls are where: `2 running, 5 succeeded, 1 failed`, in the order of a call's life. */
export function countWords(views: readonly CallView[]): string {
  const counts = new Map([...Object.values(WORDS), 'stopping'].map((word) => [word, 0]))
  for (const view of views) counts.set(statusWord(view), counts.get(statusWord(view))! + 1)
  return [...counts].flatMap(([word, count]) => (count > 0 ? [`${count} ${word}`] : [])).join(', ')
}

/** Whether something happens in it now, rather than being over or waiting for its turn. */
export function isAtWork({ status }: CallView): boolean {
  return status !== 'queued' && !isTerminal(status)
}
