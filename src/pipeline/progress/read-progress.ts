import type { ToolProgress } from '../../contract/objects/tool-progress.js'
import { toJson } from '../../platform/json/to-json.js'
import type { ProgressUpdate } from '../../catalog/execute-context.js'

/** What an executor said, as far as a record can hold it: plain data that nobody else can change. */
export type SaidProgress = Partial<
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
/** The standard wants these of shells and has no fields for them. */
const OWN_COUNTS = ['stdout_bytes', 'stderr_bytes', 'exit_code', 'timeout_ms', 'pid'] as const

/** Each step is a record of its own: one that names everything again would fill the store. */
const MAX_REFS = 100

/** Fields that are none of these, or not of their kind, are as good as not said. */
export function readProgress(update: ProgressUpdate): SaidProgress {
  const said: SaidProgress = {}
  if (typeof update !== 'object' || update === null) return said
  for (const field of TEXTS) if (typeof update[field] === 'string') said[field] = update[field]
  for (const field of COUNTS) if (Number.isInteger(update[field])) said[field] = update[field]
  const { percent } = update
  if (typeof percent === 'number' && Number.isFinite(percent))
    said.percent = Math.min(100, Math.max(0, percent))
  const refs = Array.isArray(update.artifact_refs)
    ? toJson(update.artifact_refs.slice(0, MAX_REFS))
    : undefined
  if (Array.isArray(refs)) said.artifact_refs = refs.filter(isObject)
  for (const field of OWN_COUNTS)
    if (Number.isInteger(update[field])) said.toolcrib = { ...said.toolcrib, [field]: update[field] }
  return said
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Both as one: of what is said twice the later word counts, and artifacts of both are named, the first first. */
export function mergeProgress(before: SaidProgress, after: SaidProgress): SaidProgress {
  const merged = { ...before, ...after }
  if (before.toolcrib && after.toolcrib) merged.toolcrib = { ...before.toolcrib, ...after.toolcrib }
  if (before.artifact_refs && after.artifact_refs) {
    const known = new Set(before.artifact_refs.map((ref) => JSON.stringify(ref)))
    const more = after.artifact_refs.filter((ref) => !known.has(JSON.stringify(ref)))
    merged.artifact_refs = [...before.artifact_refs, ...more].slice(0, MAX_REFS)
  }
  return merged
}

/** What stays true until something else is said. */
export function lastingProgress({
  message: _message,
  artifact_refs: _refs,
  ...lasting
}: SaidProgress): SaidProgress {
  return lasting
}
