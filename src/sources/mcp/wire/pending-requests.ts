import type { JsonRpcId, JsonRpcResponse } from '../protocol/json-rpc.js'
import type { ConnectionLost } from '../connection/connection.js'

interface Waiter {
  resolve(response: JsonRpcResponse): void
  reject(error: unknown): void
  signal: AbortSignal | undefined
  onAbort: (() => void) | undefined
}

export interface PendingRequests {
  readonly size: number
  wait(id: JsonRpcId, signal: AbortSignal | undefined): Promise<JsonRpcResponse>
  /** Returns whether a request was waiting for it. */
  answer(response: JsonRpcResponse): boolean
  fail(id: JsonRpcId, error: unknown): void
  failAll(error: ConnectionLost): void
}

/** Matches answers with pending requests. An answer without a pending request is dropped. */
export function createPendingRequests(): PendingRequests {
  const waiters = new Map<JsonRpcId, Waiter>()

  const take = (id: JsonRpcId): Waiter | undefined => {
    const waiter = waiters.get(id)
    if (!waiter) return undefined
    waiters.delete(id)
    if (waiter.onAbort) waiter.signal?.removeEventListener('abort', waiter.onAbort)
    return waiter
  }

  return {
    get size() {
      return waiters.size
    },
    wait: (id, signal) =>
      new Promise((resolve, reject) => {
        const onAbort = signal ? () => take(id)?.reject(signal.reason) : undefined
        waiters.set(id, { resolve, reject, signal, onAbort })
        if (onAbort) signal!.addEventListener('abort', onAbort, { once: true })
      }),
    answer(response) {
      const waiter = response.id === null || response.id === undefined ? undefined : take(response.id)
      waiter?.resolve(response)
      return waiter !== undefined
    },
    fail: (id, error) => take(id)?.reject(error),
    failAll(error) {
      for (const id of waiters.keys()) take(id)?.reject(error)
    },
  }
}
