import type { Crib } from '../../crib/crib.js'
import type { CallStory } from '../../storage/journal/project-call.js'
import { invocationStatuses, resultStatuses } from '../../contract/unions.js'
import { shape, text, time } from './shapes.js'
import { toolNameSchema } from './tool-summary.js'

export const invocationSummarySchema = shape(
  {
    invocation_id: text,
    tool_id: text,
    tool_name: toolNameSchema,
    requested_name: text,
    actor: text,
    session: text,
    surface_id: text,
    status: { enum: invocationStatuses },
    result_status: { enum: resultStatuses },
    error_class: text,
    created_at: time,
    started_at: time,
    ended_at: time,
    duration_ms: { type: 'number' },
    parent_invocation_id: text,
    batch_id: text,
    approval_id: text,
    progress: shape({ percent: { type: 'number' }, message: text }),
  },
  ['invocation_id', 'tool_id', 'tool_name', 'status', 'created_at'],
)

/** Makes the form of calls in lists. */
export function invocationSummaries(crib: Pick<Crib, 'tool'>): (story: CallStory) => Record<string, unknown> {
  return (story) => toInvocationSummary(story, crib.tool(story.invocation.tool_id)?.qualifiedName)
}

function toInvocationSummary(
  { invocation, result, progress }: CallStory,
  toolName: string | undefined,
): Record<string, unknown> {
  const { created_at: createdAt, ended_at: endedAt, toolcrib: own = {} } = invocation
  const last = progress.at(-1)
  return {
    invocation_id: invocation.invocation_id,
    tool_id: invocation.tool_id,
    tool_name: toolName ?? own['requested_name'] ?? invocation.tool_id,
    requested_name: own['requested_name'],
    actor: invocation.actor_ref,
    session: own['session'],
    surface_id: invocation.surface_id,
    status: invocation.status,
    result_status: result?.status,
    error_class: result?.error?.error_class,
    created_at: createdAt,
    started_at: invocation.started_at,
    ended_at: endedAt,
    duration_ms: endedAt === undefined ? undefined : Date.parse(endedAt) - Date.parse(createdAt),
    parent_invocation_id: own['parent_invocation_id'],
    batch_id: batchIdOf(invocation.scheduler_policy_ref),
    approval_id: lastSegment(invocation.approval_request_ref),
    progress: result || !last ? undefined : { percent: last.percent, message: last.message },
  }
}

export function batchIdOf(policyRef: string | undefined): string | undefined {
  return lastSegment(policyRef)
}

export function lastSegment(ref: string | undefined): string | undefined {
  return ref === undefined ? undefined : ref.slice(ref.lastIndexOf('/') + 1)
}
