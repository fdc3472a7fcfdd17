import type { ToolProgress } from '../../contract/objects/tool-progress.js'
import { isObject } from '../../platform/json/is-object.js'
import { toJson } from '../../platform/json/to-json.js'
import type { ProgressUpdate } from '../../catalog/execute-context.js'

/** An executor's progress as a record can hold it: a copy in plain data. */
export type ReportedProgress = Partial<
  Pick<
    ToolProgress,
    | 'message'
    | 'percent'
    | 'current_step'
    | 'task_id'
    | 'total_steps'
    | 'bytes_read'
    | 'bytes_written'
    | 'line_count'
    | 'artifact_refs'
    | 'toolcrib'
  >
>

const TEXTS = ['message', 'current_step', 'task_id'] as const
const COUNTS = ['total_steps', 'bytes_read', 'bytes_written', 'line_count'] as const
/** The standard requires these for shells and has no fields for them. */
const OWN_COUNTS = ['stdout_bytes', 'stderr_bytes', 'exit_code', 'timeout_ms', 'pid'] as const

/** Each report is a record of its own: a long list in each of them would fill the store. */
const MAX_REFS = 100

/** Ignores unknown fields and fields of the wrong type. */
export function readProgress(update: ProgressUpdate): ReportedProgress {
  const read: ReportedProgress = {}
  if (typeof update !== 'object' || update === null) return read
  for (const field of TEXTS) if (typeof update[field] === 'string') read[field] = update[field]
  for (const field of COUNTS) if (Number.isInteger(update[field])) read[field] = update[field]
  const { percent } = update
  if (typeof percent === 'number' && Number.isFinite(percent))
    read.percent = Math.min(100, Math.max(0, percent))
  const refs = Array.isArray(update.artifact_refs)
    ? toJson(update.artifact_refs.slice(0, MAX_REFS))
    : undefined
  if (Array.isArray(refs)) read.artifact_refs = refs.filter(isObject)
  for (const field of OWN_COUNTS)
    if (Number.isInteger(update[field])) read.toolcrib = { ...read.toolcrib, [field]: update[field] }
  return read
}

/** Merges two reports: the later value of a field counts, and the artifacts of both are listed in order. */
export function mergeProgress(before: ReportedProgress, after: ReportedProgress): ReportedProgress {
  const merged = { ...before, ...after }
  if (before.toolcrib && after.toolcrib) merged.toolcrib = { ...before.toolcrib, ...after.toolcrib }
  if (before.artifact_refs && after.artifact_refs) {
    const known = new Set(before.artifact_refs.map((ref) => JSON.stringify(ref)))
    const more = after.artifact_refs.filter((ref) => !known.has(JSON.stringify(ref)))
    merged.artifact_refs = [...before.artifact_refs, ...more].slice(0, MAX_REFS)
  }
  return merged
}

/** The fields that stay valid until a report changes them. */
export function lastingProgress({
  message: _message,
  artifact_refs: _refs,
  ...lasting
}: ReportedProgress): ReportedProgress {
  return lasting
}
