import type { ApprovalOutcome, OpenApproval } from '../../pipeline/permission/approvals.js'
import type { ToolcribApproval } from '../../contract/objects/toolcrib-approval.js'
import type { ApprovalStatus } from '../../contract/unions.js'
import { strayKey } from '../../platform/validation/check-options.js'
import type { SealKeys } from '../../platform/sealing/derive-keys.js'
import {
  examine,
  isRefusal,
  openContent,
  openEdited,
  sealed,
  settled,
  type KeptApproval,
  type WaitingCall,
} from '../../approvals/kept-approval.js'
import { isDue } from '../../approvals/may-be-answered.js'
import type { Refusal } from '../../approvals/refusal.js'
import { digestInput } from '../../approvals/sign-approval.js'
import { whatChanged } from '../../approvals/what-changed.js'
import type { ApprovalAnswer } from '../../policy/decision.js'
import { approvalWrite, changeWrite, readApproval, type FoundApproval } from './approval-documents.js'
import type { ApprovalsParts } from './approvals-parts.js'
import { answerOf, writeAnswer, type AnswerGiven } from './write-answer.js'
import { MAX_TIMER_MS } from '../../platform/async/max-timer-ms.js'

export interface QuestionParts {
  parts: ApprovalsParts
  keys: SealKeys
  kept: KeptApproval
  waiting: WaitingCall
  /** Called when the question has ended. */
  onEnd(): void
}

/** An approval that this process waits for, until it is answered, expires or is withdrawn. */
export class OpenQuestion implements OpenApproval {
  readonly outcome: Promise<ApprovalOutcome>
  readonly isStored: Promise<void>
  readonly #parts: ApprovalsParts
  readonly #keys: SealKeys
  readonly #waiting: WaitingCall
  readonly #onEnd: () => void
  readonly #key: { tenant: string; id: string }
  readonly #binding: string
  #kept: KeptApproval
  /** The revision of the document; 0 while it is not stored. */
  #written = 0
  #publishing: Promise<void> | undefined = undefined
  #end!: (outcome: ApprovalOutcome) => void
  #markStored!: () => void
  #timer: NodeJS.Timeout | undefined = undefined
  #hasEnded = false
  #isSettled = false

  constructor({ parts, keys, kept, waiting, onEnd }: QuestionParts) {
    this.#parts = parts
    this.#keys = keys
    this.#kept = kept
    this.#waiting = waiting
    this.#onEnd = onEnd
    this.#key = { tenant: kept.approval.tenant, id: kept.approval.approval_id }
    this.#binding = kept.proof.binding
    this.outcome = new Promise((resolve) => (this.#end = resolve))
    this.isStored = new Promise((resolve) => (this.#markStored = resolve))
  }

  get approval(): ToolcribApproval {
    return this.#kept.approval
  }

  async keep(): Promise<void> {
    const isAskedHere = this.#publishing === undefined
    // An approver in this process often answers immediately: then the approval is not published.
    if (isAskedHere) await this.#giveTurn()
    if (isAskedHere && this.approval.answer) return
    await this.publish()
    this.#armExpiry()
    const durable = this.#parts.journal.durable()
    durable.then(this.#markStored, () => {})
    if (!isAskedHere) await durable
  }

  async #giveTurn(): Promise<void> {
    let turn: NodeJS.Immediate | undefined
    await Promise.race([this.outcome, new Promise((resolve) => (turn = setImmediate(resolve)))])
    clearImmediate(turn)
  }

  /** Stores the approval for reviewers, in one group with the event that announces it. */
  publish(): Promise<void> {
    if (this.#publishing) return this.#publishing
    const { journal, now } = this.#parts
    this.#kept = sealed(this.#keys, this.#kept, this.#waiting)
    journal.accompany(approvalWrite(this.#key, this.#kept, { now: now(), expectedRevision: 0 }))
    journal.accompany(changeWrite('changed', now()))
    // In a later microtask: the event may still follow in this one.
    this.#publishing = Promise.resolve()
      .then(() => journal.flush())
      .then(() => void (this.#written = 1))
    // The callers of `publish` get the failure; it must not be an unhandled rejection.
    this.#publishing.catch(() => {})
    return this.#publishing
  }

  #finish(came: ApprovalOutcome): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    clearTimeout(this.#timer)
    this.#onEnd()
    this.#end(came)
  }

  #refuse(refusal: Refusal): void {
    this.#finish({ kind: 'refused', refusal })
  }

  #armExpiry(): void {
    if (this.#hasEnded) return
    const waitMs = Date.parse(this.approval.expires_at) - this.#parts.now()
    this.#timer = setTimeout(() => this.#onTime(), Math.min(MAX_TIMER_MS, Math.max(1, waitMs)))
    this.#timer.unref()
  }

  #onTime(): void {
    if (this.#hasEnded) return
    if (isDue(this.approval, this.#parts.now())) void this.#expire()
    else this.#armExpiry()
  }

  /** By compare-and-set: an answer that was faster counts. */
  async #expire(): Promise<void> {
    const { store, now } = this.#parts
    const ended = settled(this.#kept, 'expired')
    try {
      const { conflictingDocuments } = await store.write({
        documents: [approvalWrite(this.#key, ended, { now: now(), expectedRevision: this.#written })],
      })
      if (conflictingDocuments.length > 0) return await this.look()
      this.#kept = ended
      this.#isSettled = true
    } catch {
      // The store fails now; the end of the call writes it.
    }
    this.#finish({ kind: 'expired' })
  }

  /** Checks whether the store has an answer. */
  async look(): Promise<void> {
    if (this.#hasEnded || this.#written === 0) return
    const found = await readApproval(this.#parts.store, this.#key.tenant, this.#key.id)
    if (this.#hasEnded || found?.revision === this.#written) return
    const message = `The approval ${this.#key.id} is gone from the store.`
    if (found) this.take(found)
    else this.#refuse({ code: 'toolcrib.approval_forged', message })
  }

  /** Applies a stored answer if it is genuine. */
  take(found: FoundApproval): void {
    const { id } = this.#key
    const examined = examine(this.#keys, found.kept, this.#key)
    // Signed with another key, or another question under this id: the process knows its own question.
    if (isRefusal(examined) || found.kept.proof.binding !== this.#binding) {
      const isKnown = isRefusal(examined) && examined.code !== 'toolcrib.approval_other_key'
      const message = `The approval ${id} is not the one that was asked.`
      return this.#refuse(isKnown ? examined : { code: 'toolcrib.approval_forged', message })
    }
    this.#kept = found.kept
    this.#written = found.revision
    const { status, answer } = found.kept.approval
    switch (status) {
      case 'pending':
        return
      case 'approved':
      case 'rejected': {
        const edited = openEdited(this.#keys, this.#kept)
        if (isRefusal(edited)) return this.#refuse(edited)
        const content = openContent(this.#keys, this.#kept)
        if (isRefusal(content)) return this.#refuse(content)
        return this.#finish({ kind: 'answered', answer: answer!, edited, content })
      }
      case 'expired':
        return this.#finish({ kind: 'expired' })
      case 'withdrawn':
      case 'superseded':
      case 'used': {
        const message = `Another process has gone on with the call behind the approval ${id}.`
        return this.#refuse({ code: 'toolcrib.approval_withdrawn', message })
      }
    }
  }

  async answerHere(
    answer: ApprovalAnswer | undefined,
    { isLast }: { isLast: boolean },
  ): Promise<Refusal | undefined> {
    const isAnswer = typeof answer === 'object' && answer !== null && typeof answer.approved === 'boolean'
    const stray = isAnswer ? strayKey('An approver’s answer', 'key', answer, ANSWER_KEYS) : undefined
    // While reviewers can still answer, an approver that failed or gave no decision does not decide for them.
    const othersMayAnswer = this.#parts.reviewers.length > 0
    if ((!isAnswer || stray !== undefined) && othersMayAnswer) return undefined
    const given = toGiven(isAnswer && stray === undefined ? answer : { approved: false, feedback: stray })
    try {
      if (this.#publishing) await this.#publishing
      if (this.#hasEnded) return undefined
      const found = { kept: this.#kept, revision: this.#written }
      const [keys, key, waiting] = [this.#keys, this.#key, this.#waiting]
      const parts = { keys, key, found, waiting, given, reviewers: undefined }
      const write = this.#publishing ? writeAnswer : answerOf
      let answered = await write(this.#parts, parts)
      // An approval with a rule also approves this call: it stays valid if the rule cannot be changed.
      if (answered !== 'moved on' && isRefusal(answered) && isOfUpdate(answered))
        answered = await write(this.#parts, {
          ...parts,
          given: { ...given, scope: 'once', update: undefined },
        })
      if (answered === 'moved on') {
        await this.look()
        return undefined
      }
      if (isRefusal(answered)) {
        if (!isLast && answered.code === 'toolcrib.answer_invalid') return answered
        // A form that this approver cannot fill in, or may not, waits for the reviewers.
        if (this.approval.form === undefined || !othersMayAnswer) this.#refuse(answered)
        return undefined
      }
      this.#kept = answered.kept
      this.#written = answered.revision
      const { edited, content } = answered
      this.#finish({ kind: 'answered', answer: answered.kept.approval.answer!, edited, content })
    } catch (error) {
      this.#finish({ kind: 'unrecordable', error })
    }
    return undefined
  }

  changedSince({ fingerprint, input }: { fingerprint: string; input: unknown }) {
    const { inputs, judged } = this.#waiting
    return whatChanged(this.approval, {
      fingerprint,
      policyRevision: this.#parts.policyRevision(),
      inputDigest: input === inputs[judged] ? this.approval.input_digest : digestInput(this.#keys, input),
    })
  }

  settle(status: ApprovalStatus | undefined): void {
    this.#finish({ kind: 'suspended' })
    if (status === undefined || this.#isSettled) return
    this.#isSettled = true
    this.#kept = settled(this.#kept, status)
    const { journal, now } = this.#parts
    journal.accompany(approvalWrite(this.#key, this.#kept, { now: now() }))
    // A question that was never published needs no notification.
    if (this.#publishing) journal.accompany(changeWrite('changed', now()))
  }

  suspend(): void {
    this.#finish({ kind: 'suspended' })
  }
}

const ANSWER_KEYS = [
  'approved',
  'feedback',
  'updatedInput',
  'by',
  'scope',
  'update',
  'content',
] as const satisfies readonly (keyof Extract<ApprovalAnswer, { approved: true }>)[]

function isOfUpdate({ code }: Refusal): boolean {
  return code === 'toolcrib.update_not_accepted' || code === 'toolcrib.update_not_offered'
}

function toGiven(answer: ApprovalAnswer): AnswerGiven {
  const by = typeof answer.by === 'string' && answer.by !== '' ? answer.by : 'approver'
  const feedback = typeof answer.feedback === 'string' ? answer.feedback : undefined
  if (answer.approved !== true) return { approved: false, by, feedback }
  const { scope, update, content } = answer
  return { approved: true, by, feedback, scope, update, content, whole: answer.updatedInput }
}
