import { shortPath } from '../../../platform/config/describe-problem.js'
import { hasSources } from '../../../sources/kinds.js'
import type { CribSettings } from '../../../host/crib-settings.js'
import { isOwnConfig } from '../../../platform/trust/own-config.js'
import type { Crib } from '../../../crib/crib.js'
import { oneLine } from '../../../platform/text/printable.js'
import { OWN_SOURCE } from '../../../catalog/name-index.js'
import { configOption } from '../program/config-option.js'
import type { Terminal } from '../terminal/terminal.js'
import type { ServedGateway } from './served-gateway.js'

/**
 * A gateway without a single tool looks to its clients as if all were well, so it is said: at once where no tool can
 * come, and otherwise when every server has had its chance.
 */
export async function tellNoTools(
  { settings, crib, sources }: Pick<ServedGateway, 'settings' | 'crib' | 'sources'>,
  terminal: Terminal,
  signal?: AbortSignal,
): Promise<void> {
  if (!hasTools(crib) && sources.sources.length > 0) {
    await sources.settled()
    await crib.caughtUp()
  }
  // One that is being closed has lost its tools, which is no news.
  if (!signal?.aborted && !hasTools(crib)) terminal.explain(whyNoTools(settings), terminal.sayStyle.bad)
}

/**
 * The same for a client, which shows nobody what stands on stderr: nothing while there are tools or a server may still
 * bring some. A client is in a folder of its own, so that the whole path of the config is named.
 */
export function noToolsFor(
  settings: CribSettings,
  crib: Pick<Crib, 'tools' | 'pendingProviders'>,
): string | undefined {
  if (hasTools(crib) || crib.pendingProviders().length > 0) return undefined
  return whyNoTools(settings, (path) => path)
}

function hasTools(crib: Pick<Crib, 'tools'>): boolean {
  return crib.tools().some(({ source }) => source !== OWN_SOURCE)
}

/** One sentence, and the command that changes it. */
export function whyNoTools(settings: CribSettings, named: (path: string) => string = shortPath): string {
  const { configPath, config, trust } = settings
  const none = 'This gateway has no tools'
  if (configPath === undefined) return `${none}: there is no config file. Next: toolcrib init --user`
  const file = oneLine(named(configPath))
  if (!hasSources(settings) && (config.tools ?? []).length === 0)
    return `${none}: ${file} names no servers and no tool files. Next: toolcrib init${isOwnConfig(configPath) ? ' --user' : ''}`
  if (!trust.isTrusted)
    return `${none}: ${file} is not trusted as it is now. Next: toolcrib trust${configOption(settings)}`
  return `${none}: no server of ${file} has listed one. Next: toolcrib servers${configOption(settings)}`
}
