import { nearestWord } from '../../../platform/config/nearest-word.js'
import type { BatchCall } from '../../../crib/batches/batch-calls.js'
import { isObject } from '../../../platform/json/is-object.js'
import { usageProblem } from '../program/usage-problem.js'

const EXAMPLE = '{"name": "math.add", "input": {"a": 1, "b": 2}}'

type Fields = Readonly<Record<string, unknown>>

/** One call of a file: in Toolcrib's format or in a provider's. `place` begins each error message. */
export function parseBatchCall(value: unknown, place: string): BatchCall {
  if (!isObject(value)) throw usageProblem(`${place} is not an object; a call is ${EXAMPLE}.`)
  const given = value as Fields
  const written = fromProvider(given, place)
  if (written) return withoutGaps({ ...written, name: nameIn(written, place) }, place)
  for (const key of Object.keys(given)) if (!Object.hasOwn(FIELDS, key)) throw unknownField(key, place)
  const call: Record<string, unknown> = {}
  for (const [key, field] of Object.entries(FIELDS)) {
    if (given[key] === undefined) continue
    if (call[field] !== undefined)
      throw usageProblem(`${place} has "${key}" in both spellings; keep one of them.`)
    call[field] = given[key]
  }
  return withoutGaps({ ...call, name: nameIn(call, place) }, place)
}

/** As in records, and as in the library. */
const FIELDS: Readonly<Record<string, keyof BatchCall>> = {
  name: 'name',
  input: 'input',
  id: 'id',
  depends_on: 'dependsOn',
  dependsOn: 'dependsOn',
  native_call_id: 'nativeCallId',
  nativeCallId: 'nativeCallId',
  timeout_ms: 'timeoutMs',
  timeoutMs: 'timeoutMs',
}

/** Field names that others use. */
const MEANT: Readonly<Record<string, string>> = { tool: 'name', arguments: 'input', args: 'input' }

function unknownField(key: string, place: string): Error {
  const meant = MEANT[key] ?? nearestWord(key, Object.keys(FIELDS))
  const known = Object.keys(FIELDS).filter((field) => !/[A-Z]/.test(field))
  const hint = meant ? `did you mean "${meant}"?` : `a call has ${known.join(', ')}.`
  return usageProblem(`${place} has a field "${key}" that no call has; ${hint}`)
}

/**
 * Recognized by their `type`. Their arguments may be JSON text, which is parsed when the call runs: a mistake of a
 * model there is the result of that call, not an error of the file. Other fields are ignored.
 */
function fromProvider(given: Fields, place: string): Partial<Record<keyof BatchCall, unknown>> | undefined {
  switch (given['type']) {
    case undefined:
      return undefined
    case 'tool_use':
      return { name: given['name'], input: given['input'], nativeCallId: given['id'] }
    case 'function_call':
      return { name: given['name'], input: given['arguments'], nativeCallId: given['call_id'] }
    case 'function': {
      const called = given['function']
      if (typeof called !== 'object' || called === null)
        throw usageProblem(
          `${place} is of the type "function" but has no "function" with name and arguments.`,
        )
      const { name, arguments: input } = called as Fields
      return { name, input, nativeCallId: given['id'] }
    }
    default:
      throw usageProblem(
        `${place} has a type that is not known; leave it out, or use "function", "function_call" or "tool_use".`,
      )
  }
}

function nameIn({ name }: { name?: unknown }, place: string): string {
  if (typeof name === 'string' && name !== '') return name
  throw usageProblem(`${place} names no tool; a call is ${EXAMPLE}.`)
}

const IS_RIGHT: Readonly<Record<string, { is: (value: unknown) => boolean; must: string }>> = {
  id: { is: (value) => typeof value === 'string', must: 'a text' },
  nativeCallId: { is: (value) => typeof value === 'string', must: 'a text' },
  timeoutMs: { is: (value) => typeof value === 'number' && value > 0, must: 'a number above 0' },
  dependsOn: {
    is: (value) =>
      Array.isArray(value) && value.every((each) => typeof each === 'string' || Number.isInteger(each)),
    must: 'a list of earlier calls: their ids, or their places counted from 0',
  },
}

/** Checks the type of each field, and removes undefined fields. */
function withoutGaps(call: Partial<Record<keyof BatchCall, unknown>>, place: string): BatchCall {
  const given = Object.entries(call).filter(([, value]) => value !== undefined)
  for (const [field, value] of given) {
    const right = IS_RIGHT[field]
    if (right && !right.is(value)) throw usageProblem(`${place}: "${spelled(field)}" must be ${right.must}.`)
  }
  return Object.fromEntries(given) as unknown as BatchCall
}

const spelled = (field: string): string => field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
