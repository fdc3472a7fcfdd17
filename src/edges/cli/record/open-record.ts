import { hasRecord } from '../../../storage/has-record.js'
import { openStore } from '../../../storage/open-store.js'
import { configuredStore } from '../../../host/stores/configured-store.js'
import type { Crib } from '../../../crib/crib.js'
import { loadCrib } from '../../../host/load-crib.js'
import type { GivenOptions } from '../program/command.js'
import { loadSettingsOrStop } from '../program/load-or-stop.js'

export interface OpenRecord {
  crib: Crib
  tenant: string
  /** The location of the store. */
  path: string
}

/**
 * The record of the crib, for reading: its tools are not loaded, so that a broken module never hides the record.
 * Undefined if no store exists: reading must not create a file.
 */
export async function openRecord(
  options: GivenOptions,
  { create = false }: { create?: boolean } = {},
): Promise<OpenRecord | { missing: string }> {
  const settings = await loadSettingsOrStop(options)
  const store = configuredStore(settings, options.store)
  const named = openStore(store)
  if (!create && !hasRecord(named)) return { missing: named.location }
  const crib = await loadCrib({ settings, store, outside: {} })
  return { crib, tenant: settings.config.tenant ?? 'default', path: named.location }
}
