import type { ToolResult } from '../../contract/objects/tool-result.js'
import { abortReasons, type AbortReason } from '../../contract/unions.js'
import type { Journal } from '../../storage/journal/journal.js'
import { projectCall } from '../../storage/journal/project-call.js'
import { projectProgress } from '../../storage/journal/project-progress.js'
import { storeError } from '../../storage/store-error.js'
import { toBackground } from './background-call.js'
import type { Call } from '../calls/call-handle.js'
import { cancelCall } from './cancel-call.js'
import { checkProgressQuery, followProgress, type ProgressQuery } from './follow-progress.js'
import { readOwner } from '../recovery/owner.js'
import type { InTenant } from '../queries/in-tenant.js'
import { recoverIfLeft } from '../recovery/recover-calls.js'
import type { StartedCall } from '../calls/start-call.js'
import type { OpenTask, Task } from './task.js'

export interface TaskParts {
  journal: Journal
  tenant: string
  now: () => number
  closing: AbortSignal
}

const PAGE = 100

/** Background calls, and access to any call by its id. */
export function createTasks({ journal, tenant: home, now, closing }: TaskParts) {
  const { store } = journal
  /**
   * The results of the background calls of this process: a result that may not be stored goes to the callers that wait
   * for it.
   */
  const here = new Map<string, { tenant: string; result: Promise<ToolResult> }>()

  async function* progress(invocationId: string, query: ProgressQuery = {}) {
    checkProgressQuery(query)
    await journal.flush()
    const signal = query.signal ? AbortSignal.any([query.signal, closing]) : closing
    yield* followProgress({ store, now }, { tenant: home, ...query, invocationId, signal })
  }

  async function result(invocationId: string, tenant: string, signal?: AbortSignal): Promise<ToolResult> {
    const own = here.get(invocationId)
    if (own?.tenant === tenant) return signal ? raceSignal(own.result, signal) : own.result
    // After every record: yields none and ends with the call.
    const query = { follow: true, since: Number.MAX_SAFE_INTEGER, tenant, ...(signal && { signal }) }
    for await (const _ of progress(invocationId, query));
    signal?.throwIfAborted()
    if (closing.aborted)
      throw storeError('toolcrib.store_closed', 'The crib was closed before the call ended; ask another.')
    const story = projectCall(await store.readStream(tenant, invocationId))
    if (story?.result) return story.result
    throw new Error(`There is no call ${invocationId}; crib.invocations() lists what there is.`)
  }

  function background(taken: StartedCall, result: Promise<ToolResult>): Call {
    const call = toBackground(taken, result)
    if (taken.run.isOver) return call
    const forget = (): unknown => here.delete(call.invocationId)
    here.set(call.invocationId, { tenant: taken.run.row.tenant, result })
    result.then(forget, forget)
    return call
  }

  function task(invocationId: string, { tenant = home }: InTenant = {}): Task {
    if (typeof invocationId !== 'string') throw new TypeError('crib.task takes the id of a call.')
    return {
      invocationId,
      async status() {
        await journal.flush()
        await recoverIfLeft(store, { tenant, invocationId, now })
        return (await store.getCall(tenant, invocationId))?.status
      },
      progress: (query = {}) => progress(invocationId, { ...query, tenant }),
      result: ({ signal } = {}) => result(invocationId, tenant, signal),
      async cancel(reason = 'user_interruption') {
        checkReason(reason)
        await journal.flush()
        return cancelCall(store, { tenant, invocationId, reason, now })
      },
    }
  }

  async function* tasks({ tenant = home }: InTenant = {}): AsyncGenerator<OpenTask, void, void> {
    await journal.flush()
    let cursor: string | undefined
    do {
      const page = await store.listCalls({ tenant, open: true, limit: PAGE, cursor })
      for (const { invocationId, owner } of page.rows) {
        const chunks = await store.readStream(tenant, invocationId)
        const story = projectCall(chunks)
        // The call may have ended meanwhile.
        if (!story || story.result || owner === undefined) continue
        const identity = await readOwner(store, owner)
        yield {
          invocation: story.invocation,
          progress: [...projectProgress(chunks)].at(-1),
          owner: { id: owner, host: identity?.host.split('/')[0], pid: identity?.pid },
        }
      }
      cursor = page.cursor
    } while (cursor !== undefined)
  }

  return { background, api: { progress, task, tasks } }
}

function checkReason(reason: AbortReason): void {
  if (abortReasons.includes(reason)) return
  throw new TypeError(`task.cancel: the reason must be one of ${abortReasons.join(', ')}.`)
}

/** The result, unless the signal is aborted first; removes its listener from the signal. */
async function raceSignal(result: Promise<ToolResult>, signal: AbortSignal): Promise<ToolResult> {
  signal.throwIfAborted()
  let onAbort: (() => void) | undefined
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason)
    signal.addEventListener('abort', onAbort)
  })
  try {
    return await Promise.race([result, aborted])
  } finally {
    signal.removeEventListener('abort', onAbort!)
  }
}
