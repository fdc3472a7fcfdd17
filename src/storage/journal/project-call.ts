import { isoTime } from '../../contract/iso-time.js'
import type { ToolHook } from '../../contract/objects/tool-hook.js'
import type { ToolInputMutation } from '../../contract/objects/tool-input-mutation.js'
import type { ToolInvocation } from '../../contract/objects/tool-invocation.js'
import type { ToolPermissionDecision } from '../../contract/objects/tool-permission-decision.js'
import type { ToolProgress } from '../../contract/objects/tool-progress.js'
import type { PayloadRef, ToolResult } from '../../contract/objects/tool-result.js'
import type { ToolResultPersistence } from '../../contract/objects/tool-result-persistence.js'
import { refWithDigest } from '../../platform/json/versioned-ref.js'
import { withoutUndefined } from '../../platform/json/without-undefined.js'
import { holdsMark } from '../../redaction/holds-mark.js'
import { SCHEMA_VERSION, type QueueState } from '../../contract/unions.js'
import { eventAt, eventCount, type EventDraft } from '../event-list.js'
import type { LoggedCall, LoggedChunk } from '../store.js'
import { statusOfEvent } from './event-status.js'
import { JudgedInput, type JudgedData } from '../decision-data.js'
import { surfaceRef } from './project-surface.js'

/** Everything the log contains about one call, as records of the standard. */
export interface CallStory {
  invocation: ToolInvocation
  result: ToolResult | undefined
  decisions: ToolPermissionDecision[]
  mutations: ToolInputMutation[]
  hooks: ToolHook[]
  progress: ToolProgress[]
  persistence: ToolResultPersistence | undefined
  /** Parts of the result that came before it, by their refs. */
  partials: { ref: string; value: unknown }[]
  /** All versions of the input, masked; 0 is the model's. */
  inputs: unknown[]
}

export function inputRef(invocationId: string, version: number): string {
  return `toolcrib://invocations/${invocationId}/inputs/${version}`
}

/** The record of a call. */
export function invocationRef(invocationId: string): string {
  return `toolcrib://invocations/${invocationId}`
}

export function partialRef(invocationId: string, sequence: number): string {
  return `toolcrib://invocations/${invocationId}/partials/${sequence}`
}

export function approvalRef(approvalId: string): string {
  return `toolcrib://approvals/${approvalId}`
}

/** A hook may run several times for one call: a ref names one run. */
export function hookRunRef(invocationId: string, sequence: number): string {
  return `toolcrib://invocations/${invocationId}/hooks/${sequence}`
}

export function decisionIdOf(invocationId: string, sequence: number): string {
  return `perm_${invocationId}_${sequence}`
}

/** A call's records, computed from its events: the log is the source and nothing is stored twice. */
export function projectCall(chunks: readonly LoggedChunk[]): CallStory | undefined {
  const first = chunks[0]
  if (!first?.call) return undefined
  const planned = eventAt(first.events, 0, first.baseTime)
  const story: CallStory = {
    invocation: openInvocation(first.call, first.tenant, planned),
    result: undefined,
    decisions: [],
    mutations: [],
    hooks: [],
    progress: [],
    partials: [],
    persistence: undefined,
    inputs: [dataOf(planned)['model_input']],
  }
  let judged = 0
  let isYielded = false
  for (const { events, baseTime, firstSequence } of chunks) {
    for (let index = 0; index < eventCount(events); index++) {
      const draft = eventAt(events, index, baseTime)
      apply(story, draft, firstSequence + index)
      if (draft.type === 'tool.permission.requested' || draft.type === 'tool.permission.decided') {
        judged = story.inputs.length - 1
      }
      isYielded ||= draft.type === 'tool.invocation.yielded' || draft.type === 'toolcrib.invocation.yielded'
    }
  }
  closeInputs(story, judged)
  closeQueue(story, isYielded)
  return story
}

function dataOf(draft: EventDraft): Record<string, unknown> {
  return (draft.data ?? {}) as Record<string, unknown>
}

function openInvocation(call: LoggedCall, tenant: string, planned: EventDraft): ToolInvocation {
  const data = dataOf(planned)
  const invocation: ToolInvocation = {
    schema_version: SCHEMA_VERSION,
    invocation_id: call.invocationId,
    tool_id: call.toolId,
    surface_id: call.surfaceId,
    status: 'planned',
    status_transitions: [],
    created_at: isoTime(planned.at),
    toolcrib: {
      tenant,
      requested_name: data['requested_name'],
      surface_ref: surfaceRef(call.surfaceId, Number(data['surface_revision'] ?? 1)),
    },
  }
  if (typeof data['native_call_id'] === 'string') invocation.native_call_id = data['native_call_id']
  if (Array.isArray(data['telemetry_refs']))
    invocation.telemetry_refs = data['telemetry_refs'] as NonNullable<ToolInvocation['telemetry_refs']>
  if (call.actor !== undefined) invocation.actor_ref = call.actor
  const runtimeRefs = [
    ...(Array.isArray(data['runtime_refs']) ? (data['runtime_refs'] as string[]) : []),
    ...(typeof data['parent_invocation_id'] === 'string'
      ? [invocationRef(data['parent_invocation_id'])]
      : []),
  ]
  if (runtimeRefs.length > 0) invocation.runtime_refs = runtimeRefs
  addPolicyRefs(invocation, data['policy_refs'])
  if (call.session !== undefined) own(invocation)['session'] = call.session
  for (const name of ['requested_by', 'requested_via', 'parent_invocation_id', 'client', 'input_redactions'])
    if (data[name] !== undefined) own(invocation)[name] = data[name]
  if (typeof data['scheduler_policy_ref'] === 'string')
    invocation.scheduler_policy_ref = data['scheduler_policy_ref']
  return invocation
}

function apply(story: CallStory, draft: EventDraft, sequence: number): void {
  const { invocation } = story
  const data = dataOf(draft)
  moveStatus(invocation, draft)
  switch (draft.type) {
    case 'tool.invocation.selected':
      if (typeof data['fingerprint'] === 'string') {
        const { fingerprint } = data
        const tool_ref = refWithDigest(`tool:${invocation.tool_id}`, fingerprint)
        Object.assign(own(invocation), { fingerprint, tool_ref })
      }
      break
    case 'toolcrib.invocation.input_changed':
      story.mutations.push(data['mutation'] as ToolInputMutation)
      story.inputs.push(data['input'])
      break
    case 'tool.permission.requested':
    case 'tool.permission.decided':
      applyDecision(story, draft, sequence)
      break
    case 'tool.hook.pre.completed':
    case 'tool.hook.post.completed':
    case 'toolcrib.hook.completed':
      story.hooks.push(completeHook(data['hook'] as ToolHook, invocation.invocation_id, sequence))
      invocation.hook_refs = [...(invocation.hook_refs ?? []), hookRunRef(invocation.invocation_id, sequence)]
      break
    case 'tool.invocation.started':
      invocation.started_at ??= isoTime(draft.at)
      own(invocation)['attempts'] = Number(data['attempt'] ?? 1)
      break
    case 'tool.invocation.progress':
    case 'tool.invocation.partial_result':
      story.progress.push(data['progress'] as ToolProgress)
      // Of a result that may not be stored, only its existence is known.
      if (draft.type === 'tool.invocation.partial_result' && 'value' in data) {
        story.partials.push({ ref: partialRef(invocation.invocation_id, sequence), value: data['value'] })
      }
      break
    case 'toolcrib.invocation.called_tool':
      addChild(own(invocation), data['invocation_id'])
      break
    case 'toolcrib.invocation.environment':
      own(invocation)['execution'] = { ...data, violations: [] }
      break
    case 'toolcrib.invocation.sandbox_violated':
      addViolation(own(invocation), data)
      break
    case 'toolcrib.invocation.cancel_requested':
      invocation.cancel_requested = true
      break
    case 'toolcrib.invocation.cancel_acknowledged':
      invocation.cancel_acknowledged = true
      break
    case 'toolcrib.invocation.cancel_failed':
      invocation.cancel_failed = true
      break
    case 'tool.result.persisted':
      story.persistence = data['persistence'] as ToolResultPersistence
      break
    case 'toolcrib.artifact.created':
    case 'toolcrib.artifact.version_added':
      invocation.artifact_refs = [...(invocation.artifact_refs ?? []), deliveredRef(data)]
      break
    case 'tool.invocation.canceled':
    case 'tool.invocation.failed':
      if (data['ran'] === false) {
        delete invocation.started_at
        delete own(invocation)['attempts']
      }
      break
    case 'tool.result.created':
      story.result = draft.data as ToolResult
      invocation.ended_at = isoTime(draft.at)
      if (story.result.abort_reason) invocation.abort_reason = story.result.abort_reason
      if (story.result.artifact_refs) invocation.artifact_refs = story.result.artifact_refs
      break
    default:
      break
  }
}

/** Artifacts stay known where no result mentions them: the process may have died. */
function deliveredRef(data: Record<string, unknown>): PayloadRef {
  const { artifact_id: ref_id, version: _, ...known } = data
  return { ref_id, ...known, access: 'tenant', relation: 'produced' } as PayloadRef
}

function addChild(facts: Record<string, unknown>, invocationId: unknown): void {
  const known = facts['child_invocation_ids'] as unknown[] | undefined
  facts['child_invocation_ids'] = [...(known ?? []), invocationId]
}

function addViolation(facts: Record<string, unknown>, violation: object): void {
  const execution = (facts['execution'] ??= {}) as { violations?: unknown[] }
  execution.violations = [...(execution.violations ?? []), violation]
}

function own(invocation: ToolInvocation): Record<string, unknown> {
  return (invocation.toolcrib ??= {})
}

function moveStatus(invocation: ToolInvocation, draft: EventDraft): void {
  const status = statusOfEvent(draft)
  // Several hooks of one call each emit this event; only the first changes the status.
  if (status === undefined || (status === invocation.status && invocation.status_transitions!.length > 0))
    return
  const isFirst = invocation.status_transitions!.length === 0
  invocation.status_transitions!.push({
    ...(!isFirst && { from: invocation.status }),
    to: status,
    at: isoTime(draft.at),
  })
  invocation.status = status
}

function applyDecision(story: CallStory, draft: EventDraft, sequence: number): void {
  const { invocation } = story
  const data = dataOf(draft)
  const place = { sequence, at: draft.at, judged: judgedIn(data, story) }
  const decision = completeDecision(data['decision'] as object, invocation.invocation_id, place)
  story.decisions.push(decision)
  invocation.permission_decision_refs = story.decisions.map(({ decision_id: id }) => id)
  addPolicyRefs(invocation, decision.policy_refs)
  if (typeof data['approval_request_ref'] === 'string')
    invocation.approval_request_ref = data['approval_request_ref']
  const facts = data['facts'] as Record<string, unknown> | undefined
  if (!facts) return
  const { origins, requires_user_interaction: needsPerson, ...scheduler } = facts
  invocation.scheduler = scheduler
  Object.assign(own(invocation), { fact_origins: origins, requires_user_interaction: needsPerson })
}

/** The refs that the call was judged by, in order: the surface first, then every decision. */
function addPolicyRefs(invocation: ToolInvocation, refs: unknown): void {
  if (!Array.isArray(refs) || refs.length === 0) return
  invocation.policy_refs = [...new Set([...(invocation.policy_refs ?? []), ...(refs as string[])])]
}

/** The input that the decision is about. Events of earlier versions lack it: it was the last one before them. */
function judgedIn(
  { judged, decision }: Record<string, unknown>,
  { inputs }: CallStory,
): JudgedData | undefined {
  if (judged !== undefined) return judged as JudgedData
  if ((decision as ToolPermissionDecision).toolcrib?.['input_digest'] !== undefined) return undefined
  const version = inputs.length - 1
  return new JudgedInput(version, inputs[version], holdsMark(inputs[version])).toData().judged
}

/** The input of the last decision, for a decision that follows from it. */
export function lastJudged({ decisions }: CallStory): Record<string, unknown> {
  const { input_ref, input_digest, input_digest_of } = decisions.at(-1)?.toolcrib ?? {}
  return withoutUndefined({ input_ref, input_digest, input_digest_of })
}

/** The standard's decision record: the decision, and what follows from its position in the log. */
export function completeDecision(
  said: object,
  invocationId: string,
  { sequence, at, judged }: { sequence: number; at: number; judged: JudgedData | undefined },
): ToolPermissionDecision {
  const known = Object.entries(said).filter(([, value]) => value !== undefined)
  const decision = {
    schema_version: SCHEMA_VERSION,
    decision_id: decisionIdOf(invocationId, sequence),
    invocation_id: invocationId,
    ...Object.fromEntries(known),
    decided_at: isoTime(at),
  } as ToolPermissionDecision
  if (!judged) return decision
  const { version, ...digest } = judged
  const input_ref = inputRef(invocationId, version)
  return { ...decision, toolcrib: { ...decision.toolcrib, input_ref, ...digest } }
}

/** The standard's record of one run of a hook, and the ref by which the call names that run. */
export function completeHook(hook: ToolHook, invocationId: string, sequence: number): ToolHook {
  return { ...hook, toolcrib: { ...hook.toolcrib, run_ref: hookRunRef(invocationId, sequence) } }
}

/** The position of a batch call in its queue. */
function closeQueue({ invocation, result }: CallStory, isYielded: boolean): void {
  const { scheduler_policy_ref: policy, scheduler = {}, status } = invocation
  if (policy === undefined) return
  let state: QueueState | undefined
  if (result) state = result.status === 'discarded' ? 'discarded' : 'completed'
  else if (invocation.started_at !== undefined) state = 'executing'
  else if (status === 'queued') state = 'queued'
  if (state === 'completed' && isYielded) state = 'yielded'
  if (state) invocation.scheduler = { state, ...scheduler }
}

/** The four inputs, each with a ref that says which version it is. */
function closeInputs({ invocation, inputs, mutations }: CallStory, judged: number): void {
  const id = invocation.invocation_id
  const last = inputs.length - 1
  // Hooks and people saw the version that schema and runtime had prepared; their changes come after it.
  const replaced = mutations.findIndex(({ source_type: by }) => by !== 'adapter' && by !== 'runtime')
  const observable = replaced === -1 ? last : replaced
  invocation.model_input = inputs[0]
  invocation.model_input_ref = inputRef(id, 0)
  if (invocation.status_transitions!.every(({ to }) => to !== 'arguments_ready')) return
  invocation.observable_input = inputs[observable]
  invocation.observable_input_ref = inputRef(id, observable)
  if (!invocation.permission_decision_refs) return
  invocation.permission_input = inputs[judged]
  invocation.permission_input_ref = inputRef(id, judged)
  if (invocation.started_at === undefined) return
  invocation.call_input = inputs[last]
  invocation.call_input_ref = inputRef(id, last)
}
