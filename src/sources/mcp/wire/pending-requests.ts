import { createOpenItemsById } from '../../../platform/async/open-items.js'
import type { StopListener, StopSignal } from '../../../platform/async/stop-signal.js'
import type { JsonRpcId, JsonRpcResponse } from '../protocol/json-rpc.js'
import type { ConnectionLost } from '../connection/connection.js'

interface Waiter {
  readonly id: JsonRpcId
  resolve(response: JsonRpcResponse): void
  reject(error: unknown): void
  signal: StopSignal | undefined
  onStop: StopListener | undefined
}

export interface PendingRequests {
  readonly size: number
  wait(id: JsonRpcId, signal: StopSignal | undefined): Promise<JsonRpcResponse>
  /** Returns whether a request was waiting for it. */
  answer(response: JsonRpcResponse): boolean
  fail(id: JsonRpcId, error: unknown): void
  failAll(error: ConnectionLost): void
}

/** Matches answers with pending requests. An answer without a pending request is dropped. */
export function createPendingRequests(): PendingRequests {
  const waiters = createOpenItemsById<Waiter>()

  const take = (id: unknown): Waiter | undefined => {
    const waiter = waiters.delete(id)
    if (waiter?.onStop) waiter.signal?.removeEventListener('abort', waiter.onStop)
    return waiter
  }

  return {
    get size() {
      return waiters.size
    },
    wait: (id, signal) =>
      new Promise((resolve, reject) => {
        const onStop = signal && { handleEvent: () => take(id)?.reject(signal.reason) }
        waiters.set(id, { id, resolve, reject, signal, onStop })
        if (onStop) signal.addEventListener('abort', onStop)
      }),
    answer(response) {
      const waiter = take(response.id)
      waiter?.resolve(response)
      return waiter !== undefined
    },
    fail: (id, error) => take(id)?.reject(error),
    failAll(error) {
      for (const { id } of waiters.all()) take(id)?.reject(error)
    },
  }
}
