import { throwIfStopped, type StopSignal } from '../../../platform/async/stop-signal.js'
import { unlessAborted } from '../../../platform/async/unless-aborted.js'
import { withTimeLimit } from '../../../platform/async/with-time-limit.js'
import { errorMessage } from '../../../platform/text/error-message.js'
import type { McpConnection } from '../connection/connection.js'

export interface ConnectionEvents {
  dialing(): void
  connected(connection: McpConnection): void
  /** `error` is the error of dialling, where dialling failed. */
  gone(why: string, error?: unknown): void
  /** Stopped because it was unused. */
  idle(): void
}

export interface ManagedConnectionOptions {
  dial(signal: AbortSignal): Promise<McpConnection>
  timeoutMs: number
  /** 0: never stopped. */
  idleMs: number
  events: ConnectionEvents
}

/** One connection at a time, opened when it is needed and closed when it is unused. */
export interface ManagedConnection {
  readonly connection: McpConnection | undefined
  /** Whether it is in use now. */
  readonly isUsed: boolean
  /** The existing connection, or a new one. Rejects with a sentence after the timeout. */
  open(signal?: StopSignal): Promise<McpConnection>
  /** Marks it as used until the returned function is called. */
  use(): () => void
  /** Closes the current connection; the next use opens a new one. */
  disconnect(): Promise<void>
  /** Closes it for good: no connection is opened any more. */
  close(): Promise<void>
}

const CLOSE_MS = 5_000

export function createManagedConnection({
  dial,
  timeoutMs,
  idleMs,
  events,
}: ManagedConnectionOptions): ManagedConnection {
  let current: McpConnection | undefined
  let dialing:
    { promise: Promise<McpConnection>; controller: AbortController; isOver: Promise<void> } | undefined
  let users = 0
  let unusedSince = 0
  let idleTimer: NodeJS.Timeout | undefined
  let closing: Promise<unknown> = Promise.resolve()
  let isClosed = false

  function closeToo(over: Promise<void>): void {
    closing = Promise.all([closing, over])
  }

  function start(): Promise<McpConnection> {
    const controller = new AbortController()
    events.dialing()
    const dialled = dial(controller.signal)
    const promise = inTime(dialled, controller, timeoutMs).then(
      (connection) => {
        if (dialing?.controller !== controller) {
          closeToo(closeInTime(connection))
          throw closedMeanwhile()
        }
        dialing = undefined
        current = connection
        connection.onClosed((why) => forget(connection, why))
        if (current !== connection) throw new Error('The server went away as soon as it was connected to.')
        restWhenUnused()
        events.connected(connection)
        return connection
      },
      (error: unknown) => {
        if (dialing?.controller === controller) {
          closeToo(dialing.isOver)
          dialing = undefined
          events.gone(errorMessage(error), error)
        }
        throw error
      },
    )
    // Callers of `open` get the error; without a caller, the events have reported it.
    promise.catch(() => {})
    dialing = { promise, controller, isOver: overInTime(dialled, controller.signal) }
    return promise
  }

  function forget(connection: McpConnection, why: string): void {
    if (current !== connection) return
    current = undefined
    stopTimer()
    events.gone(why)
  }

  function restWhenUnused(): void {
    if (idleMs <= 0 || users > 0 || !current) return
    unusedSince = performance.now()
    if (!idleTimer) lookAfter(idleMs)
  }

  /** One timer goes on beside the requests: setting one anew for each would cost more than the rest of `use`. */
  function lookAfter(ms: number): void {
    idleTimer = setTimeout(() => {
      idleTimer = undefined
      if (users > 0) return
      const leftMs = unusedSince + idleMs - performance.now()
      if (leftMs > 0) lookAfter(Math.ceil(leftMs))
      else rest()
    }, ms).unref()
  }

  function rest(): void {
    const connection = current
    current = undefined
    if (connection) closeToo(closeInTime(connection))
    events.idle()
  }

  function stopTimer(): void {
    clearTimeout(idleTimer)
    idleTimer = undefined
  }

  async function disconnect(): Promise<void> {
    stopTimer()
    const waiting = dialing
    dialing = undefined
    waiting?.controller.abort(new Error('The server is being closed.'))
    if (waiting) closeToo(waiting.isOver)
    const connection = current
    current = undefined
    if (connection) closeToo(closeInTime(connection))
    await closing
  }

  return {
    get connection() {
      return current
    },
    get isUsed() {
      return users > 0
    },
    async open(signal) {
      throwIfStopped(signal)
      if (isClosed) throw closedMeanwhile()
      if (current) return current
      // Two processes of one server could conflict: the old one ends first.
      await unlessAborted(closing, signal)
      if (isClosed) throw closedMeanwhile()
      if (current) return current
      return unlessAborted(dialing?.promise ?? start(), signal)
    },
    use() {
      users++
      let isOver = false
      return () => {
        if (isOver) return
        isOver = true
        users--
        restWhenUnused()
      }
    },
    disconnect,
    async close() {
      isClosed = true
      await disconnect()
    },
  }
}

function closedMeanwhile(): Error {
  return new Error('The server was closed meanwhile.')
}

/** A server that neither answers nor reacts to the signal must not block its callers. */
async function inTime(
  dialled: Promise<McpConnection>,
  controller: AbortController,
  timeoutMs: number,
): Promise<McpConnection> {
  const { signal } = controller
  const seconds = Math.round(timeoutMs / 100) / 10
  const timer = setTimeout(
    () => controller.abort(new Error(`It did not answer within ${seconds} s.`)),
    timeoutMs,
  )
  try {
    return await unlessAborted(dialled, signal)
  } catch (error) {
    throw signal.aborted ? signal.reason : error
  } finally {
    clearTimeout(timer)
  }
}

/** Resolves when a failed or aborted dial has left nothing behind: a connection that opens late is closed. */
async function overInTime(dialled: Promise<McpConnection>, signal: AbortSignal): Promise<void> {
  const isOver = dialled
    .then((connection) => (signal.aborted ? closeInTime(connection) : undefined))
    .catch(() => {})
  await new Promise<void>((resolve) => {
    void isOver.then(resolve)
    signal.addEventListener('abort', () => setTimeout(resolve, CLOSE_MS).unref(), { once: true })
  })
}

async function closeInTime(connection: McpConnection): Promise<void> {
  await withTimeLimit(
    connection.close().catch(() => {}),
    CLOSE_MS,
  )
}
