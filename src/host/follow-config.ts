import type { ConfigProblem } from '../platform/config/describe-problem.js'
import { sameJson } from '../platform/json/same-json.js'
import type { Crib } from '../crib/crib.js'
import { loadSettings } from './load-settings.js'
import type { CribSettings } from './crib-settings.js'
import type { OpenedSources, RenewedSources } from './sources/open-configured-sources.js'
import { restartKeys } from './restart-keys.js'
import { isRuleText } from '../policy/files/rule-files.js'
import type { ConfigTrust } from '../platform/trust/config-trust.js'
import { trustFile } from '../platform/trust/trust-list.js'
import { watchFiles } from '../platform/files/watch-files.js'

/** How a config changed while it is in use. */
export type ConfigChange =
  | ({ kind: 'sources' } & RenewedSources)
  /** These keys changed too; they take effect at the next start. */
  | { kind: 'restart'; keys: readonly string[] }
  /** The config is not trusted as it is now: the settings that were in force stay in force. */
  | { kind: 'untrusted'; trust: Exclude<ConfigTrust, { isTrusted: true }> }
  | { kind: 'unreadable'; problems: readonly ConfigProblem[] }

export interface FollowConfigOptions {
  settings: CribSettings
  sources: OpenedSources
  crib: Crib
  signal: AbortSignal
  onChange(change: ConfigChange): void
}

export interface FollowedConfig {
  /** The settings that are in force now. */
  inForce(): Pick<CribSettings, 'config' | 'trust'>
}

/**
 * Applies changes of the sources of a config file while it is in use, once the changed file is trusted. A config that
 * is a program was run when it was loaded: it stays until the next start.
 */
export function followConfig({
  settings,
  sources,
  crib,
  signal,
  onChange,
}: FollowConfigOptions): FollowedConfig {
  const { configPath } = settings
  let inForce: Pick<CribSettings, 'config' | 'trust'> = settings
  const followed: FollowedConfig = { inForce: () => inForce }
  if (configPath === undefined || !isRuleText(configPath)) return followed
  let reported: string | undefined

  /** Reports each change once, however often the file is read. */
  function report(change: ConfigChange, about: unknown): void {
    const key = JSON.stringify([change.kind, about])
    if (key !== reported) onChange(change)
    reported = key
  }

  async function look(): Promise<void> {
    const loaded = await loadSettings({ configPath })
    if (!loaded.ok) return report({ kind: 'unreadable', problems: loaded.problems }, loaded.problems)
    const { config, trust } = loaded
    const isOther = !sameJson(config, inForce.config)
    if (!isOther && trust.isTrusted === inForce.trust.isTrusted) return void (reported = undefined)
    if (!trust.isTrusted) {
      if (isOther) report({ kind: 'untrusted', trust }, config)
      return
    }
    const keys = restartKeys(config, inForce.config)
    if (!inForce.trust.isTrusted) keys.push(...startedByTrust(config).filter((key) => !keys.includes(key)))
    inForce = loaded
    reported = undefined
    const renewed = await sources.renew(loaded)
    await crib.replaceSources(sources.sources)
    if (renewed.kinds.length > 0 || renewed.problems.length > 0) onChange({ kind: 'sources', ...renewed })
    if (keys.length > 0) onChange({ kind: 'restart', keys })
  }

  watchFiles([configPath, trustFile()], { onChange: look, signal })
  return followed
}

/** Keys that need trust and are read only at the start. */
function startedByTrust({ tools = [], hooks = [] }: CribSettings['config']): string[] {
  return [...(tools.length > 0 ? ['tools'] : []), ...(hooks.length > 0 ? ['hooks'] : [])]
}
