import type { StoreConfig } from '../storage/store-config.js'
import type { ToolDraft } from '../catalog/tool-draft.js'
import { createCrib } from '../crib/create-crib.js'
import type { Crib, CribOptions } from '../crib/crib.js'
import type { OutsideOpinions } from '../policy/deciders/with-outside.js'
import { loadLayers } from './load-layers.js'
import type { LoadedRules } from '../policy/files/loaded-rules.js'
import { configuredBlobs } from './settings/configured-blobs.js'
import { configuredStore } from './stores/configured-store.js'
import type { ResultOptions } from '../crib/results/result-options.js'
import { guardedHooks } from './hooks/guarded-hooks.js'
import type { CribSettings } from './crib-settings.js'
import type { OpenedSources } from './sources/open-configured-sources.js'

export interface LoadCribOptions {
  settings: CribSettings
  tools?: readonly ToolDraft[]
  /** Replaces the store of the config. A path is relative to the working folder. */
  store?: StoreConfig | string | undefined
  /** The policy engine and the classifier of the config. A crib that only reads its record needs none. */
  outside: OutsideOpinions
  /** The rules of all sources, where they are loaded already. */
  layers?: readonly LoadedRules[] | undefined
  /** The sources that the config names. They are closed with the crib. */
  sources?: Pick<OpenedSources, 'sources' | 'secrets' | 'live'> | undefined
  /** Whether read-only tools run without approval even if they may reach other systems. False by default. */
  openReads?: boolean | undefined
  /** Whether changes of the rule files take effect while the crib is open. */
  followRules?: boolean | undefined
  /** Options that a config file cannot have, such as an approver. They override the config. */
  more?: CribOptions
}

/** Opens the crib that a config file describes. */
export async function loadCrib({
  settings,
  tools = [],
  store,
  outside,
  layers,
  sources,
  openReads,
  followRules,
  more,
}: LoadCribOptions): Promise<Crib> {
  const { tenant, actor, timeoutMs, retries, maxProgressPerSecond } = settings.config
  const { limits, breaker, approvals, results, redaction, search, blobs } = settings.config
  const { secrets = [], live } = sources ?? {}
  const keptIn = blobs && configuredBlobs(settings)
  return createCrib({
    tools,
    store: configuredStore(settings, store),
    permission: {
      layers: layers ?? (await loadLayers(settings)),
      ...outside,
      openReads,
      followFiles: followRules,
    },
    ...(sources && { sources: sources.sources }),
    ...(tenant !== undefined && { tenant }),
    ...(actor !== undefined && { actor }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(retries !== undefined && { retries }),
    ...(results && { results: results as ResultOptions }),
    ...((redaction || sources) && { redaction: { ...redaction, secrets, ...(live && { live }) } }),
    ...(search && { search }),
    ...(keptIn && { blobs: keptIn }),
    ...(limits && { limits }),
    ...(breaker && { breaker }),
    ...(maxProgressPerSecond !== undefined && { maxProgressPerSecond }),
    hooks: guardedHooks(settings),
    ...(approvals?.reviewers && { reviewers: approvals.reviewers }),
    ...more,
    approvals: {
      ...(approvals?.expiresMs !== undefined && { expiresMs: approvals.expiresMs }),
      ...more?.approvals,
    },
  })
}
