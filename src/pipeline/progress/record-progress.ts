import { isoTime } from '../../contract/iso-time.js'
import type { ToolProgress } from '../../contract/objects/tool-progress.js'
import { SCHEMA_VERSION, type ProgressStatus } from '../../contract/unions.js'
import { truncate } from '../../platform/text/truncate.js'
import { progressIdOf } from '../../storage/journal/project-progress.js'
import { cleanText, cleanValue } from '../secrets/clean.js'
import { eventCount } from '../../storage/event-list.js'
import { record } from '../record.js'
import type { CallRun } from '../call-run.js'
import type { CallState } from '../call-state.js'
import type { ReportedProgress } from './read-progress.js'

/** Records one progress report; its sequence counts all events of the call. */
export function recordProgress(
  run: CallRun,
  call: Pick<CallState, 'invocationId' | 'startedAt'>,
  reported: ReportedProgress,
  status: ProgressStatus = 'running',
): ToolProgress {
  const progress = progressOf(run, call, reported, status)
  record(run, 'tool.invocation.progress', { progress })
  return progress
}

export function progressOf(
  run: CallRun,
  { invocationId, startedAt }: Pick<CallState, 'invocationId' | 'startedAt'>,
  reported: ReportedProgress,
  status: ProgressStatus,
): ToolProgress {
  const now = run.ports.now()
  const sequence = run.handedOver + eventCount(run.events) + 1
  const progress: ToolProgress = {
    schema_version: SCHEMA_VERSION,
    progress_id: progressIdOf(invocationId, sequence),
    invocation_id: invocationId,
    sequence,
    status,
    timestamp: isoTime(now),
  }
  if (startedAt !== undefined) progress.elapsed_ms = Math.max(0, Math.round(now - startedAt))
  Object.assign(progress, reported)
  if (reported.task_id !== undefined) progress.task_id = cleanText(reported.task_id, run)
  for (const field of ['message', 'current_step'] as const) {
    const text = reported[field]
    // Redacted before it is truncated: half a secret would not be recognized.
    if (text !== undefined) progress[field] = truncate(cleanText(text, run), MAX_TEXT_CHARS)
  }
  // A copy: readers of the record must not change the next report.
  if (reported.toolcrib) progress.toolcrib = { ...reported.toolcrib }
  if (reported.artifact_refs) progress.artifact_refs = cleanValue(reported.artifact_refs, run)
  return progress
}

const MAX_TEXT_CHARS = 4_000
