import type { ConfigProblem } from '../platform/config/describe-problem.js'
import { sameJson } from '../platform/json/same-json.js'
import type { EntriesChange, SourceProblem } from '../sources/kind.js'
import type { Crib } from '../crib/crib.js'
import { loadSettings } from './load-settings.js'
import type { CribSettings } from './crib-settings.js'
import type { OpenedSources } from './sources/open-configured-sources.js'
import { restartKeys } from './restart-keys.js'
import { isRuleText } from '../policy/files/rule-files.js'
import type { ConfigTrust } from '../platform/trust/config-trust.js'
import { trustFile } from '../platform/trust/trust-list.js'
import { watchFiles } from '../platform/files/watch-files.js'

/** What became of a config while it is in use. */
export type ConfigChange =
  | { kind: 'sources'; change: EntriesChange; problems: readonly SourceProblem[] }
  /** These keys are others too, and hold from the next start. */
  | { kind: 'restart'; keys: readonly string[] }
  /** Nobody has trusted it as it is now: what was in force stays in force. */
  | { kind: 'untrusted'; trust: Exclude<ConfigTrust, { isTrusted: true }> }
  | { kind: 'unreadable'; problems: readonly ConfigProblem[] }

export interface FollowConfigOptions {
  settings: CribSettings
  sources: OpenedSources
  crib: Crib
  signal: AbortSignal
  onChange(news: ConfigChange): void
}

/**
 * Takes over what becomes of the sources of a config file while it is in use, once the file is trusted as it is. A config
 * that is a program was run when it was loaded: it stays until the next start.
 */
export function followConfig({
  settings,
  sources,
  crib,
  signal,
  onChange: onNews,
}: FollowConfigOptions): void {
  const { configPath } = settings
  if (configPath === undefined || !isRuleText(configPath)) return
  let inForce: Pick<CribSettings, 'config' | 'trust'> = settings
  let told: string | undefined

  /** The same is said once, however often the file is looked at. */
  function tell(news: ConfigChange, about: unknown): void {
    const key = JSON.stringify([news.kind, about])
    if (key !== told) onNews(news)
    told = key
  }

  async function look(): Promise<void> {
    const loaded = await loadSettings({ configPath })
    if (!loaded.ok) return tell({ kind: 'unreadable', problems: loaded.problems }, loaded.problems)
    const { config, trust } = loaded
    const isOther = !sameJson(config, inForce.config)
    if (!isOther && trust.isTrusted === inForce.trust.isTrusted) return void (told = undefined)
    if (!trust.isTrusted) {
      if (isOther) tell({ kind: 'untrusted', trust }, config)
      return
    }
    const keys = restartKeys(config, inForce.config)
    if (!inForce.trust.isTrusted) keys.push(...startedByTrust(config).filter((key) => !keys.includes(key)))
    inForce = loaded
    told = undefined
    const { change, problems } = await sources.renew(loaded)
    await crib.replaceSources(sources.sources)
    if (Object.values(change).some((names) => names.length > 0) || problems.length > 0)
      onNews({ kind: 'sources', change, problems })
    if (keys.length > 0) onNews({ kind: 'restart', keys })
  }

  watchFiles([configPath, trustFile()], { onChange: look, signal })
}

/** What waits for trust and is loaded at the start alone. */
function startedByTrust({ tools = [], hooks = [] }: CribSettings['config']): string[] {
  return [...(tools.length > 0 ? ['tools'] : []), ...(hooks.length > 0 ? ['hooks'] : [])]
}
