import { readBatchPolicy, type BatchPolicy } from '../../../crib/batches/batch-policy.js'
import { siblingFailurePolicies } from '../../../contract/unions.js'
import type { GivenOptions } from '../program/command.js'
import { usageProblem } from '../program/usage-problem.js'
import { wholeNumber } from '../input/whole-number.js'

/** The policy of the file, overridden by options of the command line. */
export function batchPolicyFor(policy: unknown, from: string, options: GivenOptions): BatchPolicy {
  return { ...policyIn(policy, from), ...policyOfOptions(options) }
}

function policyIn(given: unknown, from: string): BatchPolicy {
  const where = `The policy in ${from}`
  try {
    return readBatchPolicy(where, given ?? {})
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw usageProblem(error.message)
  }
}

function policyOfOptions(options: GivenOptions): BatchPolicy {
  const { serial, unordered, maxParallel, timeout, onFailure } = options
  if (serial === true && unordered === true)
    throw usageProblem('Use --serial or --unordered, not both: one call at a time has an order.')
  const isFew = maxParallel !== undefined
  return {
    ...(serial === true && { ordering_policy: 'serial' }),
    ...(unordered === true && { ordering_policy: 'allow_unordered' }),
    ...(isFew && { max_parallel: wholeNumber('--max-parallel', maxParallel) }),
    ...(timeout !== undefined && { timeout_ms: wholeNumber('--timeout', timeout) }),
    ...(onFailure !== undefined && { sibling_failure_policy: failurePolicy(String(onFailure)) }),
  }
}

function failurePolicy(given: string): (typeof siblingFailurePolicies)[number] {
  const found = siblingFailurePolicies.find((each) => each === given.replaceAll('-', '_'))
  if (found) return found
  const words = siblingFailurePolicies.map((each) => each.replaceAll('_', '-'))
  throw usageProblem(`--on-failure takes ${words.join(', ')}, not "${given}".`)
}
