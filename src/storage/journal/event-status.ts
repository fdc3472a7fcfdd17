import type { EventClass, InvocationStatus } from '../../contract/unions.js'
import type { EventDraft } from '../event-list.js'

/** The status that an event of a call leads to. Events that are missing here change no status. */
const STATUS_OF: Partial<Record<EventClass, InvocationStatus>> = {
  'tool.invocation.planned': 'planned',
  'tool.invocation.selected': 'selected',
  'tool.invocation.arguments_ready': 'arguments_ready',
  'tool.invocation.validation_failed': 'validation_failed',
  'tool.hook.pre.started': 'pre_hooks_running',
  'tool.permission.requested': 'awaiting_approval',
  'toolcrib.invocation.approved': 'approved',
  'toolcrib.invocation.denied': 'denied',
  'toolcrib.invocation.blocked': 'blocked',
  'tool.invocation.queued': 'queued',
  'tool.invocation.started': 'running',
  'toolcrib.invocation.needs_input': 'needs_input',
  'toolcrib.invocation.resumed': 'running',
  'tool.invocation.partial_result': 'partial_result',
  'tool.hook.post.started': 'post_hooks_running',
  'tool.invocation.yielded': 'yielded',
  'tool.invocation.succeeded': 'succeeded',
  'tool.invocation.failed': 'failed',
  'tool.invocation.canceled': 'canceled',
  'tool.invocation.timed_out': 'timed_out',
}

export function statusOfEvent({ type, data }: EventDraft): InvocationStatus | undefined {
  const said: unknown = data && 'status' in data ? data.status : undefined
  return said === 'schema_parse_failed' ? said : STATUS_OF[type]
}
