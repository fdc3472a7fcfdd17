import type { CallRun } from './call-run.js'
import { inputOf, type CallState } from './call-state.js'
import { mutableCopy } from '../../foundation/json/mutable-copy.js'

/**
 * The input as the executor takes it: what the schema library made of it where that is more than JSON, else a copy of
 * its own to do with as it likes. In another process than the one that parsed it, it is parsed again.
 */
export function callValue(call: CallState, run: CallRun): unknown | Promise<unknown> {
  const kept = run.parsedValue
  if (kept && kept.of === call.parsed) return kept.value
  const { prepared, draft } = run.tool!
  const check = call.rounds === 0 ? prepared.model : prepared.runtime
  if (!draft.input.validate || !check) return mutableCopy(inputOf(call, 'call'))
  return Promise.resolve(check(inputOf(call, 'parsed'))).then((validated) => {
    if (!validated.ok) return mutableCopy(inputOf(call, 'call'))
    run.parsedValue = { of: call.parsed, value: validated.value }
    return validated.value
  })
}
