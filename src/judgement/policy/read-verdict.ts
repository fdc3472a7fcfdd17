import { toJson } from '../../foundation/json/to-json.js'
import {
  ownDecisionSources,
  permissionBehaviors,
  reasonTypes,
  ruleSources,
  type DecisionSource,
  type ReasonType,
} from '../../foundation/contract/unions.js'
import type { Verdict } from './decision.js'

const sources: readonly unknown[] = [...ruleSources, ...ownDecisionSources]

/** What a judge of unknown make answered: a behaviour that cannot be read is a deny, what else cannot be is left out. */
export function readVerdict(answer: unknown): Verdict {
  // Ours are frozen and whole; they are given in every call.
  if (typeof answer === 'object' && answer !== null && TRUSTED in answer) return answer as unknown as Verdict
  const said: Record<string, unknown> = typeof answer === 'object' && answer !== null ? { ...answer } : {}
  if (!(permissionBehaviors as readonly unknown[]).includes(said['behavior'])) {
    return failedVerdict('The permission decider gave no answer that can be read, so the call is denied.')
  }
  return {
    behavior: said['behavior'] as Verdict['behavior'],
    isDefault: said['isDefault'] === true,
    source: sources.includes(said['source']) ? (said['source'] as DecisionSource) : 'toolcrib.decider',
    reason: readReason(said['reason']),
    ...(said['updatedInput'] !== undefined && { updatedInput: said['updatedInput'] }),
    ...textList('rule_refs', said['rule_refs']),
    ...textList('policy_refs', said['policy_refs']),
    ...(typeof said['blocked_path'] === 'string' && { blocked_path: said['blocked_path'] }),
    ...(typeof said['expires_at'] === 'string' && { expires_at: said['expires_at'] }),
    ...updatesOf(said['suggested_updates']),
  }
}

const TRUSTED = Symbol('a verdict of ours')

/** A verdict of our own making: it need not be read like a stranger's. */
export function ownVerdict(verdict: Verdict): Verdict {
  return Object.defineProperty(verdict, TRUSTED, { value: true })
}

/** One that is given again and again, and recorded once. */
export function constantVerdict(verdict: Verdict): Verdict {
  return Object.freeze(ownVerdict(verdict))
}

export function failedVerdict(message: string): Verdict {
  return { behavior: 'deny', source: 'toolcrib.decider', reason: { type: 'other', message } }
}

function readReason(reason: unknown): NonNullable<Verdict['reason']> {
  if (typeof reason === 'string') return { type: 'other', message: reason }
  const said: Record<string, unknown> = typeof reason === 'object' && reason !== null ? { ...reason } : {}
  const type = (reasonTypes as readonly unknown[]).includes(said['type'])
    ? (said['type'] as ReasonType)
    : 'other'
  return {
    type,
    ...(typeof said['message'] === 'string' && { message: said['message'] }),
    ...(typeof said['rule_ref'] === 'string' && { rule_ref: said['rule_ref'] }),
  }
}

function textList<Name extends string>(name: Name, given: unknown): Partial<Record<Name, string[]>> {
  if (!Array.isArray(given) || !given.every((each) => typeof each === 'string')) return {}
  return { [name]: [...given] } as Partial<Record<Name, string[]>>
}

function updatesOf(given: unknown): Pick<Verdict, 'suggested_updates'> {
  const updates = Array.isArray(given) ? toJson(given) : undefined
  return updates
    ? { suggested_updates: updates.filter((each) => typeof each === 'object' && each !== null) }
    : {}
}
