import { isoTime } from '../../foundation/contract/iso-time.js'
import type { ToolProgress } from '../../foundation/contract/objects/tool-progress.js'
import { SCHEMA_VERSION, type ProgressStatus } from '../../foundation/contract/unions.js'
import { toJson } from '../../foundation/json/to-json.js'
import { scrubText, scrubValue } from '../../foundation/redaction/scrub.js'
import { eventCount } from '../../foundation/stores/event-list.js'
import type { ProgressUpdate } from '../../supply/catalog/execute-context.js'
import { record, type CallRun } from './call-run.js'
import type { CallState } from './call-state.js'

/** Keeps one step of a call's progress; its sequence is its place among all events of the call. */
export function recordProgress(
  run: CallRun,
  call: CallState,
  update: ProgressUpdate,
  status: ProgressStatus = 'running',
): void {
  record(run, 'tool.invocation.progress', { progress: progressOf(run, call, update, status) })
}

export function progressOf(
  run: CallRun,
  call: CallState,
  update: ProgressUpdate,
  status: ProgressStatus,
): ToolProgress {
  const now = run.world.now()
  const sequence = run.handedOver + eventCount(run.events) + 1
  const progress: ToolProgress = {
    schema_version: SCHEMA_VERSION,
    progress_id: `prog_${call.invocationId}_${sequence}`,
    invocation_id: call.invocationId,
    sequence,
    status,
    timestamp: isoTime(now),
  }
  if (call.startedAt !== undefined) progress.elapsed_ms = Math.max(0, Math.round(now - call.startedAt))
  if (typeof update.message === 'string') progress.message = scrubText(update.message, run.secrets)
  if (Number.isFinite(update.percent)) progress.percent = Math.min(100, Math.max(0, update.percent!))
  if (typeof update.current_step === 'string')
    progress.current_step = scrubText(update.current_step, run.secrets)
  if (typeof update.task_id === 'string') progress.task_id = scrubText(update.task_id, run.secrets)
  for (const field of ['total_steps', 'bytes_read', 'bytes_written', 'line_count'] as const) {
    if (Number.isInteger(update[field])) progress[field] = update[field]
  }
  const artifactRefs = Array.isArray(update.artifact_refs) ? toJson(update.artifact_refs) : undefined
  if (artifactRefs) progress.artifact_refs = scrubValue(artifactRefs, run.secrets)
  return progress
}
