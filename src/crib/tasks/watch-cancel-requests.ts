import type { PipelineRun } from '../../pipeline/ports.js'
import type { Journal } from '../../storage/journal/journal.js'
import type { Store } from '../../storage/store.js'
import { cancelRun } from '../calls/call-handle.js'
import { CANCEL_REQUESTS, removedRequest, walkCancelRequests } from './cancel-requests.js'
import type { LiveCalls } from '../calls/live-calls.js'

/** The running calls of the cribs of this process, by their store. */
const running = new WeakMap<Store, Set<LiveCalls>>()

/** A running call of this process. */
export function findRun(store: Store, tenant: string, invocationId: string): PipelineRun | undefined {
  for (const live of running.get(store) ?? []) {
    const run = live.find(invocationId)
    if (run?.row.tenant === tenant) return run
  }
  return undefined
}

/** Delay between a request and the read: many may come together. */
const LOOK_AFTER_MS = 50

/** Cancels calls of this process that other processes ask to cancel. Returns a function that stops this. */
export function watchCancelRequests(
  journal: Journal,
  { live, now }: { live: LiveCalls; now: () => number },
): { stop(): Promise<void> } {
  const { store } = journal
  const peers = running.get(store) ?? new Set()
  running.set(store, peers.add(live))
  let timer: NodeJS.Timeout | undefined
  let looking = Promise.resolve()
  let isStopped = false

  async function look(): Promise<void> {
    for await (const { tenant, invocationId, reason } of walkCancelRequests(store)) {
      const run = live.find(invocationId)
      if (run?.row.tenant !== tenant) continue
      cancelRun(run, reason)
      // Reaches the store together with the event that records the request.
      journal.accompany(removedRequest({ invocationId, now: now() }))
    }
  }

  function lookSoon(): void {
    if (timer || isStopped || live.size === 0) return
    timer = setTimeout(() => {
      timer = undefined
      // The notification is not repeated after a failed read, so the read is.
      looking = looking.then(look).catch(lookSoon)
    }, LOOK_AFTER_MS)
    timer.unref()
  }

  // No other process writes to an ephemeral store.
  const stopWatching = store.isEphemeral
    ? undefined
    : store.watch([CANCEL_REQUESTS], lookSoon, { unref: true })
  return {
    async stop() {
      isStopped = true
      peers.delete(live)
      stopWatching?.()
      clearTimeout(timer)
      await looking
    },
  }
}
