import type { CallStory } from '../../storage/journal/project-call.js'
import type { ToolcribApproval } from '../../contract/objects/toolcrib-approval.js'
import { diffJson } from '../../platform/json/diff-json.js'
import { webLink } from '../../platform/text/web-link.js'
import type { Crib } from '../../crib/crib.js'
import type { EventClass } from '../../contract/unions.js'
import type { ApiParts } from './api-parts.js'
import { batchIdOf, invocationSummaries } from './invocation-summary.js'

/** More progress than a person reads; the events have all of it. */
const MAX_PROGRESS = 200
const MAX_RELATED = 500
const MAX_OUTLINE = 2000

type Summary = Record<string, unknown>

/** Everything about one call, in the form of the API. */
export async function readCallStory(
  { crib, traceUrl }: Pick<ApiParts, 'crib' | 'traceUrl'>,
  story: CallStory,
  tenant: string,
): Promise<Record<string, unknown>> {
  const { invocation, result, inputs } = story
  const own = invocation.toolcrib ?? {}
  const summaryOf = async (id: unknown): Promise<Summary | undefined> => {
    const found = typeof id === 'string' ? await crib.story(id, { tenant }) : undefined
    return found && invocationSummaries(crib)(found)
  }
  const children = Array.isArray(own['child_invocation_ids']) ? own['child_invocation_ids'] : []
  const { eventCount, approvalIds, outline } = await readEvents(crib, invocation.invocation_id, tenant)
  return {
    tool_name: invocationSummaries(crib)(story)['tool_name'],
    invocation,
    result,
    decisions: story.decisions,
    mutations: story.mutations,
    hooks: story.hooks,
    progress: story.progress.slice(-MAX_PROGRESS),
    outline,
    persistence: story.persistence,
    partials_count: story.partials.length,
    inputs,
    diffs: inputs.slice(1).map((input, at) => ({ from: at, to: at + 1, lines: diffJson(inputs[at], input) })),
    approvals: await approvalsOf(crib, approvalIds, tenant),
    parent: await summaryOf(own['parent_invocation_id']),
    children: await readAll(children.slice(0, MAX_RELATED), summaryOf),
    batch: await batchOf(crib, story, tenant),
    event_count: eventCount,
    trace_refs: [...(invocation.telemetry_refs ?? []), ...(result?.telemetry_refs ?? [])].map((ref) =>
      linkedTrace(ref, traceUrl),
    ),
  }
}

type TraceRef = NonNullable<CallStory['invocation']['telemetry_refs']>[number]

/** Adds the address where a person can see the trace. */
function linkedTrace(ref: TraceRef, traceUrl: string | undefined): TraceRef {
  const { trace_id: id, toolcrib } = ref
  if (traceUrl === undefined || id === undefined) return ref
  const link = webLink(traceUrl.replaceAll('{trace_id}', () => encodeURIComponent(id)))
  return link === undefined ? ref : { ...ref, toolcrib: { ...toolcrib, url: link.href } }
}

async function readAll(ids: readonly unknown[], read: (id: unknown) => Promise<Summary | undefined>) {
  const found: Summary[] = []
  for (const id of ids) {
    const each = await read(id)
    if (each) found.push(each)
  }
  return found
}

/** One event of the call, or a run of progress. What its data has stands elsewhere in the story, unless it is here. */
interface OutlinedEvent {
  readonly sequence: number
  readonly event_type: EventClass
  readonly time: string
  data?: unknown
  /** How many events of progress came without another one between them. */
  count?: number
}

/** Their data is in the story as records. */
const RECORDED: ReadonlySet<EventClass> = new Set([
  'tool.invocation.planned',
  'toolcrib.invocation.input_changed',
  'tool.permission.requested',
  'tool.permission.decided',
  'tool.hook.pre.completed',
  'tool.hook.post.completed',
  'toolcrib.hook.completed',
  'tool.result.persisted',
  'tool.result.created',
])

/** The order in which things happened, and the approvals that the call asked for: it may ask several times. */
async function readEvents(
  crib: Crib,
  invocation: string,
  tenant: string,
): Promise<{ eventCount: number; approvalIds: Set<string>; outline: OutlinedEvent[] }> {
  const approvalIds = new Set<string>()
  const outline: OutlinedEvent[] = []
  let eventCount = 0
  let run: OutlinedEvent | undefined
  for await (const { event_type: type, time, data, toolcrib } of crib.events({ invocation, tenant })) {
    eventCount++
    const ref = (data as { approval_request_ref?: unknown } | undefined)?.approval_request_ref
    if (typeof ref === 'string') approvalIds.add(ref.slice(ref.lastIndexOf('/') + 1))
    const isProgress = type === 'tool.invocation.progress' || type === 'tool.invocation.partial_result'
    if (isProgress && run) {
      run.count!++
      continue
    }
    const event: OutlinedEvent = { sequence: toolcrib.sequence, event_type: type, time }
    if (isProgress) event.count = 1
    else if (!RECORDED.has(type)) event.data = data
    run = isProgress ? event : undefined
    if (outline.length < MAX_OUTLINE) outline.push(event)
  }
  return { eventCount, approvalIds, outline }
}

async function approvalsOf(crib: Crib, ids: Iterable<string>, tenant: string): Promise<ToolcribApproval[]> {
  const found: ToolcribApproval[] = []
  for (const id of ids) {
    const approval = await crib.approvals.get(id, { tenant })
    if (approval) found.push(approval)
  }
  return found
}

/** The calls of the same batch: they are of the same session, and were made at about the same time. */
async function batchOf(
  crib: Crib,
  { invocation }: CallStory,
  tenant: string,
): Promise<{ batch_id: string; members: Summary[] } | undefined> {
  const { scheduler_policy_ref: ref, created_at: createdAt, toolcrib: own = {} } = invocation
  const batchId = batchIdOf(ref)
  if (ref === undefined || batchId === undefined) return undefined
  const at = Date.parse(createdAt)
  const { session } = own
  const { stories } = await crib.storyPage({
    tenant,
    ...(typeof session === 'string' ? { session } : { surface: invocation.surface_id! }),
    since: at - 60_000,
    until: at + 60_000,
    limit: MAX_RELATED,
  })
  const members = stories.filter((each) => each.invocation.scheduler_policy_ref === ref)
  return { batch_id: batchId, members: members.map(invocationSummaries(crib)) }
}
