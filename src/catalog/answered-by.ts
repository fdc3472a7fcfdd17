import type { JsonSchema } from '../contract/json-schema.js'

/** For tools whose calls a person answers. The output schema is the form, and the answer is the result. */
export interface AnsweredByPerson {
  /** A label by which questions are sorted, such as `refunds`. */
  readonly queue?: string | undefined
  /** Only these of the crib's reviewers may answer. Absent: all of them. */
  readonly reviewers?: readonly string[] | undefined
  /** How long a question stays open. Absent: the crib's time. */
  readonly expiresMs?: number | undefined
  /** How often people are reminded of an open question. Absent: never. */
  readonly remindMs?: number | undefined
  /**
   * Sends the question out once it is on disk, and again for each reminder. At least once: also after a restart, if it
   * was not confirmed. A failure is recorded and repeated a few times; the question stays open in any case.
   */
  readonly announce?: ((question: PersonQuestion, context: AnnounceContext) => unknown) | undefined
  /** Where answers come back that no person gives to Toolcrib directly. */
  readonly answers?: AnswerChannel | undefined
}

/** A question as it leaves Toolcrib: secrets are masked. */
export interface PersonQuestion {
  readonly approvalId: string
  readonly invocationId: string
  readonly toolId: string
  readonly title: string
  readonly description: string
  readonly queue?: string | undefined
  readonly input: unknown
  /** The schema of the answer. */
  readonly form: JsonSchema
  /** ISO 8601. */
  readonly createdAt: string
  readonly expiresAt: string
  /** 0: the question itself; above: its reminders. */
  readonly reminder: number
}

export interface AnnounceContext {
  /** Aborted when the time for one attempt is over, and when the crib closes. */
  readonly signal: AbortSignal
  readonly tenant: string
  /** From 1. */
  readonly attempt: number
  /** The same for all attempts to send the same question or reminder. */
  readonly idempotencyKey: string
}

export interface AnswerChannel {
  /** Named in the record as the one who answered, such as `queue:refund-answers`. */
  readonly name: string
  /** Receives answers until the signal is aborted. Called while a question of the tool is open. */
  listen(take: TakeAnswer, signal: AbortSignal): void | Promise<void>
}

/** An answer that came back over a channel. */
export interface ChannelAnswer {
  /** The id of the approval or of the invocation. */
  readonly correlationId: string
  /** What fits the form. */
  readonly content?: unknown
  /** Set where the person rejects the question. */
  readonly rejected?: { readonly feedback?: string | undefined } | undefined
}

export type AnswerTaken =
  | { readonly taken: true }
  /** `isOpen`: the question is open, and another answer may follow. `isKnown: false`: another system may know it. */
  | {
      readonly taken: false
      readonly isKnown: boolean
      readonly isOpen: boolean
      readonly message: string
    }

export type TakeAnswer = (answer: ChannelAnswer) => Promise<AnswerTaken>

/** The answer of a person, as the executor of such a tool gets it. */
export interface PersonAnswer {
  readonly content: unknown
  readonly by: string
  /** ISO 8601. */
  readonly at: string
  readonly approvalId: string
}
