import { randomUUID } from 'node:crypto'
import type { JsonObject } from '../../../sources/mcp/protocol/json-rpc.js'
import { McpError, mcpErrorCodes } from '../../../sources/mcp/protocol/mcp-error.js'
import type { McpQuestion } from '../../../sources/mcp/protocol/mcp-client.js'
import { callerKey } from '../caller-key.js'
import { readResponses } from './check-response.js'
import type { Exchange } from '../gateway.js'
import { invalidParams } from '../invalid-params.js'
import { OpenWork, type WorkServices } from './open-work.js'
import type { Connection } from '../connection.js'
import { createRequestStates } from './request-state.js'

/** Per caller. */
const MAX_HELD = 1000
/** How long a client may take to come back with its answers. */
const HOLD_MS = 10 * 60_000
/** How long a result is kept for a client whose connection broke before the result was sent. */
const ENDED_MS = 60_000

interface Held {
  readonly id: string
  readonly work: OpenWork
  readonly method: string
  readonly params: JsonObject
  timer: NodeJS.Timeout | undefined
}

export interface PendingWork {
  /** Creates the work for a request. */
  open(request: WorkRequest): OpenWork
  /** Attaches a request with a `requestState` to its work. */
  resume(request: WorkRequest): Promise<JsonObject>
  readonly size: number
  close(): void
}

export interface WorkRequest {
  readonly method: string
  readonly params: JsonObject
  readonly exchange: Exchange
  readonly connection: Connection
}

/** Work in memory that waits for its client, which has no session, to come back with answers. */
export function createPendingWork(now: () => number): PendingWork {
  const states = createRequestStates(now)
  const held = new Map<string, Held>()
  /** By caller. */
  const counts = new Map<string, number>()
  const idOf = new WeakMap<OpenWork, Held>()

  function drop(entry: Held): void {
    const { id, work } = entry
    clearTimeout(entry.timer)
    if (!held.delete(id)) return
    idOf.delete(work)
    count(work.connection, -1)
    if (!work.isDone) work.abandon(new Error('The client has not come back with an answer.'))
  }

  function onTime(entry: Held): void {
    // Its client is attached.
    if (entry.work.hasWaiters) hold(entry, HOLD_MS)
    else drop(entry)
  }

  function count({ caller }: Connection, more: number): void {
    const key = callerKey(caller)
    const left = (counts.get(key) ?? 0) + more
    if (left > 0) counts.set(key, left)
    else counts.delete(key)
  }

  function hold(entry: Held, ms: number): void {
    clearTimeout(entry.timer)
    entry.timer = setTimeout(onTime, ms, entry).unref()
  }

  function keep(work: OpenWork, { method, params }: WorkRequest): Held {
    const known = idOf.get(work)
    if (known) return known
    if ((counts.get(callerKey(work.connection.caller)) ?? 0) >= MAX_HELD)
      throw new McpError(mcpErrorCodes.internal, 'Too many calls wait for their clients; try again later.')
    const id = randomUUID()
    const entry: Held = { id, work, method, params, timer: undefined }
    held.set(id, entry)
    count(work.connection, 1)
    idOf.set(work, entry)
    return entry
  }

  return {
    get size() {
      return held.size
    },
    open(request) {
      const { connection, params, exchange } = request
      const { inputResponses } = params
      const early =
        inputResponses === undefined || exchange.era === 'legacy' ? undefined : readResponses(inputResponses)
      const services: WorkServices = {
        inputRequired(work, questions: Readonly<Record<string, McpQuestion>>) {
          const entry = keep(work, request)
          hold(entry, HOLD_MS)
          const claims = { workId: entry.id, round: ++work.round, expiresAt: now() + HOLD_MS }
          const requestState = states.seal(claims, { ...request, caller: connection.caller })
          return { resultType: 'input_required', inputRequests: questions, requestState }
        },
      }
      return new OpenWork(connection, services, { exchange, early })
    },
    async resume({ method, params, exchange, connection }) {
      const { requestState, inputResponses } = params
      const answers = inputResponses === undefined ? {} : readResponses(inputResponses)
      const { workId, round } = states.open(requestState, { method, params, caller: connection.caller })
      const entry = held.get(workId)
      if (!entry) throw invalidParams('What this requestState leads to has ended; begin anew without it.')
      // Answers to an earlier round were accepted already: the client repeats them because it missed the next round.
      if (round === entry.work.round) entry.work.take(answers)
      hold(entry, HOLD_MS)
      try {
        return await entry.work.attach(exchange)
      } finally {
        if (entry.work.isDone) hold(entry, ENDED_MS)
      }
    },
    close() {
      for (const entry of held.values()) drop(entry)
    },
  }
}
