import type { Crib } from '../../crib/crib.js'
import type { CribSettings } from '../crib-settings.js'

const DAY_MS = 24 * 60 * 60 * 1000
const EVERY_MS = 60 * 60 * 1000

/** The actor in envelopes and events of what was deleted because of its age. */
const BY = 'toolcrib.retention'

export interface RetentionOptions {
  readonly crib: Crib
  readonly signal: AbortSignal
  onDeleted(what: 'calls' | 'envelopes', deleted: number, days: number): void
  onProblem(error: unknown): void
}

/**
 * Deletes the records and envelopes that are older than the config says: now and then every hour, in the background, in all tenants. An
 * untrusted config deletes nothing.
 */
export function applyRetention(
  { config, trust }: Pick<CribSettings, 'config' | 'trust'>,
  { crib, signal, onDeleted, onProblem }: RetentionOptions,
): void {
  const { calls, envelopes } = config.retention ?? {}
  if (!(calls ?? envelopes) || !trust.isTrusted) return

  const olderThan = (days: number) => ({
    before: crib.store.now() - days * DAY_MS,
    allTenants: true,
    by: BY,
    reason: `older than ${days} ${days === 1 ? 'day' : 'days'}`,
    signal,
  })

  async function apply(): Promise<void> {
    if (calls) {
      const { deleted } = await crib.deleteRecords(olderThan(calls.days))
      if (deleted > 0) onDeleted('calls', deleted, calls.days)
    }
    if (envelopes) {
      const { deleted } = await crib.deleteEnvelopes(olderThan(envelopes.days))
      if (deleted > 0) onDeleted('envelopes', deleted, envelopes.days)
    }
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
