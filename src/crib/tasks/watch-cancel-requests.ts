import type { CallRun } from '../../pipeline/call-run.js'
import type { Journal } from '../../storage/journal/journal.js'
import type { Store } from '../../storage/store.js'
import { cancelRun } from '../calls/call-handle.js'
import { CANCEL_REQUESTS, removedRequest, walkCancelRequests } from './cancel-requests.js'
import type { LiveCalls } from '../calls/live-calls.js'

/** The calls that the cribs of this process have under way, by the store that they share. */
const running = new WeakMap<Store, Set<LiveCalls>>()

/** A call of this process. */
export function findRun(store: Store, tenant: string, invocationId: string): CallRun | undefined {
  for (const live of running.get(store) ?? []) {
    const run = live.find(invocationId)
    if (run?.row.tenant === tenant) return run
  }
  return undefined
}

/** After a request of anybody, so long until the requests are read: many may come together. */
const LOOK_AFTER_MS = 50

/** Turns what other processes ask for into cancellations of the calls that run here. What it returns ends that. */
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
      // Reaches the store together with the fact that it was heard.
      journal.accompany(removedRequest({ invocationId, now: now() }))
    }
  }

  function lookSoon(): void {
    if (timer || isStopped || live.size === 0) return
    timer = setTimeout(() => {
      timer = undefined
      // Nobody tells a second time of a request that a failing store did not give.
      looking = looking.then(look).catch(lookSoon)
    }, LOOK_AFTER_MS)
    timer.unref()
  }

  // What ends with this process has no other that could write to it.
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
