import type { Crib } from '../../crib/crib.js'
import type { DeletedRecords } from '../../crib/records/delete-options.js'
import type { CribSettings } from '../crib-settings.js'

const DAY_MS = 24 * 60 * 60 * 1000
const EVERY_MS = 60 * 60 * 1000

/** The actor in what is left of calls that were deleted because of their age. */
const BY = 'toolcrib.retention'

export interface RetentionOptions {
  readonly crib: Crib
  readonly signal: AbortSignal
  onDeleted(deleted: DeletedRecords, days: number): void
  onProblem(error: unknown): void
}

/**
 * Deletes the records that are older than the config says: now and then every hour, in the background, in all tenants. An
 * untrusted config deletes nothing.
 */
export function applyRetention(
  { config, trust }: Pick<CribSettings, 'config' | 'trust'>,
  { crib, signal, onDeleted, onProblem }: RetentionOptions,
): void {
  const days = config.retention?.calls?.days
  if (days === undefined || !trust.isTrusted) return

  async function apply(): Promise<void> {
    const deleted = await crib.deleteRecords({
      before: crib.store.now() - days! * DAY_MS,
      allTenants: true,
      by: BY,
      reason: `older than ${days} ${days === 1 ? 'day' : 'days'}`,
      signal,
    })
    if (deleted.deleted > 0) onDeleted(deleted, days!)
  }

  let running: Promise<void> | undefined
  const run = (): void => {
    running ??= apply()
      .catch((error: unknown) => {
        // It is tried again after an hour.
        if (!signal.aborted) onProblem(error)
      })
      .finally(() => (running = undefined))
  }
  const timer = setInterval(run, EVERY_MS).unref()
  signal.addEventListener('abort', () => clearInterval(timer), { once: true })
  run()
}
