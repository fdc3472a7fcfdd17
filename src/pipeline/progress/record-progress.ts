import { isoTime } from '../../contract/iso-time.js'
import type { ToolProgress } from '../../contract/objects/tool-progress.js'
import { SCHEMA_VERSION, type ProgressStatus } from '../../contract/unions.js'
import { progressIdOf } from '../../storage/journal/project-progress.js'
import { cleanText, cleanValue } from '../secrets/clean.js'
import { eventCount } from '../../storage/event-list.js'
import { record, type CallRun } from '../call-run.js'
import type { CallState } from '../call-state.js'
import type { SaidProgress } from './read-progress.js'

/** Keeps one step of a call's progress; its sequence is its place among all events of the call. */
export function recordProgress(
  run: CallRun,
  call: Pick<CallState, 'invocationId' | 'startedAt'>,
  said: SaidProgress,
  status: ProgressStatus = 'running',
): ToolProgress {
  const progress = progressOf(run, call, said, status)
  record(run, 'tool.invocation.progress', { progress })
  return progress
}

export function progressOf(
  run: CallRun,
  { invocationId, startedAt }: Pick<CallState, 'invocationId' | 'startedAt'>,
  said: SaidProgress,
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
  Object.assign(progress, said)
  if (said.task_id !== undefined) progress.task_id = cleanText(said.task_id, run)
  for (const field of ['message', 'current_step'] as const) {
    const text = said[field]
    // Scrubbed before it is cut: half a secret would not be known for one.
    if (text !== undefined) progress[field] = cutText(cleanText(text, run))
  }
  // A copy: whoever reads the record must not change what is said next.
  if (said.toolcrib) progress.toolcrib = { ...said.toolcrib }
  if (said.artifact_refs) progress.artifact_refs = cleanValue(said.artifact_refs, run)
  return progress
}

const MAX_TEXT_CHARS = 4_000

function cutText(text: string): string {
  if (text.length <= MAX_TEXT_CHARS) return text
  const kept = text.slice(0, MAX_TEXT_CHARS - 1)
  // Half a character is no text.
  return `${kept.replace(/[\uD800-\uDBFF]$/, '')}…`
}
