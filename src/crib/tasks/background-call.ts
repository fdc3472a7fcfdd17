import type { ToolResult } from '../../contract/objects/tool-result.js'
import { eventAt, eventCount } from '../../storage/event-list.js'
import type { CallRun } from '../../pipeline/call-run.js'
import { recordProgress } from '../../pipeline/progress/record-progress.js'
import { deepFreeze } from '../../results/copy-output.js'
import { toCall, type Call } from '../calls/call-handle.js'
import { createReceipt, type Receipt } from './create-receipt.js'
import type { NewCall } from '../calls/start-call.js'

/** Lets a call go on without its caller, who gets a receipt; one that has ended already has its result. */
export function toBackground({ call, run }: NewCall, result: Promise<ToolResult>): Call {
  if (run.isOver) return toCall(result, run)
  const { invocationId } = call
  const about = { invocationId, startedAt: startOf(run) }
  const { timestamp } = recordProgress(run, about, { task_id: invocationId }, 'backgrounded')
  // What becomes of it is on record: that nobody here waits for it must not end the process.
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

/** When its executor began, if it has. */
function startOf({ events, row }: CallRun): number | undefined {
  for (let index = 0; index < eventCount(events); index++) {
    const { type, at } = eventAt(events, index, row.createdAt)
    if (type === 'tool.invocation.started') return at
  }
  return undefined
}

/** Only once the call is on disk: whoever is told its id can find it from anywhere. */
async function giveReceipt({ ports }: CallRun, about: Receipt): Promise<ToolResult> {
  const receipt = createReceipt(about)
  try {
    await ports.journal.durable()
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    Object.assign(receipt.toolcrib!, { record: 'pending', record_problem: problem })
  }
  return deepFreeze(receipt)
}
