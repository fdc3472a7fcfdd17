import type { Crib } from '../../crib/crib.js'
import { configFile, type ConfigFile } from '../config-file/config-file.js'
import type { CribSettings } from '../crib-settings.js'
import { describeHooks, type DescribedHook } from '../hooks/describe-hooks.js'
import { isInsideCall } from '../is-inside-call.js'
import { redactorFor } from '../redactor-for.js'
import type { OpenedSources } from '../sources/open-configured-sources.js'
import { pendingChanges, type PendingChanges } from '../sources/pending-changes.js'
import type { SurfaceName } from './gateway-settings.js'

/** What operators of a gateway see and change of its config, besides its crib. */
export interface ServedConfig {
  surfaceNames(): readonly SurfaceName[]
  /** Tools that wait to be accepted. */
  changes(): PendingChanges
  readonly file: ConfigFile
  hooks(): DescribedHook[]
  /** Why nobody may change here what is accepted, allowed or trusted: a sentence. */
  whyUnchangeable(): string | undefined
}

export function servedConfig({
  settings,
  inForce,
  look,
  crib,
  sources,
  surfaceNames,
}: {
  settings: CribSettings
  /** The config as it is followed. */
  inForce(): Pick<CribSettings, 'config'>
  look(): Promise<void>
  crib: Pick<Crib, 'store' | 'tools'>
  sources: Pick<OpenedSources, 'secrets'>
  surfaceNames: ServedConfig['surfaceNames']
}): ServedConfig {
  return {
    surfaceNames,
    changes() {
      const { config } = inForce()
      const redactor = redactorFor(config, sources.secrets)
      return pendingChanges({ store: crib.store, settings: { config }, redactor })
    },
    file: configFile({ settings, store: crib.store, secrets: () => sources.secrets, onWritten: look }),
    // Hooks are read at the start.
    hooks: () => describeHooks(settings, crib.tools()),
    whyUnchangeable: () =>
      isInsideCall()
        ? 'A tool started this gateway, so that nothing of it is changed here; change it in another one.'
        : undefined,
  }
}
