import { defineKey } from '../../platform/json/define-key.js'
import type { CheckRun } from './check-ports.js'
import { inputOf, type CallState } from '../call-state.js'
import { checkFor } from './parse-schema.js'
import { prepareChecks } from './prepare-checks.js'
import { resolvePaths } from './resolve-paths.js'

/**
 * The input for the executor, which may change it: the schema's parsed value, which may hold more than JSON. A process
 * that did not parse it parses it again.
 */
export function callValue(call: CallState, run: CheckRun): unknown | Promise<unknown> {
  const { parsedValue } = run
  if (run.parsedFrom === undefined || run.parsedFrom !== call.source) return freshValue(call, run)
  // A schema that only checks returns its argument, which belongs to the record: copy it.
  return resolvePaths(run, parsedValue === call.source ? mutableCopy(parsedValue) : parsedValue)
}

/** The same as a new copy, for code that must not be able to change the executor's value. */
export function freshValue(call: CallState, run: CheckRun): unknown | Promise<unknown> {
  const { parsedFrom, parsedValue } = run
  // A schema that only checks has accepted this input already: nothing is parsed, and nothing has to be waited for.
  return parsedFrom !== undefined && parsedFrom === call.source && parsedValue === parsedFrom
    ? resolvePaths(run, mutableCopy(parsedValue))
    : parsedAgain(call, run)
}

async function parsedAgain(call: CallState, run: CheckRun): Promise<unknown> {
  const tool = run.tool!
  if (!tool.draft.input.validate) return mutableCopy(resolvePaths(run, inputOf(call, 'call')))
  if (!checkFor(call, run)) await prepareChecks(tool)
  const validated = await checkFor(call, run)?.(call.source)
  const value = validated?.ok ? validated.value : inputOf(call, 'call')
  return resolvePaths(run, value === call.source || !validated?.ok ? mutableCopy(value) : value)
}

/** A copy that its receiver may change. The value must be JSON. */
function mutableCopy(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(mutableCopy)
  const result: Record<string, unknown> = {}
  for (const key of Object.keys(value)) {
    const member = mutableCopy((value as Record<string, unknown>)[key])
    if (key === '__proto__') defineKey(result, key, member)
    else result[key] = member
  }
  return result
}
