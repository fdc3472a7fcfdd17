import type { ToolResult } from '../../contract/objects/tool-result.js'
import type { PipelineRun } from '../../pipeline/ports.js'
import type { BatchSlot } from '../../scheduling/batch-slot.js'
import type { BatchContext } from './batch.js'
import type { Draft } from './call-draft.js'
import type { Call } from '../calls/call-handle.js'

/** One call of a batch, from the moment its slot is known. */
export interface Member {
  readonly batchSlot: BatchSlot
  /** The calls that depend on it. */
  readonly dependents: Member[]
  /** Absent while its arguments are still streaming. */
  run: PipelineRun | undefined
  call: Call | undefined
  draft: Draft | undefined
  /** Its recorded result; the caller gets it once it is as durable as it must be. */
  ended: ToolResult | undefined
  /** The call that canceled it before it could start. */
  cause: BatchSlot | undefined
  isBackground: boolean
  result: ToolResult | undefined
}

/** The context changes that calls request, in the order of the calls, whatever the order in which they ended. */
export function mergeContext(members: readonly Member[]): BatchContext {
  const modifiers = members.flatMap(({ result, run }) => {
    const modifier = result?.toolcrib?.['context_modifier'] as Record<string, unknown> | undefined
    if (!modifier || !run) return []
    const { invocationId, toolId } = run.row
    return [{ invocationId, toolId, modifier }]
  })
  return { modifiers, merged: Object.assign({}, ...modifiers.map(({ modifier }) => modifier)) }
}
