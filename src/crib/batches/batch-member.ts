import type { ToolResult } from '../../contract/objects/tool-result.js'
import type { CallRun } from '../../pipeline/call-run.js'
import type { BatchSlot } from '../../scheduling/batch-slot.js'
import type { BatchContext } from './batch.js'
import type { Draft } from './call-draft.js'
import type { Call } from '../calls/call-handle.js'

/** One call of the batch, from the moment at which its place is known. */
export interface Member {
  readonly batchSlot: BatchSlot
  /** Those that wait for it. */
  readonly dependents: Member[]
  /** Absent while its arguments are still coming. */
  run: CallRun | undefined
  call: Call | undefined
  draft: Draft | undefined
  /** Its result as it went into the record; whoever called is told once that is as durable as it has to be. */
  ended: ToolResult | undefined
  /** The call that took it along before it could start. */
  cause: BatchSlot | undefined
  isBackground: boolean
  result: ToolResult | undefined
}

/** What the calls ask to have changed: in the order of the calls, whatever the order in which they ended. */
export function mergeContext(members: readonly Member[]): BatchContext {
  const modifiers = members.flatMap(({ result, run }) => {
    const modifier = result?.toolcrib?.['context_modifier'] as Record<string, unknown> | undefined
    if (!modifier || !run) return []
    const { invocationId, toolId } = run.row
    return [{ invocationId, toolId, modifier }]
  })
  return { modifiers, merged: Object.assign({}, ...modifiers.map(({ modifier }) => modifier)) }
}
