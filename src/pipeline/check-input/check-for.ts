import type { PreparedTool } from '../../catalog/catalog-tool.js'
import type { CallRun } from '../call-run.js'
import type { CallState } from '../call-state.js'

/** The model's schema for what the model wrote, the runtime's for what anyone changed. Absent before the first call. */
export function checkFor(call: CallState, run: CallRun): PreparedTool['model'] {
  const { prepared } = run.tool!
  return call.rounds === 0 ? prepared.model : prepared.runtime
}
