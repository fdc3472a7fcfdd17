import type { StopSignal } from '../../../../platform/async/stop-signal.js'
import type { Session } from './session.js'

/** Connections of one login, used by one call each. */
export interface Pool {
  /** Undefined where none is free in time. Rejects with the reason of the signal, or as `connect` does. */
  acquire(options: AcquireOptions): Promise<Session | undefined>
  /** `isUsable`: the session has no open transaction and nothing runs in it. */
  release(session: Session, isUsable: boolean): void
  /** Ends all connections, also those in use. */
  close(): Promise<void>
  /** Ends the connections once no call uses them. */
  retire(): void
}

export interface AcquireOptions {
  readonly signal: StopSignal
  readonly waitMs: number
}

export interface PoolOptions {
  readonly maxConnections: number
  /** A connection that no call has used for this long is closed. */
  readonly idleMs: number
  connect(): Promise<Session>
}

interface Waiter {
  give(session: Session | undefined): void
  fail(error: unknown): void
}

export function createPool({ maxConnections, idleMs, connect }: PoolOptions): Pool {
  const inUse = new Set<Session>()
  /** The one that was used last is at the end. */
  const idle: { readonly session: Session; readonly timer: NodeJS.Timeout }[] = []
  const waiters: Waiter[] = []
  let opening = 0
  let isRetired = false
  const ends = new Set<Promise<void>>()

  function end(session: Session): void {
    const ended = session.close().catch(() => {})
    ends.add(ended)
    void ended.then(() => ends.delete(ended))
  }

  function takeIdle(): Session | undefined {
    for (;;) {
      const last = idle.pop()
      if (!last) return undefined
      clearTimeout(last.timer)
      if (last.session.isOpen()) return last.session
      end(last.session)
    }
  }

  function keepIdle(session: Session): void {
    const timer = setTimeout(() => {
      idle.splice(
        idle.findIndex((each) => each.session === session),
        1,
      )
      end(session)
    }, idleMs)
    timer.unref()
    idle.push({ session, timer })
  }

  /** Serves the calls that wait, as far as there are connections. */
  function serve(): void {
    while (waiters.length > 0) {
      const session = takeIdle()
      if (session) {
        inUse.add(session)
        waiters.shift()!.give(session)
        continue
      }
      if (inUse.size + opening >= maxConnections) return
      open(waiters.shift()!)
    }
  }

  function open(waiter: Waiter): void {
    opening++
    connect().then(
      (session) => {
        opening--
        inUse.add(session)
        waiter.give(session)
      },
      (error: unknown) => {
        opening--
        waiter.fail(error)
        serve()
      },
    )
  }

  function release(session: Session, isUsable: boolean): void {
    if (!inUse.delete(session)) return
    if (isUsable && !isRetired && session.isOpen()) keepIdle(session)
    else end(session)
    serve()
  }

  return {
    acquire: ({ signal, waitMs }) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason as Error)
        let isDone = false
        const waiter: Waiter = {
          give(session) {
            // It came too late for this call.
            if (isDone) return session && release(session, true)
            finish()
            resolve(session)
          },
          fail(error) {
            if (isDone) return
            finish()
            reject(error as Error)
          },
        }
        const stop = { handleEvent: () => waiter.fail(signal.reason) }
        const timer = setTimeout(() => waiter.give(undefined), waitMs)
        function finish(): void {
          isDone = true
          clearTimeout(timer)
          signal.removeEventListener('abort', stop)
          const at = waiters.indexOf(waiter)
          if (at >= 0) waiters.splice(at, 1)
        }
        signal.addEventListener('abort', stop)
        waiters.push(waiter)
        serve()
      }),
    release,
    retire() {
      isRetired = true
      for (let session = takeIdle(); session; session = takeIdle()) end(session)
    },
    async close() {
      this.retire()
      for (const session of inUse) end(session)
      await Promise.all(ends)
    },
  }
}
