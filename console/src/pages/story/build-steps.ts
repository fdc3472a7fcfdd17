import type {
  CallStory,
  OutlinedEvent,
  ToolHook,
  ToolInputMutation,
  ToolPermissionDecision,
  ToolProgress,
  ToolcribApproval,
} from '../../api/types.js'
import { describeWait } from '../../../../src/contract/describe-wait.js'
import type { Tone } from '../../ui/badge.js'

/** One thing that happened to the call. */
export type Step = { readonly key: string; readonly at: number; readonly tone: Tone } & StepContent

export type StepContent =
  | { readonly kind: 'asked' }
  | { readonly kind: 'ready' }
  | {
      readonly kind: 'mutation'
      readonly mutation: ToolInputMutation | undefined
      readonly lines: readonly string[]
    }
  | { readonly kind: 'hook'; readonly hook: ToolHook }
  | { readonly kind: 'decision'; readonly decision: ToolPermissionDecision; readonly isExplained: boolean }
  | { readonly kind: 'approval'; readonly approval: ToolcribApproval }
  | {
      readonly kind: 'wait'
      readonly ms: number | undefined
      /** What it waited for, if the scheduler knew. */
      readonly waitedFor: string | undefined
      readonly isBetweenAttempts: boolean
    }
  | {
      readonly kind: 'run'
      readonly attempt: number
      readonly isOnly: boolean
      readonly ms: number | undefined
      readonly end: RunEnd
      /** Of an attempt that another one followed. */
      readonly failure: AttemptFailure | undefined
    }
  | { readonly kind: 'progress'; readonly count: number; readonly items: readonly ToolProgress[] }
  | { readonly kind: 'event'; readonly event: OutlinedEvent }
  | { readonly kind: 'stored' }
  | { readonly kind: 'result' }
  | { readonly kind: 'open' }

export type RunEnd = 'running' | 'done' | 'failed' | 'stopped' | 'timed out'

export interface AttemptFailure {
  readonly message: string
  readonly errorClass: string | undefined
  readonly retryInMs: number | undefined
}

/** Told by another step, or by the header. */
const SILENT: ReadonlySet<string> = new Set([
  'tool.invocation.selected',
  'tool.hook.pre.started',
  'tool.hook.post.started',
  'toolcrib.invocation.attempt_failed',
  'toolcrib.invocation.approved',
  'toolcrib.invocation.denied',
  'toolcrib.invocation.called_tool',
  'tool.invocation.yielded',
  'toolcrib.invocation.yielded',
  'tool.invocation.succeeded',
  'tool.invocation.failed',
  'tool.invocation.canceled',
  'tool.invocation.timed_out',
  'tool.invocation.validation_failed',
  'toolcrib.invocation.blocked',
])

const BAD_EVENTS = /failed|violated|late|blocked/
const WARN_EVENTS = /cancel|needs_input|reminded|redacted/

/** The call as steps, in the order of its events. */
export function buildSteps(story: CallStory): readonly Step[] {
  const { outline, result } = story
  const taken = { mutation: 0, hook: 0, decision: 0, progress: progressBefore(story) }
  const steps: Step[] = []
  for (const [index, event] of outline.entries()) {
    const content = contentOf(story, { event, index, taken })
    if (content !== undefined)
      steps.push({
        key: String(event.sequence),
        at: Date.parse(event.time),
        tone: toneOf(content, story),
        ...content,
      })
    if (event.event_type === 'tool.permission.requested') {
      const approval = approvalOf(story, taken.decision)
      if (approval !== undefined)
        steps.push({
          key: approval.approval_id,
          at: Date.parse(approval.created_at),
          tone: toneOf({ kind: 'approval', approval }, story),
          kind: 'approval',
          approval,
        })
    }
  }
  const last = steps.at(-1)
  if (result === undefined && last !== undefined)
    steps.push({ key: 'open', at: last.at, tone: toneOf({ kind: 'open' }, story), kind: 'open' })
  return steps
}

interface Taken {
  mutation: number
  hook: number
  decision: number
  progress: number
}

interface Place {
  readonly event: OutlinedEvent
  readonly index: number
  readonly taken: Taken
}

/** How many updates of progress came before those that the story has. */
function progressBefore({ outline, progress }: CallStory): number {
  const total = outline.reduce((sum, { count = 0 }) => sum + count, 0)
  return progress.length - total
}

function contentOf(story: CallStory, { event, index, taken }: Place): StepContent | undefined {
  switch (event.event_type) {
    case 'tool.invocation.planned':
      return { kind: 'asked' }
    case 'tool.invocation.arguments_ready':
      return isFirst(story, index) ? { kind: 'ready' } : undefined
    case 'toolcrib.invocation.input_changed': {
      const at = taken.mutation++
      return { kind: 'mutation', mutation: story.mutations[at], lines: story.diffs[at]?.lines ?? [] }
    }
    case 'tool.hook.pre.completed':
    case 'tool.hook.post.completed':
    case 'toolcrib.hook.completed': {
      const hook = story.hooks[taken.hook++]
      return hook && { kind: 'hook', hook }
    }
    case 'tool.permission.requested':
    case 'tool.permission.decided':
      return decisionContent(story, taken)
    case 'tool.invocation.queued':
      return waitContent(story, index)
    case 'tool.invocation.started':
      return runContent(story, index)
    case 'tool.invocation.progress':
    case 'tool.invocation.partial_result': {
      const { count = 1 } = event
      const from = Math.max(0, taken.progress)
      taken.progress += count
      return { kind: 'progress', count, items: story.progress.slice(from, Math.max(0, taken.progress)) }
    }
    case 'tool.result.persisted':
      return { kind: 'stored' }
    case 'tool.result.created':
      return { kind: 'result' }
    case 'toolcrib.hook.failed':
      // The step of the hook has said so, unless the hook ran and only its answer could not be used.
      return hasFailed(story.hooks[taken.hook - 1]) ? undefined : { kind: 'event', event }
    default:
      return SILENT.has(event.event_type) ? undefined : { kind: 'event', event }
  }
}

/** The scheduler asks the store before it knows what a call waits for: so short a wait is part of the next one. */
const SHORT_WAIT_MS = 50

function waitContent(story: CallStory, index: number): StepContent | undefined {
  const { outline } = story
  const ms = untilNext(story, index, ['tool.invocation.queued', 'tool.invocation.started', ...ENDS])
  const waitedFor = describeWait(outline[index]?.data)
  const isBetweenAttempts = outline[index - 1]?.event_type === 'toolcrib.invocation.attempt_failed'
  const isFollowed = outline[index + 1]?.event_type === 'tool.invocation.queued'
  if (isFollowed && waitedFor === undefined && !isBetweenAttempts && (ms ?? 0) < SHORT_WAIT_MS)
    return undefined
  return { kind: 'wait', ms, waitedFor, isBetweenAttempts }
}

function isFirst({ outline }: CallStory, index: number): boolean {
  const type = outline[index]?.event_type
  return outline.findIndex(({ event_type }) => event_type === type) === index
}

/** A person's decision repeats what the approval says. The rules as of now stand beside the last decision by rules. */
function decisionContent({ decisions }: CallStory, taken: Taken): StepContent | undefined {
  const at = taken.decision++
  const decision = decisions[at]
  if (decision === undefined || isOfPerson(decision)) return undefined
  return { kind: 'decision', decision, isExplained: decisions.slice(at + 1).every(isOfPerson) }
}

function isOfPerson({ source }: ToolPermissionDecision): boolean {
  return source === 'toolcrib.approver'
}

/** The approval that the decision before asked for: its id ends as the decision's does. */
function approvalOf({ approvals, decisions }: CallStory, taken: number): ToolcribApproval | undefined {
  const decision = decisions[taken - 1]
  return (
    approvals.find((approval) => approval.decision.decision_id === decision?.decision_id) ??
    approvals[decisions.slice(0, taken).filter(({ behavior }) => behavior === 'ask').length - 1]
  )
}

const ENDS = [
  'tool.invocation.succeeded',
  'tool.invocation.failed',
  'tool.invocation.canceled',
  'tool.invocation.timed_out',
  'tool.invocation.yielded',
  'tool.hook.post.started',
  'tool.result.created',
] as const

function untilNext({ outline }: CallStory, index: number, types: readonly string[]): number | undefined {
  const next = outline.slice(index + 1).find(({ event_type: type }) => types.includes(type))
  const from = outline[index]
  return next && from && Date.parse(next.time) - Date.parse(from.time)
}

function runContent(story: CallStory, index: number): StepContent {
  const { outline } = story
  const attempt = Number(outline[index]?.data?.['attempt'] ?? 1)
  const rest = outline.slice(index + 1)
  const nextRun = rest.findIndex(({ event_type: type }) => type === 'tool.invocation.started')
  const own = nextRun === -1 ? rest : rest.slice(0, nextRun)
  const failed = own.find(({ event_type: type }) => type === 'toolcrib.invocation.attempt_failed')
  const isOnly = nextRun === -1 && attempt === 1
  // The tool's own time; until the next event its output was mapped and stored.
  const ran = isOnly ? story.result?.toolcrib?.['duration_ms'] : undefined
  return {
    kind: 'run',
    attempt,
    isOnly,
    ms:
      typeof ran === 'number'
        ? ran
        : untilNext(story, index, ['toolcrib.invocation.attempt_failed', ...ENDS]),
    end: failed === undefined ? endOf(story) : 'failed',
    failure: failed && toFailure(failed),
  }
}

function endOf({ result }: CallStory): RunEnd {
  if (result === undefined) return 'running'
  if (result.status === 'timed_out') return 'timed out'
  if (result.status === 'canceled') return 'stopped'
  return result.is_error === true ? 'failed' : 'done'
}

function toFailure({ data = {} }: OutlinedEvent): AttemptFailure {
  const { error, retry_in_ms: retryInMs } = data
  const { message, error_class: errorClass } = (error ?? {}) as Record<string, unknown>
  return {
    message: typeof message === 'string' ? message : 'It failed.',
    errorClass: typeof errorClass === 'string' ? errorClass : undefined,
    retryInMs: typeof retryInMs === 'number' ? retryInMs : undefined,
  }
}

function toneOf(content: StepContent, { result, invocation }: CallStory): Tone {
  switch (content.kind) {
    case 'decision':
      return { allow: 'good', ask: 'warn', deny: 'bad', passthrough: 'neutral' }[
        content.decision.behavior
      ] as Tone
    case 'approval': {
      const { status, answer } = content.approval
      if (status === 'pending') return 'warn'
      return answer === undefined ? 'neutral' : answer.approved ? 'good' : 'bad'
    }
    case 'hook':
      return hookTone(content.hook)
    case 'run':
      return content.end === 'failed' || content.end === 'timed out' ? 'bad' : 'info'
    case 'event': {
      const { event_type: type } = content.event
      return BAD_EVENTS.test(type) ? 'bad' : WARN_EVENTS.test(type) ? 'warn' : 'neutral'
    }
    case 'result':
      return result?.is_error === true ? 'bad' : result?.status === 'succeeded' ? 'good' : 'warn'
    case 'open':
      return invocation.status === 'awaiting_approval' || invocation.status === 'needs_input'
        ? 'warn'
        : 'info'
    case 'mutation':
      return 'info'
    case 'asked':
    case 'ready':
    case 'wait':
    case 'progress':
    case 'stored':
      return 'neutral'
  }
}

function hookTone({ permission_result: permission, stop, toolcrib }: ToolHook): Tone {
  if (stop !== undefined || permission?.behavior === 'deny') return 'bad'
  if (hasFailed({ toolcrib })) return 'bad'
  return permission?.behavior === 'ask' ? 'warn' : 'neutral'
}

function hasFailed(hook: Pick<ToolHook, 'toolcrib'> | undefined): boolean {
  const outcome = hook?.toolcrib?.['outcome']
  return outcome !== undefined && outcome !== 'completed'
}
