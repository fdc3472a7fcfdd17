import { mutableCopy } from '../../platform/json/mutable-copy.js'
import type { CallRun } from '../call-run.js'
import { inputOf, type CallState } from '../call-state.js'
import { checkFor } from './check-for.js'
import { prepareChecks } from './prepare-checks.js'
import { resolvePaths } from './resolve-paths.js'

/**
 * The input as the executor takes it: what the schema made of it, which may be more than JSON, to do with as it likes.
 * In another process than the one that parsed it, it is parsed again.
 */
export function callValue(call: CallState, run: CallRun): unknown | Promise<unknown> {
  const { parsedValue } = run
  if (run.parsedFrom === undefined || run.parsedFrom !== call.source) return freshValue(call, run)
  // A schema that only checks gives back what it was given, and that belongs to the record.
  return resolvePaths(run, parsedValue === call.source ? mutableCopy(parsedValue) : parsedValue)
}

/** The same as a new copy, for whoever must not be able to change what runs. */
export async function freshValue(call: CallState, run: CallRun): Promise<unknown> {
  const tool = run.tool!
  if (!tool.draft.input.validate) return mutableCopy(resolvePaths(run, inputOf(call, 'call')))
  if (!checkFor(call, run)) await prepareChecks(tool)
  const validated = await checkFor(call, run)?.(call.source)
  const value = validated?.ok ? validated.value : inputOf(call, 'call')
  return resolvePaths(run, value === call.source || !validated?.ok ? mutableCopy(value) : value)
}
