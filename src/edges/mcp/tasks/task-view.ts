import type { JsonObject } from '../../../sources/mcp/protocol/json-rpc.js'
import type { Era } from '../../../sources/mcp/protocol/revisions.js'
import type { LiveTask } from './live-task.js'

const POLL_MS = 1000

export type TaskStatus = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled'

export interface TaskFacts {
  readonly taskId: string
  readonly status: TaskStatus
  readonly createdAt: number
  readonly updatedAt: number
  readonly ttlMs: number | null
  readonly message: string | undefined
}

/** A task in the format of either era. */
export function describeTask(facts: TaskFacts, era: Era): JsonObject {
  const { taskId, status, createdAt, updatedAt, ttlMs, message } = facts
  return {
    taskId,
    status,
    ...(message !== undefined && { statusMessage: message }),
    createdAt: new Date(createdAt).toISOString(),
    lastUpdatedAt: new Date(updatedAt).toISOString(),
    ...(era === 'modern' ? { ttlMs, pollIntervalMs: POLL_MS } : { ttl: ttlMs, pollInterval: POLL_MS }),
  }
}

export function taskView(task: LiveTask, era: Era): JsonObject {
  const status = statusOf(task, era)
  const isOver = status !== 'working' && status !== 'input_required'
  return describeTask({ ...task, status, message: isOver ? undefined : task.message }, era)
}

/** The task of a tool that returns an error is completed in the modern era, and failed in the legacy era. */
export function statusOf({ work, isCancelled }: LiveTask, era: Era): TaskStatus {
  if (isCancelled) return 'cancelled'
  const { outcome } = work
  if (!outcome) return Object.keys(work.questions()).length > 0 ? 'input_required' : 'working'
  if ('error' in outcome) return 'failed'
  return era === 'legacy' && outcome.result['isError'] === true ? 'failed' : 'completed'
}
