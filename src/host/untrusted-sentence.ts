import { ownCommand } from '../platform/text/own-command.js'
import { shortPath } from '../platform/config/describe-problem.js'
import type { CribSettings } from './crib-settings.js'
import { whyUntrusted, type ConfigTrust } from '../platform/trust/config-trust.js'
import { toolModules } from '../platform/trust/named-files.js'

type Untrusted = Exclude<ConfigTrust, { isTrusted: true }>

const MOST_NAMED = 3

/**
 * What an untrusted config does not load, and the command to trust it; undefined where nothing is omitted. Servers
 * report this themselves.
 */
export function untrustedSentence({
  configPath,
  config,
  trust,
}: Pick<CribSettings, 'configPath' | 'config' | 'trust'>): string | undefined {
  if (configPath === undefined || trust.isTrusted) return undefined
  const named = [
    ...toolModules(config, configPath).map((path) => shortPath(path)),
    ...(config.hooks ?? []).map(({ id }) => `the hook "${id}"`),
  ]
  if (named.length === 0) return undefined
  const more = named.length - MOST_NAMED
  const list = [...named.slice(0, MOST_NAMED), ...(more > 0 ? [`${more} more`] : [])].join(', ')
  const file = shortPath(configPath)
  return `Nothing of ${file} is imported or run, because ${whyUntrusted(configPath, trust)} (${list}). To read what it names and trust it: ${ownCommand('trust')}`
}

/**
 * For a config that is a program, whose content is unknown before it runs: the rest of a sentence that begins with its
 * name.
 */
export function programSentence(path: string, trust: Untrusted): string {
  return `it is a program and was not run, because ${whyUntrusted(path, trust)}. To read it and trust it: ${ownCommand('trust')}`
}
