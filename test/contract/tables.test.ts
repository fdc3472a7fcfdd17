import { describe, expect, it } from 'vitest'
import * as contract from '../../src/contract/index.js'
import type { InvocationStatus, RetryGuidance } from '../../src/contract/index.js'

const {
  errorClasses,
  errorTable,
  eventMeaning,
  invocationStatuses,
  isLegalTransition,
  isTerminal,
  resultStatuses,
  resultStatusesFor,
  retryGuidance,
  statusMeaning,
  terminalStatuses,
  transitions,
} = contract

function reachableFrom(start: InvocationStatus): Set<InvocationStatus> {
  const seen = new Set<InvocationStatus>()
  const open = [start]
  for (let status = open.pop(); status !== undefined; status = open.pop()) {
    for (const next of transitions[status]) {
      if (seen.has(next)) continue
      seen.add(next)
      open.push(next)
    }
  }
  return seen
}

describe('status table', () => {
  it('has every status with its meaning', () => {
    expect(Object.keys(transitions).sort()).toEqual([...invocationStatuses].sort())
    for (const status of invocationStatuses) expect(statusMeaning[status]).toMatch(/^[A-Z].*\.$/)
  })

  it('lets every open status end, and no terminal one continue', () => {
    for (const status of invocationStatuses) {
      const ends = [...reachableFrom(status)].filter(isTerminal)
      if (isTerminal(status)) expect(transitions[status], status).toEqual([])
      else expect(ends, status).not.toEqual([])
    }
  })

  it('reaches every status from the first one', () => {
    expect([...reachableFrom('planned'), 'planned'].sort()).toEqual([...invocationStatuses].sort())
  })

  it('answers as the table says', () => {
    for (const from of invocationStatuses) {
      expect(new Set(transitions[from]).size, from).toBe(transitions[from].length)
      for (const to of invocationStatuses) {
        expect(isLegalTransition(from, to), `${from} to ${to}`).toBe(transitions[from].includes(to))
      }
    }
    expect(isLegalTransition('awaiting_approval', 'awaiting_approval')).toBe(false)
    expect(isLegalTransition('partial_result', 'partial_result')).toBe(true)
    expect(isLegalTransition('toString' as InvocationStatus, 'running')).toBe(false)
  })

  it('assigns every result status to some final status', () => {
    const used = terminalStatuses.flatMap((status) => resultStatusesFor[status])
    expect([...new Set(used)].sort()).toEqual([...resultStatuses].sort())
  })
})

describe('error table', () => {
  it.each(errorClasses)('%s ends as the status table allows', (errorClass) => {
    const row = errorTable[errorClass]
    expect(resultStatusesFor[row.invocationStatus]).toContain(row.resultStatus)
    expect(row.meaning).toMatch(/^[A-Z].*\.$/)
  })

  it('has the 27 classes', () => {
    expect(errorClasses).toHaveLength(27)
    expect(Object.keys(errorTable).sort()).toEqual([...errorClasses].sort())
  })

  it('a forbidden call needs other arguments or another policy', () => {
    expect(errorTable.permission_denied.recoverability).toBe('change_arguments_or_policy')
    expect(errorTable.policy_blocked.recoverability).toBe('change_arguments_or_policy')
  })

  it('calls a retry safe only where it also advises one', () => {
    for (const errorClass of errorClasses) {
      const { retrySafe, recoverability } = errorTable[errorClass]
      if (retrySafe) expect(['retry', 'retry_later'], errorClass).toContain(recoverability)
    }
  })
})

describe('retry guidance', () => {
  it.each(errorClasses)('[AT-ERR-01] %s answers every question', (errorClass) => {
    const guidance = retryGuidance(errorClass)
    expect(Object.keys(guidance)).toEqual([
      'safe',
      'change_arguments',
      'discover_first',
      'approval_again',
      'caused_by_sibling',
    ])
    for (const answer of Object.values(guidance)) expect(typeof answer).toBe('boolean')
    expect(guidance.safe).toBe(errorTable[errorClass].retrySafe)
    // Where something has to change first, sending the same call again does not help.
    expect(guidance.safe && (guidance.change_arguments || guidance.discover_first)).toBe(false)
  })

  const those = (field: keyof RetryGuidance) =>
    errorClasses.filter((errorClass) => retryGuidance(errorClass)[field]).toSorted()

  it('distinguishes the cases', () => {
    expect(those('safe')).toEqual(['hook_failed', 'rate_limited'])
    expect(those('discover_first')).toEqual(['schema_not_loaded', 'unknown_tool'])
    expect(those('approval_again')).toEqual(['approval_rejected'])
    expect(those('caused_by_sibling')).toEqual(['sibling_canceled'])
    expect(those('change_arguments')).toEqual([
      'capability_gap',
      'hook_blocked',
      'invalid_arguments',
      'permission_denied',
      'policy_blocked',
      'result_too_large',
      'sandbox_violation',
      'schema_validation_failed',
    ])
  })

  it('is overridden by what is known of the call', () => {
    const known = { retrySafe: true, approvalAgain: true } as const
    expect(retryGuidance('canceled', { ...known, recoverability: 'discover_first' })).toEqual({
      safe: true,
      change_arguments: false,
      discover_first: true,
      approval_again: true,
      caused_by_sibling: false,
    })
  })
})

describe('lists', () => {
  const lists = Object.entries(contract as Record<string, unknown>).filter(
    (entry): entry is [string, string[]] =>
      Array.isArray(entry[1]) && entry[1].every((member) => typeof member === 'string'),
  )

  it('are found', () => expect(lists.length).toBeGreaterThan(30))

  it.each(lists)('%s has each member once', (name, list) => {
    expect(new Set(list).size).toBe(list.length)
    for (const member of list) expect(member.startsWith('toolcrib.'), member).toBe(name.startsWith('own'))
  })

  it('have a meaning for every event', () => {
    expect(Object.keys(eventMeaning).sort()).toEqual(
      [...contract.eventClasses, ...contract.ownEventClasses].sort(),
    )
  })
})
