import type { WrittenPayload } from '../../results/payloads/payloads.js'
import type { PersistRun } from './persist-ports.js'

/** Shorter than the time for which sweeps spare unreferenced bytes. */
const SURELY_STORED_MS = 4 * 60 * 1000

/**
 * Checks that the bytes still exist: in a long call, a sweep may have removed them because no record referred to them.
 */
export async function checkStillStored({ stat }: WrittenPayload, { ports, row }: PersistRun): Promise<void> {
  if (ports.now() - stat.storedAt < SURELY_STORED_MS) return
  const blobs = await ports.payloads.blobs()
  if (!(await blobs.stat(row.tenant, stat.digest))) throw new Error('its bytes are no longer there')
}
