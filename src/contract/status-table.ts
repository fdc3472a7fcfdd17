/** What the statuses of a call mean, which may follow another, and which results each final status may have. */
import type { InvocationStatus, ResultStatus } from './unions.js'

/** The tool id on a call whose name no tool has; the requested name is in `toolcrib.requested_name`. */
export const UNKNOWN_TOOL_ID = 'toolcrib.unknown_tool'

export const terminalStatuses = [
  'schema_parse_failed',
  'validation_failed',
  'denied',
  'succeeded',
  'failed',
  'canceled',
  'timed_out',
  'blocked',
] as const satisfies readonly InvocationStatus[]
export type TerminalStatus = (typeof terminalStatuses)[number]

export const transitions: Record<InvocationStatus, readonly InvocationStatus[]> = {
  // `failed` at once: no tool has that name.
  planned: ['selected', 'failed', 'blocked', 'canceled', 'timed_out'],
  selected: [
    'arguments_ready',
    'schema_parse_failed',
    'validation_failed',
    'blocked',
    'canceled',
    'timed_out', // the time of its batch ran out
    'failed',
  ],
  arguments_ready: [
    'schema_parse_failed',
    'validation_failed',
    'pre_hooks_running',
    'awaiting_approval',
    'approved',
    'denied',
    'queued',
    'running',
    'blocked',
    'canceled',
    'timed_out',
    'failed',
  ],
  pre_hooks_running: [
    'arguments_ready', // a hook changed the input: it is checked again
    'schema_parse_failed',
    'validation_failed',
    'awaiting_approval',
    'approved',
    'denied',
    'queued',
    'running',
    'blocked',
    'canceled',
    'timed_out',
    'failed',
  ],
  awaiting_approval: [
    'approved',
    'denied',
    'arguments_ready', // the prompt changed the input: it is checked again
    'canceled',
    'timed_out',
    'blocked',
    'failed',
  ],
  approved: [
    'queued',
    'running',
    'awaiting_approval', // a reviewer is asked again, because something changed meanwhile
    'arguments_ready',
    'schema_parse_failed',
    'validation_failed',
    'denied',
    'canceled',
    'timed_out',
    'blocked',
    'failed',
  ],
  queued: [
    'running',
    'post_hooks_running', // given up before another attempt: hooks still see that it ran
    'canceled',
    'timed_out',
    'blocked',
    'failed',
  ],
  running: [
    'needs_input',
    'partial_result',
    'queued', // a retry waits in the queue like any other
    'post_hooks_running',
    'yielded',
    'succeeded',
    'failed',
    'canceled',
    'timed_out',
    'blocked',
  ],
  needs_input: ['running', 'canceled', 'timed_out', 'failed'],
  partial_result: [
    'running',
    'partial_result',
    'needs_input',
    'post_hooks_running',
    'yielded',
    'succeeded',
    'failed',
    'canceled',
    'timed_out',
  ],
  post_hooks_running: ['yielded', 'succeeded', 'failed', 'blocked', 'canceled', 'timed_out'],
  yielded: ['succeeded', 'failed', 'canceled', 'timed_out'],
  schema_parse_failed: [],
  validation_failed: [],
  denied: [],
  succeeded: [],
  failed: [],
  canceled: [],
  timed_out: [],
  blocked: [],
}

export const resultStatusesFor: Record<TerminalStatus, readonly ResultStatus[]> = {
  schema_parse_failed: ['failed'],
  validation_failed: ['failed'],
  denied: ['denied', 'rejected'],
  blocked: ['failed', 'synthetic_error'],
  succeeded: ['succeeded', 'partial_succeeded', 'redacted', 'too_large'],
  failed: ['failed', 'synthetic_error', 'partial_succeeded', 'redacted', 'too_large'],
  canceled: ['canceled', 'synthetic_error', 'discarded'],
  timed_out: ['timed_out'],
}

export const statusMeaning: Record<InvocationStatus, string> = {
  planned: 'The call was requested; nothing has been checked yet.',
  selected: 'The name is resolved to one tool of the surface.',
  schema_parse_failed: 'The arguments do not match the schema.',
  arguments_ready: 'The arguments have the right shape.',
  validation_failed: 'The tool itself refused the values, before any effect.',
  pre_hooks_running: 'Hooks run and may change, stop, allow or deny the call.',
  awaiting_approval: 'Approval was requested from a person or another authority and is not answered yet.',
  approved: 'The call may run with exactly the input that was evaluated.',
  denied: 'A rule, a policy or a person denied the call; nothing ran.',
  queued: 'The call may run and waits for its turn.',
  running: 'The executor runs.',
  needs_input: 'The executor is suspended and waits for external input.',
  partial_result: 'A part of the result was emitted; more follows.',
  post_hooks_running: 'The executor has ended, and hooks inspect its outcome.',
  yielded:
    'The finished result was returned to the reader of the call stream, or to its slot in a batch. The terminal record follows at once. Calls without a stream reader skip this status.',
  succeeded: 'The call succeeded.',
  failed: 'The call ended with an error.',
  canceled:
    'The call was canceled: it did not run, it was stopped, or it was abandoned while its tool continued.',
  timed_out: 'A time limit of the call was exceeded.',
  blocked: 'Something other than permission stopped the call.',
}

const terminal: ReadonlySet<string> = new Set(terminalStatuses)

export function isTerminal(status: InvocationStatus): status is TerminalStatus {
  return terminal.has(status)
}

const legal: ReadonlyMap<InvocationStatus, ReadonlySet<InvocationStatus>> = new Map(
  Object.entries(transitions).map(([from, to]) => [from as InvocationStatus, new Set(to)]),
)

export function isLegalTransition(from: InvocationStatus, to: InvocationStatus): boolean {
  return isUsual(from, to) || legal.get(from)?.has(to) === true
}

/** The way of most calls, compared without the table: a look-up costs as much as recording the event. */
function isUsual(from: InvocationStatus, to: InvocationStatus): boolean {
  switch (to) {
    case 'selected':
      return from === 'planned'
    case 'arguments_ready':
      return from === 'selected'
    case 'running':
      return from === 'arguments_ready'
    case 'succeeded':
      return from === 'running'
    default:
      return false
  }
}
