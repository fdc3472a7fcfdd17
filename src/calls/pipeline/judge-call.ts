import type { ToolError } from '../../foundation/contract/objects/tool-error.js'
import { failedVerdict, readVerdict } from '../../judgement/policy/read-verdict.js'
import type { PermissionRequest, Verdict } from '../../judgement/policy/decision.js'
import type { CallFacts } from '../../supply/catalog/facts.js'
import { shareData } from '../../foundation/stores/event-list.js'
import { scrubValue } from '../../foundation/redaction/scrub.js'
import { record, type CallRun } from './call-run.js'
import type { CallState } from './call-state.js'
import { toolError } from './tool-error.js'

export interface Judged {
  verdict: Verdict
  facts: CallFacts
  request: PermissionRequest
}

/** Asks the judge about one input. A judge that breaks has denied. */
export function judgeCall(call: CallState, run: CallRun, input: unknown): Judged | Promise<Judged> {
  const tool = run.tool!
  const facts = tool.facts(input)
  const request = new Asked(call, run, input, facts)
  try {
    const answer = run.world.decider(request)
    if (!(answer instanceof Promise)) return { verdict: readVerdict(answer), facts, request }
    return answer.then(
      (settled) => ({ verdict: readVerdict(settled), facts, request }),
      (error) => ({ verdict: brokenJudge(error), facts, request }),
    )
  } catch (error) {
    return { verdict: brokenJudge(error), facts, request }
  }
}

function brokenJudge(error: unknown): Verdict {
  const message = error instanceof Error ? error.message : String(error)
  return failedVerdict(`The permission decider failed (${message}), so the call is denied.`)
}

// A class whose members are worked out when they are read: most judges look at two or three of them.
class Asked implements PermissionRequest {
  readonly #call: CallState
  readonly #run: CallRun
  readonly input: unknown
  readonly facts: CallFacts

  constructor(call: CallState, run: CallRun, input: unknown, facts: CallFacts) {
    this.#call = call
    this.#run = run
    this.input = input
    this.facts = facts
  }

  get invocationId(): string {
    return this.#call.invocationId
  }

  get toolId(): string {
    return this.#run.tool!.toolId
  }

  get namespace(): string {
    return this.#run.tool!.draft.namespace
  }

  get name(): string {
    return this.#run.tool!.draft.name
  }

  get kind(): string {
    return this.#run.tool!.draft.kind
  }

  get source(): string {
    return this.#run.tool!.source
  }

  get fingerprint(): string {
    return this.#run.tool!.fingerprint
  }

  get permission(): PermissionRequest['permission'] {
    return this.#run.tool!.draft.permission
  }

  get mode(): string {
    return this.#run.world.policyMode
  }

  get surfaceId(): string {
    return this.#call.surfaceId
  }

  get actor(): string | undefined {
    return this.#run.row.actor
  }

  get session(): string | undefined {
    return this.#run.row.session
  }

  get tenant(): string {
    return this.#run.row.tenant
  }

  get role(): string | undefined {
    return this.#run.surface.request.role
  }
}

/** The request as plain data, for whoever keeps it or hands it on. */
export function toPlainRequest(asked: PermissionRequest): PermissionRequest {
  const { invocationId, toolId, namespace, name, kind, source, fingerprint, input, facts } = asked
  const { permission, mode, surfaceId, actor, session, tenant, role } = asked
  return {
    invocationId,
    toolId,
    namespace,
    name,
    kind,
    source,
    fingerprint,
    input,
    facts,
    permission,
    mode,
    surfaceId,
    actor,
    session,
    tenant,
    role,
  }
}

/** What the log keeps of a decision; ids and times follow from its place there. */
export function recordDecision(
  run: CallRun,
  verdict: Verdict,
  { facts, more }: { facts?: CallFacts | undefined; more?: Record<string, unknown> },
): void {
  // A judge that gives the very same answer about the very same facts says nothing new: its words are kept once.
  const isConstant =
    run.secrets.length === 0 &&
    more === undefined &&
    facts !== undefined &&
    Object.isFrozen(verdict) &&
    Object.isFrozen(facts)
  const data = isConstant
    ? constantData(run, verdict, facts)
    : { decision: decisionOf(run, verdict, more), facts }
  record(run, 'tool.permission.decided', data, isConstant ? run.at : undefined)
}

function constantData(run: CallRun, verdict: Verdict, facts: CallFacts): object {
  const { prepared } = run.tool!
  const last = prepared.decision
  if (last?.verdict === verdict && last.facts === facts) return last.data
  const data = shareData({ decision: decisionOf(run, verdict), facts })
  prepared.decision = { verdict, facts, data }
  return data
}

export function decisionOf(run: CallRun, verdict: Verdict, more?: Record<string, unknown>): object {
  const { behavior, source, reason, rule_refs, policy_refs, suggested_updates, blocked_path, expires_at } =
    verdict
  return {
    behavior,
    mode: run.world.policyMode,
    source: source ?? 'toolcrib.decider',
    reason: scrubValue(reason, run.secrets) ?? { type: 'other' },
    rule_refs: scrubValue(rule_refs, run.secrets),
    policy_refs: scrubValue(policy_refs, run.secrets),
    suggested_updates: scrubValue(suggested_updates, run.secrets),
    blocked_path: scrubValue(blocked_path, run.secrets),
    expires_at,
    ...more,
  }
}

export function deniedBy(verdict: Verdict, run: CallRun): ToolError {
  const { reason, rule_refs, blocked_path } = scrubValue(verdict, run.secrets)
  return toolError(verdict.reason?.type === 'policy' ? 'policy_blocked' : 'permission_denied', {
    message: reason?.message ? `The call was denied: ${reason.message}` : 'The call was denied.',
    details: { ...(rule_refs && { rule_refs }), ...(blocked_path !== undefined && { blocked_path }) },
  })
}
