import { setTimeout as sleep } from 'node:timers/promises'
import { readCloudError } from '../../../../credentials/cloud/cloud-error.js'
import { retryDelayMs } from '../../../../platform/async/retry-delay.js'
import type { LateAnswer, LateOutcome } from '../transport.js'
import type { Disposition, QueueReply, Receiving, ReplyHandlers } from './providers/queue-provider.js'

/** A call that waits for its reply. */
export interface WaitingCall {
  /** Whether the reply ends the wait; a progress report does not. */
  onReply(reply: QueueReply): boolean
  /** The response queue cannot be read. */
  onFailed(error: unknown): void
  /** A reply that came too late, as it is recorded. */
  toLateAnswer(reply: QueueReply): Promise<unknown>
}

/** Takes replies that no call waits for; whether it did. */
export type ReplyListener = (reply: QueueReply) => Promise<boolean>

export interface ReplyConsumerOptions {
  /** Begins to receive. */
  start(handlers: ReplyHandlers): Promise<Receiving>
  /** The identity was refused; whether there is another one now. */
  renew(): Promise<boolean>
  recordLate(invocationId: string, late: LateAnswer): Promise<LateOutcome>
  /** Receives problems while no call waits. */
  onProblem(error: unknown): void
}

export interface ReplyConsumer {
  /** Resolves when the reply cannot be missed any more. */
  expect(correlationId: string, call: WaitingCall): Promise<void>
  /** The call no longer waits. A reply that comes later is recorded. */
  release(correlationId: string): void
  /** The returned function stops it. */
  listen(listener: ReplyListener): () => void
  close(): Promise<void>
}

/** How long replies are received after a call that got none, so that a late one is recorded. */
const LATE_MS = 15 * 60_000
/** The same after calls that all got theirs: the next call does not have to connect. */
const IDLE_MS = 30_000
/** A call is recorded as ended shortly after it gave up. */
const RECORD_TRIES = 20
const RECORD_PAUSE_MS = 100
const MAX_REMEMBERED = 1000

/** The one consumer of a response queue: hands each reply to the call that waits for it. */
export function createReplyConsumer(options: ReplyConsumerOptions): ReplyConsumer {
  const waiting = new Map<string, WaitingCall>()
  /** Calls that gave up, by correlation id. */
  const late = new Map<string, WaitingCall>()
  const listeners = new Set<ReplyListener>()
  /** Ids of replies that were taken: queues may deliver one twice. */
  const taken = new Set<string>()
  let receiving: Promise<Receiving> | undefined
  let failures = 0
  let restart: NodeJS.Timeout | undefined
  let idle: NodeJS.Timeout | undefined
  let isClosed = false

  async function dispatch(reply: QueueReply): Promise<Disposition> {
    failures = 0
    if (taken.has(reply.id)) return 'taken'
    const isTaken = await take(reply)
    if (!isTaken) return 'left'
    if (taken.size >= MAX_REMEMBERED) taken.clear()
    taken.add(reply.id)
    return 'taken'
  }

  async function take(reply: QueueReply): Promise<boolean> {
    const { correlationId: id } = reply
    const call = id === undefined ? undefined : waiting.get(id)
    if (id !== undefined && call) {
      if (call.onReply(reply)) waiting.delete(id)
      armIdle()
      return true
    }
    for (const listener of listeners) if (await listener(reply)) return true
    return id !== undefined && takeLate(id, reply)
  }

  /** Of a call of this process, or of one that has ended: its result can no longer change. */
  async function takeLate(id: string, reply: QueueReply): Promise<boolean> {
    const own = late.get(id)
    const answer = own ? await own.toLateAnswer(reply) : plainAnswer(reply)
    for (let tries = 0; ; tries++) {
      const outcome = await options.recordLate(id, { message_id: reply.id, answer })
      if (outcome === 'recorded') {
        late.delete(id)
        return true
      }
      if (outcome === 'unknown') return own !== undefined
      if (!own || tries === RECORD_TRIES || isClosed) return false
      await sleep(RECORD_PAUSE_MS)
    }
  }

  function start(): Promise<Receiving> {
    clearTimeout(restart)
    const started = (receiving ??= options.start({
      onReply: dispatch,
      onFailed: (error) => {
        receiving = undefined
        recover(error).catch(options.onProblem)
      },
    }))
    started.catch(() => {
      if (receiving === started) receiving = undefined
    })
    return started
  }

  async function recover(error: unknown): Promise<void> {
    if (isClosed) return
    const { kind } = readCloudError(error)
    if (kind === 'refused' && (await options.renew())) return startAgain(0)
    if (kind !== 'outage' && kind !== 'throttled') {
      const calls = [...waiting.values()]
      waiting.clear()
      for (const call of calls) call.onFailed(error)
    }
    if (listeners.size > 0 && failures === 0) options.onProblem(error)
    if (waiting.size > 0 || listeners.size > 0) startAgain(retryDelayMs(failures++, Math.random()))
  }

  function startAgain(afterMs: number): void {
    clearTimeout(restart)
    if (isClosed) return
    restart = setTimeout(() => {
      start().catch(recover)
    }, afterMs).unref()
  }

  function armIdle(): void {
    clearTimeout(idle)
    if (waiting.size > 0 || listeners.size > 0 || isClosed) return
    idle = setTimeout(stop, late.size > 0 ? LATE_MS : IDLE_MS).unref()
  }

  function stop(): void {
    late.clear()
    const ending = receiving
    receiving = undefined
    ending?.then((each) => each.close()).catch(() => {})
  }

  return {
    async expect(correlationId, call) {
      clearTimeout(idle)
      late.delete(correlationId)
      waiting.set(correlationId, call)
      try {
        await start()
      } catch (error) {
        waiting.delete(correlationId)
        throw error
      }
    },
    release(correlationId) {
      const call = waiting.get(correlationId)
      waiting.delete(correlationId)
      if (call) late.set(correlationId, call)
      armIdle()
    },
    listen(listener) {
      listeners.add(listener)
      clearTimeout(idle)
      start().catch(recover)
      return () => {
        listeners.delete(listener)
        armIdle()
      }
    },
    async close() {
      isClosed = true
      clearTimeout(restart)
      clearTimeout(idle)
      waiting.clear()
      await receiving?.then((each) => each.close()).catch(() => {})
    },
  }
}

/** Of a call whose tool is not known here: JSON where it is JSON, otherwise text or base64. */
function plainAnswer({ body }: QueueReply): unknown {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body)
    try {
      return JSON.parse(text)
    } catch {
      return text
    }
  } catch {
    return { base64: body.toString('base64') }
  }
}
