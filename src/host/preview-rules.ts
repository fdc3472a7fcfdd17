import type { Catalog } from '../catalog/catalog.js'
import { createDiskFacts } from '../crib/files/disk-facts.js'
import { ownPaths } from '../crib/policy/own-paths.js'
import { baseOf, contentOf, policyOf } from '../crib/policy/policy-of.js'
import {
  compareDecisions,
  withRuleChanges,
  type RuleChanges,
  type RulesPreview,
} from '../crib/policy/preview-rules.js'
import type { LoadedRules } from '../policy/files/loaded-rules.js'
import type { Store } from '../storage/store.js'
import type { CribSettings } from './crib-settings.js'
import { redactorFor } from './redactor-for.js'
import { SERVED_OPEN_READS } from './serving/serving-defaults.js'

/**
 * Which of the last calls the rules of the files would decide otherwise, by a store that is open. Rules of sessions are
 * not among them. Nothing is written.
 */
export async function previewRules(
  { config, catalog }: Pick<CribSettings, 'config'> & { catalog: Catalog },
  changes: RuleChanges,
  { store, layers, limit }: { store: Store; layers: readonly LoadedRules[]; limit?: number | undefined },
): Promise<RulesPreview> {
  const workspace = process.cwd()
  const present = contentOf(layers)
  const { content, problems } = withRuleChanges(
    present,
    changes,
    (source) => baseOf(layers, source) ?? workspace,
  )
  const policyWith = (given: typeof content) =>
    policyOf(layers, { workspace, openReads: SERVED_OPEN_READS, content: given })
  const ports = {
    journal: { store, flush: async () => {} },
    tenant: config.tenant ?? 'default',
    workspace,
    catalog,
    disk: createDiskFacts(ownPaths({ store }, layers)),
    redactor: redactorFor(config),
  }
  const both = { before: policyWith(present), after: policyWith(content) }
  return { ...(await compareDecisions(ports, both, { limit })), problems }
}
