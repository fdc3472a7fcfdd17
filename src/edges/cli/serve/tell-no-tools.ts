import { shortPath } from '../../../platform/config/describe-problem.js'
import { hasSources } from '../../../sources/kinds.js'
import type { CribSettings } from '../../../host/crib-settings.js'
import { isOwnConfig } from '../../../platform/trust/own-config.js'
import { OWN_SOURCE } from '../../../catalog/name-index.js'
import { configOption } from '../program/config-option.js'
import type { Terminal } from '../terminal/terminal.js'
import type { ServedHouse } from './open-house.js'

/**
 * A gateway without a single tool looks to its clients as if all were well, so it is said: at once where no tool can
 * come, and otherwise when every server has had its chance.
 */
export async function tellNoTools(
  { settings, crib, sources }: Pick<ServedHouse, 'settings' | 'crib' | 'sources'>,
  terminal: Terminal,
  signal?: AbortSignal,
): Promise<void> {
  const hasTools = (): boolean => crib.tools().some(({ source }) => source !== OWN_SOURCE)
  if (!hasTools() && sources.sources.length > 0) {
    await sources.settled()
    await crib.caughtUp()
  }
  // One that is being closed has lost its tools, which is no news.
  if (!signal?.aborted && !hasTools()) terminal.explain(whyNoTools(settings), terminal.sayStyle.bad)
}

/** One sentence, and the command that changes it. */
export function whyNoTools(settings: CribSettings): string {
  const { configPath, config, trust } = settings
  const none = 'This gateway has no tools'
  if (configPath === undefined) return `${none}: there is no config file. Next: toolcrib init --user`
  const file = shortPath(configPath)
  if (!hasSources(settings) && (config.tools ?? []).length === 0)
    return `${none}: ${file} names no servers and no tool files. Next: toolcrib init${isOwnConfig(configPath) ? ' --user' : ''}`
  if (!trust.isTrusted)
    return `${none}: ${file} is not trusted as it is now. Next: toolcrib trust${configOption(settings)}`
  return `${none}: no server of ${file} has listed one. Next: toolcrib servers${configOption(settings)}`
}
