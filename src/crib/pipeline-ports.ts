import { homedir } from 'node:os'
import { runsTools } from '../platform/processes/started-processes.js'
import type { Approvals } from '../pipeline/permission/approvals.js'
import type { PipelinePorts } from '../pipeline/call-run.js'
import { createDeadlines } from '../pipeline/execute/deadlines.js'
import { declaredHook, hookRef } from '../pipeline/hooks/hook-record.js'
import { orderHooks } from '../hooks/order-hooks.js'
import type { ApprovalKeys } from '../approvals/derive-keys.js'
import { digestInput } from '../approvals/sign-approval.js'
import { classifierRef, describeClassifier } from '../policy/deciders/classifier.js'
import type { Policy } from '../policy/policy.js'
import { withDecider } from '../policy/deciders/with-decider.js'
import { withOutside } from '../policy/deciders/with-outside.js'
import { acceptUpdate } from './policy/accept-update.js'
import type { CribOptions } from './crib.js'
import { folderFacts } from './files/folder-facts.js'
import { listFolder } from './files/list-folder.js'
import type { DiskFacts } from './files/disk-facts.js'
import type { Redactors } from './redaction/create-redactors.js'
import { keepTool } from './catalog/publish-catalog.js'
import { resultPolicyOf } from './results/result-options.js'
import type { PolicyControl } from './policy/policy-control.js'

const DEFAULT_TIMEOUT_MS = 120_000
const DEFAULT_CANCEL_GRACE_MS = 2_000
const DEFAULT_PROGRESS_PER_SECOND = 10

export interface PipelineParts extends Pick<
  PipelinePorts,
  | 'catalog'
  | 'journal'
  | 'policy'
  | 'workspace'
  | 'closing'
  | 'scheduling'
  | 'payloads'
  | 'artifacts'
  | 'refs'
  | 'discovery'
  | 'mayReadResults'
  | 'resultReader'
  | 'keepDefinition'
> {
  control: PolicyControl
  disk: DiskFacts
  keys: () => ApprovalKeys
  redactors: Redactors
  approvals: Approvals
  now: () => number
}

/** What all calls of a crib share, from what its host said and the rooms that were opened for it. */
export function createPipelinePorts(
  options: CribOptions,
  { control, disk, keys, redactors, ...parts }: PipelineParts,
): PipelinePorts {
  const { policy, closing, approvals } = parts
  const { keepDefinition } = parts
  const hooks = orderHooks(options.hooks ?? [])
  for (const hook of hooks) keepDefinition(hookRef(hook), () => declaredHook(hook))
  for (const classifier of options.permission?.classifiers ?? [])
    keepDefinition(classifierRef(classifier), () => describeClassifier(classifier))
  const judge = withDecider(policy, options.decider, { isAlone: options.permission === undefined })
  return {
    ...parts,
    decider: withOutside(judge, options.permission ?? {}),
    approver: options.approver,
    responder: options.responder,
    hooks,
    // Elsewhere it was kept when it came into the catalog.
    ...(parts.journal.store.isEphemeral && { onFirstCall: (tool) => keepTool(keepDefinition, tool) }),
    policyRevision: revisionOf(policy, options),
    acceptUpdate: options.acceptUpdate ?? acceptUpdate(control, options.tenant ?? 'default'),
    onToolCode: runsTools,
    marksCalls: options.approver !== undefined || approvals.hasReviewers,
    home: homedir(),
    hideSecret: hideSecretWith(keys),
    ...disk,
    listFolder,
    folders: folderFacts,
    deadlines: createDeadlines(),
    random: options.random ?? Math.random,
    defaultRetries: options.retries,
    defaultTimeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    results: resultPolicyOf(options.results ?? {}),
    redactor: redactors.usual,
    redactorFor: redactors.for,
    exactRedactor: redactors.exact,
    keyedRedactor: redactors.keyed,
    liveSecrets: redactors.live,
    redactionWay: redactors.way,
    protectedReaders: options.redaction?.readers ?? [],
    maxProgressPerSecond: options.maxProgressPerSecond ?? DEFAULT_PROGRESS_PER_SECOND,
    cancelGraceMs: options.cancelGraceMs ?? DEFAULT_CANCEL_GRACE_MS,
    isClosing: () => closing.aborted,
  }
}

/** Without a key, all secrets look alike: what depends on them then waits more than it must, and nothing is told. */
export function hideSecretWith(keys: () => ApprovalKeys): (secret: string) => string {
  return (secret) => {
    try {
      return digestInput(keys(), secret)
    } catch {
      return 'hidden'
    }
  }
}

/** What decisions depend on: the rules, and whatever a judge of the host's own goes by. */
function revisionOf(policy: Policy, { permission, decider, policyRevision }: CribOptions): () => string {
  if (!policyRevision) return () => policy.revision
  const isAlone = permission === undefined && decider !== undefined
  return isAlone ? policyRevision : () => `${policy.revision} ${policyRevision()}`
}
