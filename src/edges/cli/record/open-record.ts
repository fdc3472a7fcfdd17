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
  /** Where it is. */
  path: string
}

/**
 * The crib's record, for reading: its tools are not loaded, so that a broken module never hides what happened.
 * Nothing where no store was made yet: to look must not leave a file behind.
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
