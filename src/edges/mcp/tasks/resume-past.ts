import { toAbortSignal } from '../../../platform/async/stop-signal.js'
import type { JsonObject } from '../../../sources/mcp/protocol/json-rpc.js'
import { describeWaiting } from '../calls/describe-waiting.js'
import { complete } from '../in-era.js'
import { readPastTask } from './past-task.js'
import type { CallRequest } from '../calls/call-request.js'
import { abortAfter } from '../../../platform/async/abort-after.js'

const RESULT_WAIT_MS = 20_000

export interface Resumed {
  readonly result: JsonObject
  /** Whether this is the final result of the call. */
  readonly isOver: boolean
}

/** Resumes a call that is not in the memory of this process, if its actor and its tool are the same. */
export async function resumePast(
  id: string,
  { exchange, connection, tool }: Pick<CallRequest, 'exchange' | 'connection' | 'tool'>,
): Promise<Resumed | undefined> {
  const { crib, approvalsCommand } = connection.gateway
  const { tenant } = connection.surface.request
  const past = await readPastTask(id, connection)
  if (past?.toolId !== tool.toolId) return undefined
  const signal = toAbortSignal(exchange.signal)
  const over = abortAfter(RESULT_WAIT_MS, signal)
  try {
    return { result: complete(await past.wait(over), exchange.era), isOver: true }
  } catch (error) {
    if (!over.aborted || signal.aborted) throw error
  }
  const open = await crib.approvals.list({ status: 'pending', ...(tenant !== undefined && { tenant }) })
  const approval = open.find(({ invocation_id: call }) => call === id)
  if (approval) return { result: describeWaiting(approval, exchange.era, approvalsCommand), isOver: false }
  return { result: complete(await past.wait(signal), exchange.era), isOver: true }
}
