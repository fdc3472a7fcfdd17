import { homedir } from 'node:os'
import { reviewerNames } from '../../approvals/reviewers.js'
import { signGrant } from '../../approvals/sign-approval.js'
import type { AcceptUpdate } from '../../approvals/accept-update.js'
import { updateInScope } from '../../approvals/choose-update.js'
import type { ExplainedCall, ExplainOptions } from '../../policy/explained-call.js'
import type { Policy } from '../../policy/policy.js'
import type { ProtectedPaths } from '../../policy/protected-paths.js'
import type { RuleUpdate } from '../../policy/rules/rule-update.js'
import { collectSecrets } from '../../redaction/mask-fields.js'
import type { Denies } from '../../surfaces/build-surface.js'
import type { ClosingPort, CribModule } from '../assemble.js'
import { explainCall } from '../calls/explain-call.js'
import type { CatalogPort } from '../catalog/catalog-module.js'
import type { Crib, CribOptions } from '../crib.js'
import { createDiskFacts, type DiskFacts } from '../files/disk-facts.js'
import type { OptionsPort, RecordPort } from '../record-module.js'
import type { BlobsPort } from '../results/blobs-module.js'
import { ownPaths } from './own-paths.js'
import { openPolicyControl, type PolicyControl } from './policy-control.js'
import { toDenies } from './to-denies.js'

export interface PolicyPort {
  readonly policy: Policy
  /** The revision of what decisions depend on: the rules, and the host's own decider. */
  policyRevision(): string
  /** Reads rules again that another process may have changed. */
  reloadRules(): Promise<void>
  readonly acceptUpdate: AcceptUpdate
  /** The names of the reviewers. */
  readonly reviewers: readonly string[]
  readonly denies: Denies
  /** Files of Toolcrib that no tool may read or write. */
  readonly protectedPaths: ProtectedPaths
  readonly disk: DiskFacts
  /** What the rules would decide about a call, without its secrets. Nothing runs. */
  explain(call: ExplainOptions): ExplainedCall
}

/** The rules in force, the tools that they hide, and explanations. */
export async function openPolicy(
  ports: OptionsPort & ClosingPort & RecordPort & BlobsPort & CatalogPort,
): Promise<CribModule<PolicyPort, Pick<Crib, 'policy' | 'explain'>>> {
  const { options, tenant, workspace, store, journal, keys, redactor, keepDefinition, now } = ports
  const { catalog, closing } = ports
  const protectedPaths = ownPaths({ store, blobs: ports.blobs.location }, options.permission?.layers)
  const disk = createDiskFacts(protectedPaths)
  const reviewers = reviewerNames(options.reviewers ?? [])
  const { policy, control, reload } = await openPolicyControl(options.permission ?? {}, {
    store,
    journal,
    tenant,
    workspace,
    protectedPaths,
    reviewers,
    now,
    proofOf: (value) => signGrant(keys(), value),
    redactor,
    keepDefinition,
    catalog,
    disk,
    closing,
  })
  function explain(asked: ExplainOptions): ExplainedCall {
    const caller = { tenant, ...(options.actor !== undefined && { actor: options.actor }) }
    const context = { policy, ...disk, home: homedir(), workspace, find: catalog.find }
    const fields = catalog.find(asked.tool)?.draft.input.sensitiveFields ?? []
    return redactor.value(explainCall(context, { ...caller, ...asked }), collectSecrets(asked.input, fields))
  }

  return {
    port: {
      policy,
      policyRevision: revisionOf(policy, options),
      reloadRules: reload,
      acceptUpdate: options.acceptUpdate ?? acceptUpdate(control, tenant),
      reviewers,
      denies: toDenies(policy, catalog),
      protectedPaths,
      disk,
      explain,
    },
    api: { policy: control, explain },
  }
}

function revisionOf(policy: Policy, { permission, decider, policyRevision }: CribOptions): () => string {
  if (!policyRevision) return () => policy.revision
  const isAlone = permission === undefined && decider !== undefined
  return isAlone ? policyRevision : () => `${policy.revision} ${policyRevision()}`
}

/** Applies a change of rules that came with an answer: for the session, or permanently in the file that it names. */
function acceptUpdate(control: PolicyControl, home: string): AcceptUpdate {
  return (update, { by, roles, scope, tenant, session }) => {
    if (scope === 'session' && (session === undefined || tenant !== home)) {
      throw new Error('the call belongs to no session here; approve it once or for always')
    }
    // Toolcrib offered and sealed it, so it has the shape of an update.
    const accepted = updateInScope(update, scope) as unknown as RuleUpdate
    return control.update(accepted, { by, roles, session })
  }
}
