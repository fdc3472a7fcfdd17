import { createHash } from 'node:crypto'
import { ownVersion } from '../../../platform/files/own-package.js'
import { canonicalJson } from '../../../platform/json/canonical-json.js'
import { openStore } from '../../../storage/open-store.js'
import { configuredStore } from '../../../host/stores/configured-store.js'
import { serverSettingsOf } from '../../../sources/mcp/settings/read-servers.js'
import type { CribSettings } from '../../../host/crib-settings.js'

/** Identifies the gateways of one config and store. Part of the name of a socket. */
export function gatewayKey(settings: CribSettings, store: string | undefined): string {
  return digest([settings.configPath ?? '', locationOf(settings, store)]).slice(0, 16)
}

/**
 * A digest of everything that decides what the servers are and how their calls are judged: the config, the variables of
 * its servers, its trust, and the version. A command with another digest does the work itself.
 */
export function gatewayDigest(settings: CribSettings, store: string | undefined): string {
  const { servers } = serverSettingsOf(settings, process.env)
  const inherited = Object.values(servers).flatMap(({ inheritEnv = [] }) =>
    inheritEnv.map((name) => [name, process.env[name] ?? null]),
  )
  return digest([
    ownVersion(),
    settings.configPath ?? '',
    locationOf(settings, store),
    settings.config,
    settings.trust,
    servers,
    inherited,
  ])
}

function locationOf(settings: CribSettings, store: string | undefined): string {
  return openStore(configuredStore(settings, store)).location
}

function digest(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex')
}
