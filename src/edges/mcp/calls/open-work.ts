import { isTooDeep } from '../../../sources/mcp/protocol/is-too-deep.js'
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
import { tellClient } from './tell-client.js'

interface Waiter {
  readonly exchange: Exchange
  resolve(result: JsonObject): void
  reject(error: unknown): void
}

export type WorkOutcome = { result: JsonObject } | { error: unknown }

type Answers = Readonly<Record<string, JsonObject>>

/** What becomes of work whose client has to do something before it goes on. */
export interface WorkServices {
  /** The result that puts the questions to a client that cannot be asked directly. */
  inputRequired(work: OpenWork, questions: Readonly<Record<string, McpQuestion>>): JsonObject
}

/**
 * What is done for one request, and may go on when that has been answered: with questions, with the news that a person
 * is waited for, or as a task. It is also the link by which tools reach the client.
 */
export class OpenWork implements McpClient {
  readonly connection: Connection
  /** Grows with every time that questions go out. */
  round = 0
  /** Set where it goes on by itself: its client looks for it, and is not answered with what it asks. */
  taskId: string | undefined = undefined
  /** Its client has been told how to come back for it: one that goes away meanwhile ends nothing. */
  isKept = false
  /** What it asks now is whether it may run, which others can answer too. */
  asksApproval = false
  /** Told once, when there is an outcome. */
  onEnd: (() => void) | undefined = undefined
  /** Told when the server behind it has made a task of it. */
  onAlone: (() => void) | undefined = undefined
  readonly #services: WorkServices
  /** The latest. */
  #exchange: Exchange
  #waiters: readonly Waiter[] = []
  #parked: ParkedQuestions | undefined = undefined
  /** Answers that came before their questions. */
  #early: Answers | undefined
  #outcome: WorkOutcome | undefined = undefined
  #cancel: (() => void) | undefined = undefined
  #isLookDue = false

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
    return programOf(this.connection.met, this.#exchange.meta)
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

  get isWaitedFor(): boolean {
    return this.#waiters.length > 0
  }

  get outcome(): WorkOutcome | undefined {
    return this.#outcome
  }

  /** Whether it goes on without any client. */
  get #isAlone(): boolean {
    return this.taskId !== undefined || this.isKept
  }

  nameOf(toolId: string): string | undefined {
    return this.connection.names.nameOf(toolId)
  }

  goesOnAlone(): void {
    this.onAlone?.()
  }

  /** What the client has still to answer. */
  questions(): Record<string, McpQuestion> {
    return this.#parked?.byKey() ?? {}
  }

  notify(method: string, params: JsonObject): void {
    for (const { exchange } of this.#waiters)
      tellClient({ exchange, connection: this.connection }, method, params)
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
    if (last && !this.#isAlone) {
      if (last.ask) return last.ask(question, signal)
      if (last.era === 'legacy') return Promise.reject(cannotBeAsked())
    }
    this.#parked ??= new ParkedQuestions()
    // Kept until it is answered: who is asked now may be gone before.
    return this.#parked.park(key, { question, signal }, (parked) =>
      last?.ask ? this.#askOver(last, parked) : this.#lookSoon(),
    )
  }

  /** Asks a client that can be asked directly. One that goes away has not answered. */
  #askOver(exchange: Exchange, { question, signal, answer, refuse }: ParkedQuestion): void {
    exchange.ask!(this.#inTask(question), AbortSignal.any([signal, exchange.signal])).then(answer, (why) => {
      if (!this.#isAlone || !exchange.signal.aborted) refuse(why)
    })
  }

  /** A question of a task says whose it is. */
  #inTask(question: McpQuestion): McpQuestion {
    if (this.taskId === undefined) return question
    const { params = {} } = question
    const _meta = {
      ...(params['_meta'] as JsonObject | undefined),
      [metaKeys.relatedTask]: { taskId: this.taskId },
    }
    return { ...question, params: { ...params, _meta } }
  }

  /** Takes the answers that fit; others are ignored. Throws where one is no answer, and then takes none. */
  take(answers: Answers): void {
    this.#parked?.take(answers)
  }

  /** The work itself, and how it is ended. */
  begin(work: Promise<JsonObject>, cancel: () => void): void {
    this.#cancel = cancel
    work.then(
      (result) => this.#end({ result }),
      (error: unknown) => this.#end({ error }),
    )
  }

  /** The answer to this request: the result, or what has to be done before there is one. */
  attach(exchange: Exchange): Promise<JsonObject> {
    this.#exchange = exchange
    return new Promise((resolve, reject) => {
      this.#waiters = [...this.#waiters, { exchange, resolve, reject }]
      if (this.#outcome) return this.#look()
      exchange.signal.addEventListener('abort', this)
      if (exchange.signal.aborted) this.#lose(exchange.signal)
      else if (this.#parked?.size) this.#askParked(exchange)
    })
  }

  handleEvent({ currentTarget }: Event): void {
    this.#lose(currentTarget as AbortSignal)
  }

  /** The client is gone, or wants it no more. */
  #lose(signal: AbortSignal): void {
    const lost = this.#leave(({ exchange }) => exchange.signal === signal)
    for (const { reject } of lost) reject(new McpError(mcpErrorCodes.internal, 'The request was canceled.'))
    if (lost.length > 0 && !this.isWaitedFor && !this.#isAlone) this.cancel()
  }

  cancel(): void {
    this.#cancel?.()
  }

  /** Nobody comes back with the answers, or can. What waits for a person waits on without this client. */
  giveUp(why: unknown): void {
    if (this.taskId !== undefined) return
    if (!this.isKept && !this.asksApproval) return this.cancel()
    for (const { refuse } of this.#parked?.all() ?? []) refuse(why)
  }

  /** Ends, for an earlier call is the same: whoever waits gets the answer of that one. */
  handOver(earlier: (exchange: Exchange) => Promise<JsonObject>): void {
    for (const { exchange, resolve, reject } of this.#leave(() => true))
      earlier(exchange).then(resolve, reject)
    this.cancel()
  }

  /** Answers whoever waits, or one of them, with something that is not the result; the work goes on. */
  answerMeanwhile(result: JsonObject, only?: Exchange): void {
    const answered = this.#leave(({ exchange }) => only === undefined || exchange === only)
    for (const { resolve } of answered) resolve(result)
  }

  #end(outcome: WorkOutcome): void {
    this.#outcome = outcome
    this.onEnd?.()
    this.#look()
  }

  /** Once all that is asked at the same time is there. */
  #lookSoon(): void {
    if (this.#isLookDue) return
    this.#isLookDue = true
    setImmediate(() => {
      this.#isLookDue = false
      this.#look()
    })
  }

  #look(): void {
    const outcome = this.#outcome
    if (outcome) {
      for (const { resolve, reject, exchange } of this.#leave(() => true)) {
        if ('result' in outcome) resolve(complete({ ...outcome.result }, exchange.era))
        else reject(outcome.error)
      }
      return
    }
    if (!this.#parked?.size || this.taskId !== undefined) return
    const isModern = ({ exchange }: Waiter): boolean => exchange.era === 'modern'
    if (!this.#waiters.some(isModern)) return
    try {
      const questions = this.#services.inputRequired(this, this.questions())
      for (const { resolve } of this.#leave(isModern)) resolve(questions)
    } catch (error) {
      // Whoever waits then hears that somebody else is waited for.
      if (this.asksApproval) return this.giveUp(error)
      for (const { reject } of this.#leave(isModern)) reject(error)
      this.giveUp(error)
    }
  }

  /** A client has come back to questions that waited for it. */
  #askParked(exchange: Exchange): void {
    const parked = this.#parked!.all()
    if (exchange.ask) for (const each of parked) this.#askOver(exchange, each)
    else if (exchange.era === 'modern') this.#lookSoon()
    else if (this.taskId === undefined) for (const { refuse } of parked) refuse(cannotBeAsked())
  }

  #leave(isLeaving: (waiter: Waiter) => boolean): readonly Waiter[] {
    const leaving = this.#waiters.filter(isLeaving)
    if (leaving.length > 0) this.#waiters = this.#waiters.filter((waiter) => !leaving.includes(waiter))
    for (const { exchange } of leaving) exchange.signal.removeEventListener('abort', this)
    return leaving
  }
}

function cannotBeAsked(): McpError {
  return new McpError(mcpErrorCodes.invalidRequest, 'This connection has no way to ask the client.')
}
