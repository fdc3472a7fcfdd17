/** The meaning of each event, for people who read the record. */
import type { EventClass } from './unions.js'

export const eventMeaning: Record<EventClass, string> = {
  'tool.declared': 'A tool was added to the catalog, or its declaration changed.',
  'tool.surface.created': 'A caller got a surface.',
  'tool.surface.updated': 'A surface changed.',
  'tool.deferred.discovered': 'A search found a deferred tool.',
  'tool.deferred.loaded': 'The schema of a deferred tool was added to a surface.',
  'tool.invocation.planned': 'A caller requested a call.',
  'tool.invocation.selected': 'The name was resolved to one tool.',
  'tool.invocation.arguments_ready': 'The arguments have the right shape.',
  'tool.invocation.validation_failed': 'The arguments were refused, by the schema or by the tool.',
  'tool.hook.pre.started': 'A hook started on a call that has not run.',
  'tool.hook.pre.completed': 'That hook answered, failed or timed out.',
  'tool.permission.requested': 'Approval was requested for a call.',
  'tool.permission.decided': 'The permission decision about a call was made.',
  'tool.invocation.queued': 'A call waits for its turn.',
  'tool.invocation.started': 'The executor started.',
  'tool.invocation.progress': 'A running call reported progress.',
  'tool.invocation.partial_result': 'A part of the result was emitted.',
  'tool.hook.post.started': 'A hook started on the outcome of a call.',
  'tool.hook.post.completed': 'That hook answered, failed or timed out.',
  'tool.result.persisted': 'The decision about storing the bytes of a result was made.',
  'tool.invocation.yielded': 'The finished result was returned; the terminal record follows.',
  'tool.invocation.succeeded': 'A call succeeded.',
  'tool.invocation.failed': 'A call ended with an error.',
  'tool.invocation.canceled':
    'A call was canceled: before it ran, while it ran, or although its tool did not stop.',
  'tool.invocation.timed_out': 'A time limit of a call was exceeded.',
  'tool.result.created': 'The one terminal result of a call was written.',
  'tool.result.redacted': 'Secrets or fields were removed from a result.',
  'toolcrib.tool.removed': 'A source no longer offers a tool.',
  'toolcrib.tool.retired': 'A tool stays in the store only because old records name it.',
  'toolcrib.tool.blocked':
    'A source changed a tool, or offers a new one that goes elsewhere: it is blocked until a person accepts it.',
  'toolcrib.tool.accepted':
    'A person accepted the changed definitions of tools of a source; the event has who, and what was shown.',
  'toolcrib.config.changed':
    'The config file was replaced through the API; the event has who, and the revisions before and after.',
  'toolcrib.source.failed':
    'The tools of a source could not be listed; the tools of its last list stay, and the source is retried.',
  'toolcrib.source.recovered': 'The tools of a source could be listed again.',
  'toolcrib.approval.announced': 'A question to a person was sent out over the channel of its tool.',
  'toolcrib.approval.announce_failed':
    'A question to a person could not be sent out over the channel of its tool; the question stays open.',
  'toolcrib.approval.reminded': 'A question to a person is still open, and was announced again.',
  'toolcrib.approval.answered_late':
    'A question was answered after its time limit; the answer is recorded and changes nothing.',
  'toolcrib.invocation.input_changed': 'The input of a call was replaced; the event has the mutation.',
  'toolcrib.invocation.claimed': 'A process took over a waiting call whose owner has ended.',
  'toolcrib.invocation.approved': 'A call may run with exactly the input that was evaluated.',
  'toolcrib.invocation.denied': 'A call was denied.',
  'toolcrib.invocation.blocked': 'Something other than permission ended a call.',
  'toolcrib.invocation.needs_input': 'An executor waits for external input.',
  'toolcrib.invocation.resumed': 'A waiting call resumed.',
  'toolcrib.invocation.called_tool': 'The executor of a call called another tool, as a call of its own.',
  'toolcrib.invocation.environment':
    'The program of a call is about to start: the event has its folder, its shell and its sandbox, or that it has none.',
  'toolcrib.invocation.sandbox_violated': 'A sandbox prevented something that the program of a call tried.',
  'toolcrib.invocation.cancel_requested': 'Cancellation of a call was requested.',
  'toolcrib.invocation.cancel_acknowledged': 'The executor acknowledged the cancellation.',
  'toolcrib.invocation.cancel_failed':
    'Cancellation of a call was requested, and its tool did not stop, failed, or did not confirm it.',
  'toolcrib.invocation.attempt_failed': 'One attempt at a call failed; another follows.',
  'toolcrib.invocation.yielded':
    'A result that was ready, and waited for the results before it, was returned in its turn.',
  'toolcrib.batch.opened': 'A batch of calls was opened under one scheduler policy.',
  'toolcrib.batch.closed': 'All calls of a batch have their results.',
  'toolcrib.hook.failed':
    'A hook on results failed or returned an output that cannot be used: `error` has the class `post_hook_failed`. The call continues unless the hook has `onFailure: deny`.',
  'toolcrib.hook.completed': 'A hook on permission or persistence answered, failed or timed out.',
  'toolcrib.result.remapped': 'A hook replaced the output of the tool; the new output was mapped again.',
  'toolcrib.artifact.created': 'A call created an artifact.',
  'toolcrib.artifact.version_added': 'A call added a version to an artifact.',
  'toolcrib.artifact.exported': 'A version of an artifact was written to a file.',
  'toolcrib.artifact.handed_off': 'A version of an artifact was handed off to a recipient.',
  'toolcrib.artifact.removed': 'An artifact was removed: its record stays, its bytes are deleted.',
  'toolcrib.record.deleted':
    'The records of calls were deleted: who did it, and how many. An envelope stays of each, a record without content.',
  'toolcrib.record.envelopes_deleted':
    'The envelopes of calls were deleted whose records had been deleted before: who did it, how many, and from when. Nothing stays of these calls.',
  'toolcrib.token.created': 'Somebody made a named token for the server; the event has no part of the token.',
  'toolcrib.token.rotated': 'A named token was replaced; the old one ended at once.',
  'toolcrib.token.revoked': 'A named token was revoked.',
  'toolcrib.result.late_discarded':
    'An executor returned an output after its call had ended; the output was discarded.',
  'toolcrib.result.late_answer':
    'An answer arrived in the response queue of a tool after its call had ended; it is kept here, and the result stays as it is.',
}
