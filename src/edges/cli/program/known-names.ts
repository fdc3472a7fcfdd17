import { resolve } from 'node:path'
import { secretStore } from '../../../credentials/secrets/secret-store.js'
import { findConfig } from '../../../platform/config/find-config.js'
import { entriesIn } from '../../../platform/config/source-sections.js'
import { loadConfig } from '../../../platform/config/load-config.js'
import { hasRecord } from '../../../storage/has-record.js'
import { openStore } from '../../../storage/open-store.js'
import type { StoreConfig } from '../../../storage/store-config.js'
import { SYSTEM_TENANT } from '../../../storage/store.js'
import { walkDocuments } from '../../../storage/walk-documents.js'
import { configuredStore } from '../../../host/stores/configured-store.js'
import { TRUSTED } from '../../../platform/trust/config-trust.js'
import { isProgram } from '../../../platform/trust/named-files.js'
import { findOwnConfig } from '../../../platform/trust/own-config.js'
import type { CompletedNames, GivenOptions } from './command.js'

/** Names for completion: nothing is imported or started, and no problem is printed. */
export async function knownNames(of: CompletedNames, options: GivenOptions): Promise<string[]> {
  if (of === 'secrets')
    return secretStore(process.env)
      .list()
      .map(({ name }) => name)
  const path =
    options.config === undefined ? (findConfig(process.cwd()) ?? findOwnConfig()) : resolve(options.config)
  // The content of a config that is a program is unknown before it runs.
  const loaded = path === undefined || isProgram(path) ? undefined : await loadConfig(path)
  const config = loaded?.ok === true ? loaded.config : {}
  if (of === 'servers') return entriesIn(config).map(({ entry }) => entry.name)
  return recordedTools(
    configuredStore({ configPath: path, config, trust: TRUSTED, hooks: [] }, options.store),
  )
}

/** The tools that earlier commands recorded. */
async function recordedTools(config: StoreConfig): Promise<string[]> {
  const store = openStore(config)
  if (!hasRecord(store)) return []
  try {
    await store.open()
    const names: string[] = []
    for await (const { id, value } of walkDocuments(store, { tenant: SYSTEM_TENANT, kind: 'tool' }))
      if ((value as { retiredAt?: number }).retiredAt === undefined) names.push(id)
    return names
  } finally {
    await store.close()
  }
}
