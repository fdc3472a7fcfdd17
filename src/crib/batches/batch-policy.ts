import { abortClasses } from '../../pipeline/failures/canceled.js'
import { nearestWord } from '../../platform/config/nearest-word.js'
import { errorTable } from '../../contract/error-table.js'
import type { ToolSchedulerPolicy } from '../../contract/objects/tool-scheduler-policy.js'
import {
  contextModifierPolicies,
  interruptBehaviors,
  orderingPolicies,
  SCHEMA_VERSION,
  siblingFailurePolicies,
  yieldPolicies,
} from '../../contract/unions.js'
import { withoutUndefined } from '../../platform/json/without-undefined.js'
import { checkOptions, type OptionKind } from '../../platform/validation/check-options.js'

/** How the calls of a batch run: the fields of the standard's policy, and three more. */
export interface BatchPolicy extends Partial<
  Pick<
    ToolSchedulerPolicy,
    | 'scheduler_policy_id'
    | 'scope'
    | 'max_parallel'
    | 'ordering_policy'
    | 'yield_policy'
    | 'interrupt_behavior'
    | 'sibling_failure_policy'
    | 'context_modifier_policy'
  >
> {
  /** Locks that each call of the batch holds while it runs, besides its own. */
  resource_locks?: readonly Readonly<{ key: string; mode?: 'shared' | 'exclusive' }>[]
  schema_version?: typeof SCHEMA_VERSION
  /** How many calls of one tool, and of one source, run at the same time. */
  max_parallel_per_tool?: number
  max_parallel_per_source?: number
  /** The time within which all calls must have ended. */
  timeout_ms?: number
}

/** The values of the standard's own example. */
const DEFAULTS = {
  max_parallel: 10,
  ordering_policy: 'preserve_terminal_order',
  yield_policy: 'progress_immediate_results_ordered',
  interrupt_behavior: 'block',
  sibling_failure_policy: 'ignore',
  context_modifier_policy: 'defer_until_batch_complete',
} as const satisfies BatchPolicy

/** The result status of a call that is ended for each of these reasons. */
const SYNTHETIC = Object.fromEntries(
  Object.entries(abortClasses).map(([reason, errorClass]) => [reason, errorTable[errorClass].resultStatus]),
)

/** The record of a batch's policy. */
export function toSchedulerPolicy(given: BatchPolicy, newId: () => string): ToolSchedulerPolicy {
  const { max_parallel_per_tool, max_parallel_per_source, timeout_ms, resource_locks, ...said } = given
  const isSerial = said.ordering_policy === 'serial'
  const own = withoutUndefined({
    max_parallel_per_tool,
    max_parallel_per_source,
    timeout_ms,
    parallel: { concurrency_safe: !isSerial, apart_by_locks: !isSerial, others: false },
    synthetic_results: SYNTHETIC,
  })
  const policy: ToolSchedulerPolicy = {
    ...DEFAULTS,
    ...withoutUndefined(said),
    schema_version: SCHEMA_VERSION,
    scheduler_policy_id: given.scheduler_policy_id ?? newId(),
    toolcrib: own,
  }
  if (resource_locks) policy.resource_locks = resource_locks.map((lock) => ({ ...lock }))
  return policy
}

const POLICY_OPTIONS = {
  schema_version: 'text',
  scheduler_policy_id: 'text',
  scope: 'text',
  max_parallel: 'positive',
  ordering_policy: 'text',
  yield_policy: 'text',
  interrupt_behavior: 'text',
  sibling_failure_policy: 'text',
  context_modifier_policy: 'text',
  resource_locks: 'list',
  max_parallel_per_tool: 'positive',
  max_parallel_per_source: 'positive',
  timeout_ms: 'positive',
} as const satisfies Record<keyof BatchPolicy, OptionKind>

const CHOICES: Partial<Record<keyof BatchPolicy, readonly string[]>> = {
  ordering_policy: orderingPolicies,
  yield_policy: yieldPolicies,
  interrupt_behavior: interruptBehaviors,
  sibling_failure_policy: siblingFailurePolicies,
  context_modifier_policy: contextModifierPolicies,
}

const OWN = [
  'max_parallel_per_tool',
  'max_parallel_per_source',
  'timeout_ms',
] as const satisfies readonly (keyof BatchPolicy)[]

const WHOLE = ['max_parallel', 'max_parallel_per_tool', 'max_parallel_per_source'] as const

/** A policy as given, or as recorded. Throws a one-sentence error if it is invalid. */
export function readBatchPolicy(where: string, given: unknown): BatchPolicy {
  const policy = withOwnFields(given) as BatchPolicy
  checkBatchPolicy(where, policy)
  return policy
}

/** In a record, the additional fields are in an object of their own. */
function withOwnFields(given: unknown): unknown {
  if (typeof given !== 'object' || given === null || !('toolcrib' in given)) return given
  const { toolcrib, ...policy } = given
  if (typeof toolcrib !== 'object' || toolcrib === null) return given
  const own = Object.entries(toolcrib).filter(([name]) => OWN.some((each) => each === name))
  return { ...policy, ...Object.fromEntries(own) }
}

function checkBatchPolicy(where: string, policy: BatchPolicy): void {
  checkOptions(where, policy, POLICY_OPTIONS)
  for (const name of WHOLE) {
    const value = policy[name]
    if (value !== undefined && !Number.isInteger(value))
      throw new TypeError(`${where}: "${name}" must be a whole number, not ${value}.`)
  }
  for (const [name, choices] of Object.entries(CHOICES)) {
    const value: unknown = policy[name as keyof BatchPolicy]
    if (value === undefined || choices.includes(String(value))) continue
    const near = nearestWord(String(value), [...choices])
    const hint = near ? `did you mean "${near}"?` : `it is one of ${choices.join(', ')}.`
    throw new TypeError(`${where}: "${name}" cannot be "${String(value)}"; ${hint}`)
  }
  for (const lock of policy.resource_locks ?? []) {
    const isLock = typeof lock?.key === 'string' && [undefined, 'shared', 'exclusive'].includes(lock.mode)
    if (!isLock)
      throw new TypeError(
        `${where}: each of "resource_locks" is { key: a text, mode: "shared" or "exclusive" }.`,
      )
  }
}
