import { toAbortSignal, type StopListener } from '../../../platform/async/stop-signal.js'
import { isTooDeep } from '../../../platform/json/too-deep.js'
import { withMembers } from '../../../platform/json/with-members.js'
import type { JsonObject } from '../../../sources/mcp/protocol/json-rpc.js'
import { McpError, mcpErrorCodes } from '../../../sources/mcp/protocol/mcp-error.js'
import { metaKeys } from '../../../sources/mcp/protocol/meta-keys.js'
import type { McpClient, McpQuestion } from '../../../sources/mcp/protocol/mcp-client.js'
import { checkResponse } from './check-response.js'
import type { ClientProgram } from '../../../catalog/client-link.js'
import { programOf } from '../client-name.js'
import { checkAbility } from '../client-abilities.js'
import { forwardedMeta } from './forwarded-meta.js'
import type { Exchange } from '../gateway.js'
import { complete } from '../in-era.js'
import { ParkedQuestions, type ParkedQuestion } from './parked-questions.js'
import type { Connection } from '../connection.js'
import { notifyClient } from './notify-client.js'

/** A request that waits for the answer. It listens to its own cancellation. */
interface Waiter extends StopListener {
  readonly exchange: Exchange
  resolve(result: JsonObject): void
  reject(error: unknown): void
}

export type WorkOutcome = { result: JsonObject } | { error: unknown }

type Answers = Readonly<Record<string, JsonObject>>

/** What a work needs from the module that stores it. */
export interface WorkServices {
  /** The `input_required` result for a client that cannot be asked directly. */
  inputRequired(work: OpenWork, questions: Readonly<Record<string, McpQuestion>>): JsonObject
}

/**
 * The work for one request. It may continue after an interim answer: questions, a pending approval, or a task. Tools use
 * it to reach the client.
 */
export class OpenWork implements McpClient {
  readonly connection: Connection
  /** Counts how often questions were sent. */
  round = 0
  /** Set for a task: its client polls, and does not get questions as the answer to a request. */
  taskId: string | undefined = undefined
  /** The client knows how to resume it, so that the work continues when the client disconnects. */
  isResumable = false
  /** It asks for an approval now, which a reviewer can give as well. */
  asksApproval = false
  /** Called once, when there is an outcome. */
  onEnd: (() => void) | undefined = undefined
  /** Called when the server has turned the call into a task. */
  onServerTask: (() => void) | undefined = undefined
  readonly #services: WorkServices
  /** The exchange that was attached last. */
  #exchange: Exchange
  #waiters: readonly Waiter[] = []
  #parked: ParkedQuestions | undefined = undefined
  /** Answers that were sent before their questions. */
  #early: Answers | undefined
  #outcome: WorkOutcome | undefined = undefined
  #cancel: (() => void) | undefined = undefined
  #isResponseDue = false

  constructor(
    connection: Connection,
    services: WorkServices,
    { exchange, early }: { exchange: Exchange; early: Answers | undefined },
  ) {
    this.connection = connection
    this.#services = services
    this.#exchange = exchange
    this.#early = early
  }

  get program(): ClientProgram | undefined {
    return programOf(this.connection.client, this.#exchange.meta)
  }

  get capabilities(): JsonObject {
    return this.#exchange.capabilities
  }

  get meta(): JsonObject | undefined {
    return forwardedMeta(this.#exchange, this.connection)
  }

  get wantsProgress(): boolean {
    return this.#exchange.meta?.['progressToken'] !== undefined
  }

  get isDone(): boolean {
    return this.#outcome !== undefined
  }

  get hasWaiters(): boolean {
    return this.#waiters.length > 0
  }

  get outcome(): WorkOutcome | undefined {
    return this.#outcome
  }

  /** Whether it continues without a client. */
  get #isDetached(): boolean {
    return this.taskId !== undefined || this.isResumable
  }

  nameOf(toolId: string): string | undefined {
    return this.connection.names.nameOf(toolId)
  }

  continuesAsTask(): void {
    this.onServerTask?.()
  }

  /** The questions that the client has not answered yet. */
  questions(): Record<string, McpQuestion> {
    return this.#parked?.byKey() ?? {}
  }

  notify(method: string, params: JsonObject): void {
    for (const { exchange } of this.#waiters)
      notifyClient({ exchange, connection: this.connection }, method, params)
  }

  async ask(
    questions: Readonly<Record<string, McpQuestion>>,
    signal: AbortSignal,
  ): Promise<Record<string, JsonObject>> {
    signal.throwIfAborted()
    if (isTooDeep(questions))
      throw new McpError(mcpErrorCodes.invalidParams, 'The question is nested too deeply.')
    for (const question of Object.values(questions)) checkAbility(question, this.capabilities)
    const asked = Object.entries(questions).map(
      async ([key, question]) => [key, await this.#askOne(key, question, signal)] as const,
    )
    return Object.fromEntries(await Promise.all(asked))
  }

  #askOne(key: string, question: McpQuestion, signal: AbortSignal): Promise<JsonObject> {
    const early = this.#early?.[key]
    if (early && this.#exchange.era === 'modern') {
      const { [key]: _, ...rest } = this.#early!
      this.#early = rest
      checkResponse(key, question, early)
      return Promise.resolve(early)
    }
    const last = this.#waiters.at(-1)?.exchange
    if (last && !this.#isDetached) {
      if (last.ask) return last.ask(question, signal)
      if (last.era === 'legacy') return Promise.reject(cannotBeAsked())
    }
    this.#parked ??= new ParkedQuestions()
    // Parked until it is answered: the client that is asked now may disconnect before.
    return this.#parked.park(key, { question, signal }, (parked) =>
      last?.ask ? this.#askDirectly(last, parked) : this.#respondSoon(),
    )
  }

  /** Asks a client that can be asked directly. If it disconnects, the question of a detached work stays open. */
  #askDirectly(exchange: Exchange, { question, signal, answer, refuse }: ParkedQuestion): void {
    exchange.ask!(this.#inTask(question), AbortSignal.any([signal, toAbortSignal(exchange.signal)])).then(
      answer,
      (why) => {
        if (!this.#isDetached || !exchange.signal.aborted) refuse(why)
      },
    )
  }

  /** A question of a task names the task. */
  #inTask(question: McpQuestion): McpQuestion {
    if (this.taskId === undefined) return question
    const { params = {} } = question
    const _meta = {
      ...(params['_meta'] as JsonObject | undefined),
      [metaKeys.relatedTask]: { taskId: this.taskId },
    }
    return { ...question, params: { ...params, _meta } }
  }

  /** Accepts the answers to open questions and ignores others. If one is invalid, it throws and accepts none. */
  take(answers: Answers): void {
    this.#parked?.take(answers)
  }

  /** Sets the promise of the work, and how it is canceled. */
  begin(work: Promise<JsonObject>, cancel: () => void): void {
    this.#cancel = cancel
    work.then(
      (result) => this.#end({ result }),
      (error: unknown) => this.#end({ error }),
    )
  }

  /** The answer to this request: the result, or an interim answer. */
  attach(exchange: Exchange): Promise<JsonObject> {
    this.#exchange = exchange
    return new Promise((resolve, reject) => {
      const waiter: Waiter = { exchange, resolve, reject, handleEvent: () => this.#dropWaiter(waiter) }
      this.#waiters = [...this.#waiters, waiter]
      if (this.#outcome) return this.#respond()
      exchange.signal.addEventListener('abort', waiter)
      if (exchange.signal.aborted) this.#dropWaiter(waiter)
      else if (this.#parked?.size) this.#askParked(exchange)
    })
  }

  /** The client has disconnected or canceled the request. */
  #dropWaiter(waiter: Waiter): void {
    const lost = this.#removeWaiters((each) => each === waiter)
    for (const { reject } of lost) reject(new McpError(mcpErrorCodes.internal, 'The request was canceled.'))
    if (lost.length > 0 && !this.hasWaiters && !this.#isDetached) this.cancel()
  }

  cancel(): void {
    this.#cancel?.()
  }

  /** The client does not or cannot come back with answers. A pending approval stays open without the client. */
  abandon(why: unknown): void {
    if (this.taskId !== undefined) return
    if (!this.isResumable && !this.asksApproval) return this.cancel()
    for (const { refuse } of this.#parked?.all() ?? []) refuse(why)
  }

  /** Cancels this work in favor of an earlier call that is the same: its waiters get the answer of that call. */
  redirect(earlier: (exchange: Exchange) => Promise<JsonObject>): void {
    for (const { exchange, resolve, reject } of this.#removeWaiters(() => true))
      earlier(exchange).then(resolve, reject)
    this.cancel()
  }

  /** Answers all waiters, or one, with something other than the result; the work continues. */
  answerInterim(result: JsonObject, only?: Exchange): void {
    const answered = this.#removeWaiters(({ exchange }) => only === undefined || exchange === only)
    for (const { resolve } of answered) resolve(result)
  }

  #end(outcome: WorkOutcome): void {
    this.#outcome = outcome
    this.onEnd?.()
    this.#respond()
  }

  /** Responds in the next turn, when all questions that are asked at the same time are there. */
  #respondSoon(): void {
    if (this.#isResponseDue) return
    this.#isResponseDue = true
    setImmediate(() => {
      this.#isResponseDue = false
      this.#respond()
    })
  }

  #respond(): void {
    const outcome = this.#outcome
    if (outcome) {
      for (const { resolve, reject, exchange } of this.#removeWaiters(() => true)) {
        if ('result' in outcome) resolve(complete(withMembers({}, outcome.result), exchange.era))
        else reject(outcome.error)
      }
      return
    }
    if (!this.#parked?.size || this.taskId !== undefined) return
    const isModern = ({ exchange }: Waiter): boolean => exchange.era === 'modern'
    if (!this.#waiters.some(isModern)) return
    try {
      const questions = this.#services.inputRequired(this, this.questions())
      for (const { resolve } of this.#removeWaiters(isModern)) resolve(questions)
    } catch (error) {
      // The waiters then get the answer that a reviewer's approval is pending.
      if (this.asksApproval) return this.abandon(error)
      for (const { reject } of this.#removeWaiters(isModern)) reject(error)
      this.abandon(error)
    }
  }

  /** Asks a client that has come back the questions that are parked. */
  #askParked(exchange: Exchange): void {
    const parked = this.#parked!.all()
    if (exchange.ask) for (const each of parked) this.#askDirectly(exchange, each)
    else if (exchange.era === 'modern') this.#respondSoon()
    else if (this.taskId === undefined) for (const { refuse } of parked) refuse(cannotBeAsked())
  }

  #removeWaiters(isRemoved: (waiter: Waiter) => boolean): readonly Waiter[] {
    const removed = this.#waiters.filter(isRemoved)
    if (removed.length > 0) this.#waiters = this.#waiters.filter((waiter) => !removed.includes(waiter))
    for (const waiter of removed) waiter.exchange.signal.removeEventListener('abort', waiter)
    return removed
  }
}

function cannotBeAsked(): McpError {
  return new McpError(mcpErrorCodes.invalidRequest, 'This connection has no way to ask the client.')
}
