import { snapshotJson } from '../../platform/json/snapshot-json.js'
import type { CheckRun } from './check-ports.js'
import { inputOf, type CallState } from '../call-state.js'
import { changeInput } from '../input/change-input.js'
import { pathsSource } from '../input/own-sources.js'
import { resolvePaths } from './resolve-paths.js'
import { PROCEED, proceed, stop, type Step } from '../step.js'
import { toolError } from '../failures/tool-error.js'

/** A normalised copy for hooks, rules and reviewers; the model's input stays unchanged. */
export function prepareObservableInput(call: CallState, run: CheckRun): Step {
  const before = inputOf(call, 'call')
  const after = resolvePaths(run, before)
  if (after === before) return PROCEED
  const snapshot = snapshotJson(after)
  if ('notJson' in snapshot) {
    return stop(toolError('input_mutation_failed', { message: `The prepared input ${snapshot.notJson}.` }))
  }
  return proceed(
    changeInput(call, run, {
      input: snapshot.value,
      sourceType: 'runtime',
      sourceRef: pathsSource.ref,
      definition: pathsSource.definition,
      reason: 'Paths are made absolute before anyone judges them.',
    }),
  )
}
