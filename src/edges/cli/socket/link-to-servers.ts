import { configuredStore } from '../../../host/stores/configured-store.js'
import { configEntries } from '../../../host/sources/config-entries.js'
import { openStore } from '../../../storage/open-store.js'
import type { LoadedTools } from '../../../host/load-settings.js'
import type { ServerSnapshot } from '../../../sources/mcp/servers/server-snapshot.js'
import type { GivenOptions } from '../program/command.js'
import { ruleArguments } from '../rules/rule-options.js'
import { askForServers, findGateway, type GatewayLink } from './find-gateway.js'

/** How long to wait for servers that are still connecting, as without a gateway. */
const SETTLE_MS = 30_000

/** Whether a call of one of these entries may need what an earlier call has opened. */
function keepsSessions(
  settings: Extract<LoadedTools, { ok: true }>,
  only: readonly string[] | undefined,
): boolean {
  return configEntries(settings).some(
    ({ kind, entry }) => (only?.includes(entry) ?? true) && kind.keepsSessions?.(entry),
  )
}

/**
 * A running gateway that can make calls of these servers for a command. Undefined if there is none, if one of the
 * servers does not work there, or if the command brings rules of its own: then the command does the work itself.
 */
export async function linkToServers(
  settings: Extract<LoadedTools, { ok: true }>,
  options: GivenOptions,
  only: readonly string[] | undefined,
): Promise<{ link: GatewayLink; snapshots: readonly ServerSnapshot[] } | undefined> {
  // Rules and the agent of a command hold in its own process. A record in memory cannot be shared.
  if (Object.keys(ruleArguments(options)).length > 0 || options['agent'] !== undefined) return undefined
  if (openStore(configuredStore(settings, options.store)).isEphemeral) return undefined
  const link = await findGateway(settings, options.store)
  if (!link) return undefined
  const snapshots = await askForServers(link, { only, waitMs: SETTLE_MS })
  const works = snapshots?.every(({ health: { state } }) => state !== 'failed' && state !== 'connecting')
  const isNeeded = (snapshots ?? []).length > 0 || keepsSessions(settings, only)
  if (snapshots && isNeeded && works) return { link, snapshots }
  link.close()
  return undefined
}
