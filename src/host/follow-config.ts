import type { ConfigProblem } from '../platform/config/describe-problem.js'
import { sameJson } from '../platform/json/same-json.js'
import { createSerialQueue } from '../platform/async/create-serial-queue.js'
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
  | { kind: 'untrusted'; trust: Untrusted }
  | { kind: 'unreadable'; problems: readonly ConfigProblem[] }

export interface FollowConfigOptions {
  settings: CribSettings
  sources: OpenedSources
  crib: Crib
  signal: AbortSignal
  onChange(change: ConfigChange): void
}

export type SettingsInForce = Pick<CribSettings, 'config' | 'trust'>

export interface FollowedConfig {
  /** The settings that are in force now. */
  inForce(): SettingsInForce
  /** Calls back when others are in force. Their sources may still be opening. */
  watch(changed: (now: SettingsInForce) => void): () => void
  /** Reads the file now. What is in force afterwards is in force when this resolves, its sources a moment later. */
  look(): Promise<void>
  /** Why the file as it is now is not in force: nobody has trusted it. */
  untrusted(): Untrusted | undefined
}

type Untrusted = Exclude<ConfigTrust, { isTrusted: true }>

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
  let inForce: SettingsInForce = settings
  let untrusted = settings.trust.isTrusted ? undefined : settings.trust
  const listeners = new Set<(now: SettingsInForce) => void>()
  const reads = createSerialQueue()
  const renewals = createSerialQueue()
  const followed: FollowedConfig = {
    inForce: () => inForce,
    untrusted: () => untrusted,
    watch(changed) {
      listeners.add(changed)
      return () => void listeners.delete(changed)
    },
    look: async () => {},
  }
  if (configPath === undefined || !isRuleText(configPath)) return followed
  let reported: string | undefined

  /** Reports each change once, however often the file is read. */
  function report(change: ConfigChange, about: unknown): void {
    const key = JSON.stringify([change.kind, about])
    if (key !== reported) onChange(change)
    reported = key
  }

  /** Returns what remains to be done, which may take long. */
  async function read(): Promise<(() => Promise<void>) | undefined> {
    const loaded = await loadSettings({ configPath })
    if (!loaded.ok) {
      report({ kind: 'unreadable', problems: loaded.problems }, loaded.problems)
      return undefined
    }
    const { config, trust } = loaded
    const isOther = !sameJson(config, inForce.config)
    untrusted = trust.isTrusted ? undefined : trust
    if (!isOther && trust.isTrusted === inForce.trust.isTrusted) {
      reported = undefined
      return undefined
    }
    if (!trust.isTrusted) {
      if (isOther) report({ kind: 'untrusted', trust }, config)
      return undefined
    }
    const keys = restartKeys(config, inForce.config)
    if (!inForce.trust.isTrusted) keys.push(...startedByTrust(config).filter((key) => !keys.includes(key)))
    inForce = loaded
    reported = undefined
    for (const listener of listeners) listener(loaded)
    return async () => {
      const renewed = await sources.renew(loaded)
      await crib.replaceSources(sources.sources)
      if (renewed.kinds.length > 0 || renewed.problems.length > 0) onChange({ kind: 'sources', ...renewed })
      if (keys.length > 0) onChange({ kind: 'restart', keys })
    }
  }

  async function renew(): Promise<void> {
    const rest = await reads.run(read)
    if (rest) await renewals.run(rest)
  }

  watchFiles([configPath, trustFile()], { onChange: renew, signal })
  return {
    ...followed,
    async look() {
      const rest = await reads.run(read)
      // As where the file is watched: a failure of one source is in its health.
      if (rest) renewals.run(rest).catch(() => {})
    },
  }
}

/** Keys that need trust and are read only at the start. */
function startedByTrust({ tools = [], hooks = [] }: CribSettings['config']): string[] {
  return [...(tools.length > 0 ? ['tools'] : []), ...(hooks.length > 0 ? ['hooks'] : [])]
}
