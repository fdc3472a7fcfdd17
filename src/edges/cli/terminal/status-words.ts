import { errorTable } from '../../../contract/error-table.js'
import type { ToolResult } from '../../../contract/objects/tool-result.js'
import { isTerminal } from '../../../contract/status-table.js'
import type { ToolcribApproval } from '../../../contract/objects/toolcrib-approval.js'
import { invocationStatuses, type InvocationStatus } from '../../../contract/unions.js'
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
  canceled: 'canceled',
}

/** The length of the longest of them. */
export const STATUS_COLUMNS = 9

/** The status of a call, in one or two short words. */
export function statusWord({ status, isStopping }: Pick<CallView, 'status' | 'isStopping'>): string {
  return isStopping ? 'stopping' : WORDS[status]
}

/** How a call ended, in the word of the lists of calls. */
export function endWord({ is_error: isError, error }: ToolResult): string {
  return WORDS[isError && error ? errorTable[error.error_class].invocationStatus : 'succeeded']
}

export function wordOf(status: InvocationStatus): string {
  return WORDS[status]
}

/** The status of an approval, in the word that its call has in lists. */
export function approvalWord(status: ToolcribApproval['status']): string {
  return status === 'rejected' ? WORDS.denied : status
}

/** Synonyms of the words in lists of calls. */
const SYNONYMS: Readonly<Record<string, string>> = {
  rejected: 'denied',
  cancelled: 'canceled',
  timeout: 'timed out',
  timedout: 'timed out',
  error: 'failed',
  errored: 'failed',
  success: 'succeeded',
  ok: 'succeeded',
  invalid: 'refused',
  pending: 'waiting',
}

/** The statuses of a word: one of the standard's, one that lists of calls print, or a synonym of that. */
export function statusesOf(given: string): InvocationStatus[] {
  const words = given
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, ' ')
  const word = SYNONYMS[words] ?? words
  const printed = invocationStatuses.filter((status) => WORDS[status] === word)
  return printed.length > 0
    ? printed
    : invocationStatuses.filter((status) => status.replaceAll('_', ' ') === word)
}

/** All words that filter calls. */
export function statusNames(): string[] {
  return [...new Set([...Object.values(WORDS), ...invocationStatuses])]
}

/** The number of calls by status: `2 running, 5 succeeded, 1 failed`, in the order of a call's life. */
export function countWords(views: readonly CallView[]): string {
  const counts = new Map([...Object.values(WORDS), 'stopping'].map((word) => [word, 0]))
  for (const view of views) counts.set(statusWord(view), counts.get(statusWord(view))! + 1)
  return [...counts].flatMap(([word, count]) => (count > 0 ? [`${count} ${word}`] : [])).join(', ')
}

/** Whether the call has started and has not ended. */
export function isAtWork({ status }: CallView): boolean {
  return status !== 'queued' && !isTerminal(status)
}
