import { OWN_SOURCE } from '../../catalog/name-index.js'
import type { Crib } from '../../crib/crib.js'
import { shortPath } from '../../platform/config/describe-problem.js'
import { oneLine } from '../../platform/text/printable.js'
import { isOwnConfig } from '../../platform/trust/own-config.js'
import { hasSources, sourceKinds } from '../../sources/kinds.js'
import { configOption } from '../config-option.js'
import { entriesNoun } from '../sources/config-entries.js'
import type { CribSettings } from '../crib-settings.js'

/**
 * For a client, which does not show stderr: why the gateway has no tools. Nothing while it has tools or a server may still
 * bring some. A client runs in a folder of its own, so that the whole path of the config is named.
 */
export function noToolsFor(
  settings: CribSettings,
  crib: Pick<Crib, 'tools' | 'pendingProviders'>,
): string | undefined {
  if (hasTools(crib) || crib.pendingProviders().length > 0) return undefined
  return whyNoTools(settings, (path) => path)
}

export function hasTools(crib: Pick<Crib, 'tools'>): boolean {
  return crib.tools().some(({ source }) => source !== OWN_SOURCE)
}

/** One sentence, and the command that changes it. */
export function whyNoTools(settings: CribSettings, named: (path: string) => string = shortPath): string {
  const { configPath, config, trust } = settings
  const none = 'This gateway has no tools'
  if (configPath === undefined) return `${none}: there is no config file. Next: toolcrib init --user`
  const file = oneLine(named(configPath))
  const sources = sourceKinds()
    .map(({ noun }) => `no ${noun}s`)
    .join(', ')
  if (!hasSources(settings) && (config.tools ?? []).length === 0)
    return `${none}: ${file} names ${sources} and no modules under "tools". Next: toolcrib init${isOwnConfig(configPath) ? ' --user' : ''}`
  if (!trust.isTrusted)
    return `${none}: ${file} is not trusted as it is now. Next: toolcrib trust${configOption(settings)}`
  return `${none}: none of the ${entriesNoun(settings)} of ${file} has listed one. Next: toolcrib servers${configOption(settings)}`
}
