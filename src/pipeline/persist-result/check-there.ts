import type { WrittenPayload } from '../../results/payloads/payloads.js'
import type { CallRun } from '../call-run.js'

/** Shorter than any sweep spares bytes for that no record speaks of. */
const SURELY_THERE_MS = 4 * 60 * 1000

/** In a call that ran for long, a sweep may have taken what no record spoke of. */
export async function checkThere({ stat }: WrittenPayload, { ports, row }: CallRun): Promise<void> {
  if (ports.now() - stat.storedAt < SURELY_THERE_MS) return
  const blobs = await ports.payloads.blobs()
  if (!(await blobs.stat(row.tenant, stat.digest))) throw new Error('its bytes are no longer there')
}
