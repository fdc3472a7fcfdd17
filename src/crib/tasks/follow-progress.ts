import type { ToolProgress } from '../../contract/objects/tool-progress.js'
import { createChangeSignal } from '../../storage/journal/create-change-signal.js'
import { projectProgress, startOfProgress } from '../../storage/journal/project-progress.js'
import type { Store } from '../../storage/store.js'
import { checkOptions, type OptionKind } from '../../platform/validation/check-options.js'
import { recoverIfLeft } from '../recovery/recover-calls.js'

export interface ProgressQuery {
  /** The sequence of the last record that was read: only later ones follow. */
  since?: number
  /** Continue with later records until the call has ended. */
  follow?: boolean
  signal?: AbortSignal
  tenant?: string
}

const PROGRESS_QUERY = {
  since: 'notNegative',
  follow: 'boolean',
  signal: 'object',
  tenant: 'text',
} as const satisfies Record<keyof ProgressQuery, OptionKind>

export function checkProgressQuery(query: ProgressQuery): void {
  checkOptions('A query for progress', query, PROGRESS_QUERY)
}

/** A dying owner writes nothing. */
const LOOK_AT_OWNER_MS = 2_000

/** A call's progress in order, from any process. Empty if there is no such call. */
export async function* followProgress(
  { store, now }: { store: Store; now: () => number },
  {
    tenant,
    invocationId,
    since = 0,
    follow = false,
    signal,
  }: { tenant: string; invocationId: string; since?: number; follow?: boolean; signal: AbortSignal },
): AsyncGenerator<ToolProgress, void, void> {
  const place = startOfProgress()
  const alarm = follow ? createChangeSignal(store, [{ of: 'call', tenant, invocationId }], signal) : undefined
  let isQuiet = true
  try {
    while (!signal.aborted) {
      for (const progress of projectProgress(
        await store.readStream(tenant, invocationId, place.sequence),
        place,
      )) {
        if (progress.sequence > since) yield progress
        if (signal.aborted) return
      }
      if (!alarm || place.isOver || place.sequence === 0) return
      if (isQuiet) await recoverIfLeft(store, { tenant, invocationId, now })
      isQuiet = !(await alarm.next(LOOK_AT_OWNER_MS))
    }
  } finally {
    alarm?.dispose()
  }
}
