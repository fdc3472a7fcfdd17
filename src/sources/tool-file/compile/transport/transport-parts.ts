import { MAX_TIMER_MS } from '../../../../platform/async/max-timer-ms.js'
import type { RetryPolicy } from '../../compiled.js'
import { given, integerField, objectField, reportUnknown, type Fields } from '../fields.js'

/** The settings that every transport may have. */
export interface TransportParts {
  readonly timeout_ms?: number
  readonly retry_policy?: RetryPolicy
}

/** The fields of every transport. */
export const SHARED_FIELDS = ['type', 'credentials', 'timeout_ms', 'retry_policy'] as const

export const MAX_ATTEMPTS = 100

export function compileParts(transport: Fields): TransportParts {
  const timeout = integerField(transport, 'timeout_ms', {
    min: 1,
    max: MAX_TIMER_MS,
    wrong: 'aml/invalid-timeout',
  })
  const policy = objectField(transport, 'retry_policy', { wrong: 'aml/invalid-retry-policy' })
  return {
    ...(timeout && { timeout_ms: timeout.value }),
    ...(policy && { retry_policy: compileRetries(policy) }),
  }
}

function compileRetries(policy: Fields): RetryPolicy {
  reportUnknown(policy, ['max_attempts', 'on_status', 'backoff_ms'])
  const wrong = 'aml/invalid-retry-policy'
  const attempts = integerField(policy, 'max_attempts', { min: 1, max: MAX_ATTEMPTS, wrong })
  const backoff = integerField(policy, 'backoff_ms', { min: 0, max: MAX_TIMER_MS, wrong })
  const statuses = compileStatuses(policy)
  if (attempts && attempts.value > 1 && statuses?.length === 0)
    policy.report.add(
      'aml/retry-without-status',
      attempts.node,
      `An empty on_status means that no call is repeated; set max_attempts to 1 or list statuses.`,
    )
  return {
    ...(attempts && { max_attempts: attempts.value }),
    ...(statuses && { on_status: statuses }),
    ...(backoff && { backoff_ms: backoff.value }),
  }
}

function compileStatuses(policy: Fields): readonly number[] | undefined {
  const member = given(policy, 'on_status')
  if (!member) return undefined
  const path = `${policy.path}.on_status`
  if (!member.node.items) {
    policy.report.add('aml/invalid-retry-policy', member.node, `"${path}" must be a list of statuses.`)
    return undefined
  }
  const wrong = member.node.items.filter(
    ({ value }) => !Number.isInteger(value) || (value as number) < 100 || (value as number) > 599,
  )
  for (const item of wrong)
    policy.report.add(
      'aml/invalid-retry-policy',
      item,
      `Each item of "${path}" must be an HTTP status from 100 to 599.`,
    )
  return wrong.length > 0 ? undefined : (member.node.value as number[])
}
