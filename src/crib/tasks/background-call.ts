import type { ToolResult } from '../../contract/objects/tool-result.js'
import { errorMessage } from '../../platform/text/error-message.js'
import { eventAt, eventCount } from '../../storage/event-list.js'
import type { PipelineRun } from '../../pipeline/ports.js'
import { recordProgress } from '../../pipeline/progress/record-progress.js'
import { deepFreeze } from '../../platform/json/deep-freeze.js'
import { toCall, type Call } from '../calls/call-handle.js'
import { createReceipt, type Receipt } from './create-receipt.js'
import type { StartedCall } from '../calls/start-call.js'

/** Continues a call in the background and gives its caller a receipt; a call that has ended already gives its result. */
export function toBackground({ call, run }: StartedCall, result: Promise<ToolResult>): Call {
  if (run.isOver) return toCall(result, run)
  const { invocationId } = call
  const about = { invocationId, startedAt: startOf(run) }
  const { timestamp } = recordProgress(run, about, { task_id: invocationId }, 'backgrounded')
  // The outcome is recorded: without a caller that waits, a rejection must not end the process.
  result.catch(() => {})
  const receipt = giveReceipt(run, {
    invocationId,
    toolId: run.row.toolId,
    nativeCallId: call.request.nativeCallId,
    requestedVia: call.request.requestedVia,
    createdAt: timestamp,
  })
  return toCall(receipt, run, result)
}

/** When its executor started, if it has. */
function startOf({ events, row }: PipelineRun): number | undefined {
  for (let index = 0; index < eventCount(events); index++) {
    const { type, at } = eventAt(events, index, row.createdAt)
    if (type === 'tool.invocation.started') return at
  }
  return undefined
}

/** Given only once the call is on disk, so that its id can be found from any process. */
async function giveReceipt({ ports }: PipelineRun, about: Receipt): Promise<ToolResult> {
  const receipt = createReceipt(about)
  try {
    await ports.journal.durable()
  } catch (error) {
    const problem = errorMessage(error)
    Object.assign(receipt.toolcrib!, { record: 'pending', record_problem: problem })
  }
  return deepFreeze(receipt)
}
