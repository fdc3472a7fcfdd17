import { AsyncResource } from 'node:async_hooks'
import type { ToolcribApproval } from '../../contract/objects/toolcrib-approval.js'
import type { EventClass } from '../../contract/unions.js'
import type { CallRow } from '../../storage/store.js'
import { isRefusal } from '../../approvals/kept-approval.js'
import { mayAnswer } from '../../approvals/may-answer.js'
import { currentCall } from '../../pipeline/execute/inside-call.js'
import {
  answerApproval,
  checkAnswerOptions,
  refusalError,
  type Answered,
  type AnswerOptions,
  type AnswerOutcome,
  type GoesOn,
} from './answer-approval.js'
import type { CallClaims } from './claim-calls.js'
import type { CribApprovals } from './crib-approvals.js'
import { recordLateAnswer } from './deliveries/late-answers.js'
import type { Questions } from './questions-module.js'
import { createOwnerCheck } from '../recovery/owner.js'
import { sweepCall, type SweepParts } from './sweep-approvals.js'

export interface ApprovalsApiParts {
  readonly questions: Questions
  readonly claims: CallClaims
  record(type: EventClass, tenant: string, data: object): void
}

/** For the other modules of the crib. */
export interface ApprovalsControl {
  /** An approval has changed. */
  notify(): Promise<void>
  /** Takes an answer that came over the channel of a tool. */
  answerFromChannel(id: string, given: AnswerOptions): Promise<AnswerOutcome>
  remind(approval: ToolcribApproval): void
}

type Listener = (approval: ToolcribApproval) => void

export function createApprovalsApi(
  parts: SweepParts,
  { questions, claims, record }: ApprovalsApiParts,
): { api: CribApprovals; control: ApprovalsControl } {
  const { store, now } = parts
  const { open, queries, changes: watched } = questions
  const listeners = new Set<Listener>()
  const reminded = new Set<Listener>()
  let known = new Map<string, ToolcribApproval>()

  /** A living owner continues the call; without one, this process resumes it if it can. */
  async function goOn({ approval, call }: Answered): Promise<GoesOn> {
    const own = open.get(approval.approval_id)
    if (own) {
      await own.look()
      return 'here'
    }
    if (call.owner === undefined || !(await createOwnerCheck(store, now)(call.owner))) return whereIs(call)
    const swept = await sweepCall(parts, claims.sweep, call, { mayClaim: true, isAnswering: true })
    if (swept === 'ended') return 'ended'
    const after = await store.getCall(call.tenant, call.invocationId)
    return swept === 'left' && after?.revision === call.revision ? 'unclaimed' : whereIs(after)
  }

  function whereIs(row: CallRow | undefined): GoesOn {
    if (row?.owner === undefined) return 'ended'
    return row.owner === parts.ownerId ? 'here' : 'elsewhere'
  }

  /** New open approvals, and approvals that are no longer open. */
  async function changes(): Promise<ToolcribApproval[]> {
    const pending = new Map<string, ToolcribApproval>()
    for (const approval of await queries.list({ status: 'pending' }))
      pending.set(approval.approval_id, approval)
    const changed = [...pending.values()].filter(({ approval_id: id }) => !known.has(id))
    for (const [id, { tenant }] of known) {
      const approval = pending.has(id) ? undefined : await queries.get(id, { tenant })
      if (approval) changed.push(approval)
    }
    known = pending
    return changed
  }

  async function give(
    id: string,
    given: AnswerOptions,
    options: { isFromChannel: boolean },
  ): Promise<AnswerOutcome> {
    checkAnswerOptions(given)
    await questions.publish()
    const { answering } = claims.sweep
    const place = { tenant: given.tenant ?? parts.tenant, id }
    answering.add(id)
    try {
      const outcome = await answerApproval(parts, place, given, options)
      if (!isRefusal(outcome)) {
        await store.sync()
        return { ok: true, approval: outcome.approval, goesOn: await goOn(outcome) }
      }
      if (outcome.code !== 'toolcrib.approval_expired') return { ok: false, error: refusalError(outcome) }
      claims.sweepSoon()
      const isRecorded = await recordLateAnswer({ ...parts, record }, place, given)
      const message = isRecorded
        ? `${outcome.message} The late answer was recorded and changes nothing.`
        : outcome.message
      return { ok: false, error: refusalError({ ...outcome, message }) }
    } finally {
      answering.delete(id)
    }
  }

  const api: CribApprovals = {
    ...queries,
    mayAnswer(approval, { by, roles, above = [] }) {
      const { reviewers } = parts
      const who = { by, roles, above: new Set(above), reviewers, insideCall: currentCall() }
      return mayAnswer(approval, who)?.message
    },
    answer: (id, given) => give(id, given, { isFromChannel: false }),
    watch(listener) {
      // The listener keeps the async context of its caller, wherever a change is noticed.
      const bound = AsyncResource.bind(quietly(listener))
      listeners.add(bound)
      const end = watched.listen({ unref: false })
      // The new listener also gets the approvals that are open already; the other listeners get nothing twice.
      queries
        .list({ status: 'pending' })
        .then((waiting) => waiting.filter(({ approval_id: id }) => known.has(id)).forEach(bound))
        .finally(watched.forget)
        .catch(() => {})
      return () => {
        listeners.delete(bound)
        end()
      }
    },
    watchReminders(listener) {
      const bound = AsyncResource.bind(quietly(listener))
      reminded.add(bound)
      return () => void reminded.delete(bound)
    },
  }
  return {
    api,
    control: {
      async notify() {
        if (listeners.size === 0) return
        for (const approval of await changes()) for (const listen of listeners) listen(approval)
      },
      answerFromChannel: (id, given) => give(id, given, { isFromChannel: true }),
      remind(approval) {
        for (const listen of reminded) listen(approval)
      },
    },
  }
}

/** A listener that throws does not affect others. */
function quietly(listener: Listener): Listener {
  return (approval) => {
    try {
      listener(approval)
    } catch {
      // The other listeners are still called.
    }
  }
}
