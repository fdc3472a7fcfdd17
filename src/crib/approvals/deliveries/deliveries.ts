import { isoTime } from '../../../contract/iso-time.js'
import type { ToolcribApproval } from '../../../contract/objects/toolcrib-approval.js'
import type { EventClass } from '../../../contract/unions.js'
import type { JsonSchema } from '../../../contract/json-schema.js'
import { MAX_TIMER_MS } from '../../../platform/async/max-timer-ms.js'
import { withTimeLimit } from '../../../platform/async/with-time-limit.js'
import { unlessAborted } from '../../../platform/async/unless-aborted.js'
import { errorMessage } from '../../../platform/text/error-message.js'
import type { AnsweredByPerson, PersonQuestion } from '../../../catalog/answered-by.js'
import { isAskedByRule } from '../../../approvals/is-asked-by-rule.js'
import { isDue } from '../../../approvals/may-be-answered.js'
import { outsideCalls } from '../../../pipeline/execute/inside-call.js'
import { readApproval } from '../approval-documents.js'
import type { SweepParts } from '../sweep-approvals.js'
import { createOwnerCheck } from '../../recovery/owner.js'
import type { AnswerChannels } from './answer-channels.js'
import {
  changeDelivery,
  readDelivery,
  type Delivery,
  type DeliveryKey,
  type DeliveryRecord,
} from './delivery-documents.js'
import { nextDelivery, type NextDelivery } from './next-delivery.js'
import { abortAfter } from '../../../platform/async/abort-after.js'

const ATTEMPT_MS = 30_000
/** Longer than an attempt: a process that stands still must not send at the same time as another. */
const SENDER_MS = 60_000
const RETRY_MS = 5_000
const CHECK_MS = 60_000

export interface DeliveryParts extends SweepParts {
  readonly channels: AnswerChannels
  record(type: EventClass, tenant: string, data: object): void
  onReminder(approval: ToolcribApproval): void
}

/** The open questions that this process makes known. */
export interface Deliveries {
  /** Follows a question that is on disk, until it is closed. */
  follow(approval: ToolcribApproval): void
  forget(approvalId: string): void
  /** Sends what was not sent yet, if that does not take longer. */
  stop(options: { graceMs: number }): Promise<void>
}

interface Followed {
  readonly approval: ToolcribApproval
  timer?: NodeJS.Timeout | undefined
  /** Whether it was looked at. */
  isKnown: boolean
}

export function createDeliveries(parts: DeliveryParts): Deliveries {
  const { store, now } = parts
  const followed = new Map<string, Followed>()
  const working = new Set<Promise<void>>()
  const ending = new AbortController()

  function forget(id: string): void {
    const known = followed.get(id)
    if (!known) return
    followed.delete(id)
    clearTimeout(known.timer)
    parts.channels.release(known.approval)
  }

  function lookAt(known: Followed, waitMs: number): void {
    clearTimeout(known.timer)
    const { approval_id: id } = known.approval
    known.timer = setTimeout(
      () => {
        if (!ending.signal.aborted && followed.get(id) === known) work(known)
      },
      Math.min(MAX_TIMER_MS, Math.max(0, waitMs)),
    )
    known.timer.unref()
  }

  function work(known: Followed): void {
    // A failure of the store is repeated, like everything else here.
    const going = goOn(known)
      .catch(() => lookAt(known, RETRY_MS))
      .finally(() => working.delete(going))
    working.add(going)
  }

  async function goOn(known: Followed): Promise<void> {
    const { approval } = known
    known.isKnown = true
    const key = { tenant: approval.tenant, id: approval.approval_id }
    const person = personOf(parts, approval)
    const found = await readApproval(store, key.tenant, key.id)
    const isOpen = found?.kept.approval.status === 'pending' && !isDue(approval, now())
    if (!person || !isOpen) return forget(key.id)
    const next = nextDelivery(approval, await readDelivery(store, key), person)
    const waitMs = (next?.at ?? Number.POSITIVE_INFINITY) - now()
    // Another process may have closed the question: nobody listens for its answer then.
    if (!next || waitMs > 0) return lookAt(known, person.answers ? Math.min(waitMs, CHECK_MS) : waitMs)
    const isMine = await claim(parts, { key, next })
    if (isMine) await send(parts, { approval, person, next, ended: ending.signal })
    lookAt(known, isMine ? 0 : RETRY_MS)
  }

  return {
    follow(approval) {
      const { approval_id: id } = approval
      const person = personOf(parts, approval)
      if (followed.has(id) || ending.signal.aborted || !person) return
      const known: Followed = { approval, isKnown: false }
      followed.set(id, known)
      outsideCalls(() => {
        if (person.answers) parts.channels.hold(approval)
        lookAt(known, 0)
      })
    },
    forget,
    async stop({ graceMs }) {
      // A short program ends as soon as its question is on disk: what is due now is sent first.
      for (const known of followed.values()) if (!known.isKnown) work(known)
      await withTimeLimit(Promise.allSettled(working), Math.min(graceMs, ATTEMPT_MS))
      ending.abort()
      for (const id of followed.keys()) forget(id)
      parts.channels.close()
      await Promise.allSettled(working)
    },
  }
}

/** If a rule asks about the call, it is also about the service of the tool: people are reminded here alone. */
function personOf(
  { catalog }: DeliveryParts,
  { tool_id: id, decision }: ToolcribApproval,
): AnsweredByPerson | undefined {
  const person = catalog.get(id)?.draft.answeredBy
  if (!person || !isAskedByRule(decision.reason)) return person
  return { ...person, announce: undefined, answers: undefined }
}

/** One process sends; another takes over if the first has ended or takes too long. */
async function claim(
  { store, now, ownerId }: DeliveryParts,
  { key, next }: { key: DeliveryKey; next: NextDelivery },
): Promise<boolean> {
  const { sender } = await readDelivery(store, key)
  const isDead =
    sender !== undefined && sender.owner !== ownerId && (await createOwnerCheck(store, now)(sender.owner))
  const claimed = await changeDelivery(store, key, {
    now,
    change(found) {
      const isSame = found.sender?.owner === sender?.owner && found.sender?.until === sender?.until
      const isFree = found.sender === undefined || found.sender.until <= now() || isDead
      if (!isSame || !isFree || isDone(found, next)) return undefined
      const mine = { ...found, sender: { owner: ownerId, until: now() + SENDER_MS } }
      // Counted before it is sent: a process that ends meanwhile has used up one attempt.
      return next.kind === 'announce'
        ? { ...mine, triedAt: now(), record: { ...found.record, attempts: next.attempt } }
        : mine
    },
  })
  return claimed !== undefined
}

function isDone({ record }: Delivery, next: NextDelivery): boolean {
  return next.kind === 'announce'
    ? record.announced_at !== undefined || (record.attempts ?? 0) >= next.attempt
    : (record.reminders ?? 0) >= next.reminder
}

interface Sending {
  readonly approval: ToolcribApproval
  readonly person: AnsweredByPerson
  readonly next: NextDelivery
  /** Aborted when the crib has closed. */
  readonly ended: AbortSignal
}

async function send(parts: DeliveryParts, sending: Sending): Promise<void> {
  const { approval, person, next } = sending
  const { store, now } = parts
  const { tenant, approval_id: id } = approval
  const about = { approval_id: id, invocation_id: approval.invocation_id, tool_id: approval.tool_id }
  const problem = person.announce && (await announce(parts, sending))
  const at = isoTime(now())
  const done: DeliveryRecord =
    next.kind === 'remind'
      ? { reminders: next.reminder, reminded_at: at }
      : problem === undefined
        ? { announced_at: at }
        : {}
  const attempt = next.kind === 'announce' ? next.attempt : 1
  if (next.kind === 'remind') {
    parts.record('toolcrib.approval.reminded', tenant, { ...about, reminder: next.reminder })
    parts.onReminder(approval)
  }
  if (problem !== undefined)
    parts.record('toolcrib.approval.announce_failed', tenant, { ...about, attempt, message: problem })
  else if (next.kind === 'announce')
    parts.record('toolcrib.approval.announced', tenant, { ...about, attempt })
  await changeDelivery(
    store,
    { tenant, id },
    {
      now,
      change({ sender: _sender, record: { problem: _problem, ...record }, ...rest }) {
        return { ...rest, record: { ...record, ...done, ...(problem !== undefined && { problem }) } }
      },
    },
  )
}

/** Why it could not be sent; undefined if it was. */
async function announce(
  { redactor }: DeliveryParts,
  { approval, person, next, ended }: Sending,
): Promise<string | undefined> {
  const reminder = next.kind === 'remind' ? next.reminder : 0
  const signal = abortAfter(ATTEMPT_MS, ended)
  try {
    const context = {
      signal,
      tenant: approval.tenant,
      attempt: next.kind === 'announce' ? next.attempt : 1,
      idempotencyKey: `${approval.approval_id}_${reminder}`,
    }
    // In a function: an announcement that throws at once has failed like one that rejects.
    const sending = (async () => person.announce!(questionOf(approval, reminder), context))()
    await unlessAborted(sending, signal)
    return undefined
  } catch (error) {
    if (signal.aborted) return 'It took too long, or the process was closed.'
    return redactor.text(errorMessage(error))
  }
}

function questionOf(approval: ToolcribApproval, reminder: number): PersonQuestion {
  return {
    approvalId: approval.approval_id,
    invocationId: approval.invocation_id,
    toolId: approval.tool_id,
    title: approval.title,
    description: approval.description,
    queue: approval.queue,
    input: approval.input,
    form: approval.form as JsonSchema,
    createdAt: approval.created_at,
    expiresAt: approval.expires_at,
    reminder,
  }
}
