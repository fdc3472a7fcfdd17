import { parseRecord } from '../../contract/parse-record.js'
import {
  contentClasses,
  ownDecisionSources,
  permissionBehaviors,
  reasonTypes,
  ruleSources,
  SCHEMA_VERSION,
  type DecisionSource,
  type ReasonType,
} from '../../contract/unions.js'
import { isObject } from '../../platform/json/is-object.js'
import { toJson } from '../../platform/json/to-json.js'
import { errorMessage } from '../../platform/text/error-message.js'
import { strayKey } from '../../platform/validation/check-options.js'
import type { Verdict } from '../decision.js'

const sources: readonly unknown[] = [...ruleSources, ...ownDecisionSources]

type Said = Readonly<Record<string, unknown>>

/** The value of a field, `undefined` if it is only ignored, or that the whole verdict is unreadable. */
const UNREADABLE = Symbol('a field that cannot be read')

/**
 * Every key that a verdict may have, under the standard's name, and how its value is read. An unreadable value that
 * only labels a decision is ignored. One that changes what happens to the call makes the verdict unreadable.
 */
const FIELDS: Readonly<Record<Exclude<keyof Verdict, 'earlier' | 'message'>, (value: unknown) => unknown>> = {
  behavior: (value) => (isOneOf(permissionBehaviors, value) ? value : UNREADABLE),
  isDefault: (value) => value === true,
  isProtected: (value) => (value === true ? true : undefined),
  source: (value) => (sources.includes(value) ? (value as DecisionSource) : undefined),
  reason: readReason,
  rule_refs: readTexts,
  policy_refs: readTexts,
  updated_input: (value) => value,
  content_blocks: (value) => readBlocks(value) ?? UNREADABLE,
  suggested_updates: readUpdates,
  blocked_path: readText,
  user_modified: (value) => (typeof value === 'boolean' ? value : UNREADABLE),
  accept_feedback: readText,
  expires_at: (value) => (typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? value : UNREADABLE),
  classifier_ref: readText,
  confidence: (value) => (typeof value === 'number' && value >= 0 && value <= 1 ? value : undefined),
  classifier_reason: readText,
  pending_classifier_check: readObject,
  toolcrib: readObject,
}

const KEYS = [...Object.keys(FIELDS), 'message']

/** The answer of an unknown decider. An answer that cannot be followed exactly is a deny. */
export function readVerdict(answer: unknown): Verdict {
  // Own verdicts are frozen and complete; they are given in every call.
  if (typeof answer === 'object' && answer !== null && TRUSTED in answer) return answer as unknown as Verdict
  try {
    return readStrange(typeof answer === 'object' && answer !== null ? { ...answer } : {})
  } catch (error) {
    return brokenDecider(error)
  }
}

function readStrange(said: Said): Verdict {
  if (FIELDS.behavior(said['behavior']) === UNREADABLE) {
    return failedVerdict('The permission decider gave no answer that can be read, so the call is denied.')
  }
  // An unknown key may be the one that was to make the call safe.
  const stray = strayKey('A verdict', 'key', said, KEYS)
  if (stray !== undefined) return refusedVerdict(stray)
  const verdict: Record<string, unknown> = {
    isDefault: false,
    source: 'toolcrib.decider',
    reason: readReason(said['message']),
  }
  for (const [name, read] of Object.entries(FIELDS)) {
    const value = said[name]
    const known = value === undefined ? undefined : read(value)
    if (known === UNREADABLE) return refusedVerdict(`Its "${name}" cannot be read.`)
    if (known !== undefined) verdict[name] = known
  }
  return verdict as Verdict
}

const TRUSTED = Symbol('a verdict of ours')

/** A verdict made here: it need not be validated. */
export function ownVerdict(verdict: Verdict): Verdict {
  return Object.defineProperty(verdict, TRUSTED, { value: true })
}

/** A verdict that is given repeatedly and recorded once. */
export function constantVerdict(verdict: Verdict): Verdict {
  return Object.freeze(ownVerdict(verdict))
}

export function failedVerdict(message: string): Verdict {
  return { behavior: 'deny', source: 'toolcrib.decider', reason: { type: 'other', message } }
}

/** A decider that throws has denied. */
export function brokenDecider(error: unknown): Verdict {
  const message = errorMessage(error)
  return failedVerdict(`The permission decider failed (${message}), so the call is denied.`)
}

function refusedVerdict(why: string): Verdict {
  return failedVerdict(`The verdict of the permission decider was refused, so the call is denied: ${why}`)
}

function isOneOf(words: readonly unknown[], value: unknown): boolean {
  return words.includes(value)
}

function readReason(reason: unknown): NonNullable<Verdict['reason']> {
  if (typeof reason === 'string') return { type: 'other', message: reason }
  const said: Said = typeof reason === 'object' && reason !== null ? { ...reason } : {}
  const type = isOneOf(reasonTypes, said['type']) ? (said['type'] as ReasonType) : 'other'
  return {
    type,
    ...(typeof said['message'] === 'string' && { message: said['message'] }),
    ...(typeof said['rule_ref'] === 'string' && { rule_ref: said['rule_ref'] }),
  }
}

function readText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function readTexts(value: unknown): string[] | undefined {
  return Array.isArray(value) && value.every((each) => typeof each === 'string') ? [...value] : undefined
}

function readObject(value: unknown): object | undefined {
  return isObject(value) ? toJson(value) : undefined
}

function readUpdates(value: unknown): Verdict['suggested_updates'] {
  const updates = Array.isArray(value) ? toJson(value) : undefined
  return updates?.filter((each) => typeof each === 'object' && each !== null)
}

/** Content for the model, as the record of the decision holds it. */
function readBlocks(value: unknown): Verdict['content_blocks'] | undefined {
  const blocks: unknown = Array.isArray(value) ? toJson(value) : undefined
  const decision = {
    schema_version: SCHEMA_VERSION,
    decision_id: '',
    invocation_id: '',
    behavior: 'allow',
    decided_at: '',
    content_blocks: blocks,
  }
  const parsed = blocks === undefined ? undefined : parseRecord('tool_permission_decision', decision)
  const read = parsed?.ok ? parsed.record.content_blocks : undefined
  return read?.every(({ type }) => isOneOf(contentClasses, type)) ? read : undefined
}
