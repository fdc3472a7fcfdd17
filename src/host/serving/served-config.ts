import type { Crib } from '../../crib/crib.js'
import { configFile, type ConfigFile } from '../config-file/config-file.js'
import type { CribSettings } from '../crib-settings.js'
import type { FollowedConfig } from '../follow-config.js'
import { describeHooks, type DescribedHook } from '../hooks/describe-hooks.js'
import { isInsideCall } from '../is-inside-call.js'
import { redactorFor } from '../redactor-for.js'
import type { OpenedSources } from '../sources/open-configured-sources.js'
import { pendingChanges, type PendingChanges } from '../sources/pending-changes.js'
import type { SurfaceName } from './gateway-settings.js'
import { untrustedNotice, type UntrustedNotice } from './untrusted-notice.js'

/** What operators of a gateway see and change of its config, besides its crib. */
export interface ServedConfig {
  surfaceNames(): readonly SurfaceName[]
  /** Tools that wait to be accepted. */
  changes(): PendingChanges
  readonly file: ConfigFile
  /** Undefined while the file is trusted as it is now. */
  untrusted(): UntrustedNotice | undefined
  hooks(): DescribedHook[]
  /** Why nobody may change here what is accepted, allowed or trusted: a sentence. */
  whyUnchangeable(): string | undefined
}

export function servedConfig({
  settings,
  inForce,
  look,
  untrusted,
  crib,
  sources,
  surfaceNames,
}: {
  settings: CribSettings
  crib: Pick<Crib, 'store' | 'tools'>
  sources: Pick<OpenedSources, 'secrets'>
  surfaceNames: ServedConfig['surfaceNames']
} & FollowedConfig): ServedConfig {
  const { configPath } = settings
  return {
    surfaceNames,
    changes() {
      const { config } = inForce()
      const redactor = redactorFor(config, sources.secrets)
      return pendingChanges({ store: crib.store, settings: { config }, redactor })
    },
    file: configFile({ settings, store: crib.store, secrets: () => sources.secrets, onWritten: look }),
    untrusted() {
      const trust = untrusted()
      if (configPath === undefined || !trust) return undefined
      return untrustedNotice(configPath, trust, { isInForce: !inForce().trust.isTrusted })
    },
    // Hooks are read at the start.
    hooks: () => describeHooks(settings, crib.tools()),
    whyUnchangeable: () =>
      isInsideCall()
        ? 'A tool started this gateway, so that nothing of it is changed here; change it in another one.'
        : undefined,
  }
}
