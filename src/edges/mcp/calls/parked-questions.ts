import type { JsonObject } from '../../../sources/mcp/protocol/json-rpc.js'
import type { McpQuestion } from '../../../sources/mcp/protocol/mcp-client.js'
import { checkResponse } from './check-response.js'

export interface ParkedQuestion {
  readonly question: McpQuestion
  /** Aborted when the answer is no longer needed. */
  readonly signal: AbortSignal
  answer(given: JsonObject): void
  refuse(why: unknown): void
}

/** Questions that are open until their client comes back with the answers. */
export class ParkedQuestions {
  readonly #parked = new Map<string, ParkedQuestion>()

  get size(): number {
    return this.#parked.size
  }

  all(): ParkedQuestion[] {
    return [...this.#parked.values()]
  }

  byKey(): Record<string, McpQuestion> {
    return Object.fromEntries([...this.#parked].map(([key, { question }]) => [key, question]))
  }

  /** Resolves with the answer. Calls `onParked` when the question is stored. */
  park(
    wanted: string,
    { question, signal }: Pick<ParkedQuestion, 'question' | 'signal'>,
    onParked: (parked: ParkedQuestion) => void,
  ): Promise<JsonObject> {
    const key = this.#freeKey(wanted)
    return new Promise<JsonObject>((resolve, reject) => {
      const leave = (): void => {
        // It may be answered already, and its key be used by another question.
        if (this.#parked.get(key) === parked) this.#parked.delete(key)
        signal.removeEventListener('abort', onAbort)
      }
      const onAbort = (): void => parked.refuse(signal.reason)
      const parked: ParkedQuestion = {
        question,
        signal,
        answer: (given) => (leave(), resolve(given)),
        refuse: (why) => (leave(), reject(why)),
      }
      signal.addEventListener('abort', onAbort)
      this.#parked.set(key, parked)
      onParked(parked)
    })
  }

  /** Accepts the answers to open questions and ignores others. If one is invalid, it throws and accepts none. */
  take(answers: Readonly<Record<string, JsonObject>>): void {
    const fitting = Object.entries(answers).filter(([key]) => this.#parked.has(key))
    for (const [key, answer] of fitting) checkResponse(key, this.#parked.get(key)!.question, answer)
    for (const [key, answer] of fitting) this.#parked.get(key)?.answer(answer)
  }

  #freeKey(wanted: string): string {
    let key = wanted
    for (let count = 2; this.#parked.has(key); count++) key = `${wanted}_${count}`
    return key
  }
}
