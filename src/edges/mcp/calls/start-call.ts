import type { ToolResult } from '../../../contract/objects/tool-result.js'
import { isObject } from '../../../platform/json/is-object.js'
import { errorMessage } from '../../../platform/text/error-message.js'
import type { JsonObject } from '../../../sources/mcp/protocol/json-rpc.js'
import { mcpDefinition } from '../../../sources/mcp/protocol/native.js'
import { McpError, mcpErrorCodes } from '../../../sources/mcp/protocol/mcp-error.js'
import type { ApprovalAnswer, ApprovalRequest } from '../../../policy/decision.js'
import { decisionAbout, type Call } from '../../../crib/calls/call-handle.js'
import { approveByForm, canBeShown } from './approve-by-form.js'
import { clientOf, announceCaller } from '../client-name.js'
import { toClientLink } from '../../../sources/mcp/mcp-client-link.js'
import { canElicitForms, type McpClient } from '../../../sources/mcp/protocol/mcp-client.js'
import { describeWaiting, waitingLine } from './describe-waiting.js'
import type { OpenWork } from './open-work.js'
import type { CallRequest, StartedCall } from './call-request.js'
import type { Connection } from '../connection.js'
import type { Exchange } from '../gateway.js'
import type { ServedConnection } from '../served-connection.js'
import { takesTasks } from '../tasks/takes-tasks.js'
import { promisesData, toMcpResult } from '../tools/to-mcp-result.js'

/** A request whose call can be started: its connection gives access to the work that is open. */
export interface StartRequest extends CallRequest {
  readonly connection: ServedConnection
}

/** Passes a call to the crib. The work decides what the client gets. */
export function startCall(request: StartRequest, { inBackground = false } = {}): StartedCall {
  const { tool, input, params, exchange, connection } = request
  const { crib, pendingWork } = connection.gateway
  const traceParent = traceParentOf(exchange)
  const work = pendingWork.open({ method: 'tools/call', params, exchange, connection })
  const call: Call = crib.call(connection.surface, {
    name: tool.toolId,
    requestedName: String(params['name']),
    input: input ?? {},
    nativeCallId: String(exchange.id),
    ...(traceParent !== undefined && { traceParent }),
    client: toClientLink(work),
    approver: (asked) => approve(asked, { call, work, request }),
    ...(inBackground && { runInBackground: true }),
  })
  const isWithheld = promisesData(tool) && crib.mayWithhold(tool, connection.surface.request)
  const isOfServer = (toolId: string): boolean => {
    const found = crib.tool(toolId)
    return found !== undefined && mcpDefinition(found.draft) !== undefined
  }
  const isFollowed = work.wantsProgress && mcpDefinition(tool.draft) === undefined
  const followed = isFollowed ? followProgress(call, work, isOfServer) : undefined
  const ended = inBackground ? call.then((first) => endOf(first, connection)) : call
  connection.gateway.emit({
    kind: 'call',
    call: {
      client: announceCaller(connection, exchange),
      tool: String(params['name']),
      invocationId: call.invocationId,
      pending: () => call.pending(),
      result: ended,
    },
  })
  work.begin(
    ended.then(
      // Progress is sent before the result.
      (result) => {
        const answer = (): JsonObject =>
          toMcpResult(result, { tool, decision: decisionAbout(call), isWithheld })
        return followed ? followed.then(answer) : answer()
      },
      brokenCall,
    ),
    () => call.cancel(),
  )
  return { call, work }
}

/** The trace of the client: in `_meta`, as is the convention of MCP, or else in the header of its HTTP request. */
function traceParentOf({ meta, traceParent }: Exchange): string | undefined {
  const given = meta?.['traceparent']
  if (given === undefined) return traceParent
  return typeof given === 'string' ? given : undefined
}

/** A background call resolves with a receipt, unless it has ended already. */
function endOf(
  first: ToolResult,
  { gateway, surface }: Pick<Connection, 'gateway' | 'surface'>,
): ToolResult | Promise<ToolResult> {
  if (first.toolcrib?.['receipt'] !== true) return first
  return gateway.crib.task(first.invocation_id, { tenant: surface.request.tenant! }).result()
}

interface Asked {
  readonly call: Call
  readonly work: OpenWork
  readonly request: StartRequest
}

/** Asks the person who uses the client; otherwise the client gets the answer that a reviewer's approval is pending. */
async function approve(question: ApprovalRequest, asked: Asked): Promise<ApprovalAnswer> {
  const { work, request } = asked
  const person = request.connection.gateway.personBehind(request.connection.caller)
  if (person && canElicitForms(work.capabilities) && canBeShown(question, person)) {
    work.asksApproval = true
    try {
      const client = clientOf(request.connection.client, request.exchange.meta)
      return await approveByForm(question, { link: work, person, client })
    } catch (error) {
      if (question.signal.aborted || work.isDone) throw error
    } finally {
      work.asksApproval = false
    }
  }
  reportWaiting(asked).catch(() => {})
  throw new Error('No person at the client can answer.')
}

async function reportWaiting({ call, work, request }: Asked): Promise<void> {
  const approval = await call.pending()
  if (!approval || work.isDone) return
  const { connection, exchange } = request
  const { waiting, tasks } = connection.gateway
  if (work.taskId !== undefined) return tasks.setMessage(work.taskId, connection, waitingLine(approval))
  if (takesTasks(exchange) && (await tasks.convert({ call, work }, request))) return
  const earlier = await waiting.recall(request, approval).catch(() => undefined)
  if (earlier) return work.redirect((by) => waiting.attach(earlier, { ...request, exchange: by }))
  await waiting.add({ call, work, request, approval })
  work.answerInterim(describeWaiting(approval, exchange.era, request.connection.gateway.approvalsCommand))
}

/** Rejects only where the crib is closed or its store fails: a call that fails has a result. */
function brokenCall(error: unknown): never {
  const message = errorMessage(error)
  throw error instanceof McpError ? error : new McpError(mcpErrorCodes.internal, message)
}

/**
 * Sends the progress of a tool that is not a server's to the client. Servers send their own notifications, also where
 * another tool calls theirs.
 */
async function followProgress(
  call: Call,
  link: McpClient,
  isOfServer: (toolId: string) => boolean,
): Promise<void> {
  let count = 0
  for await (const event of call) {
    if (event.tool_id !== undefined && isOfServer(event.tool_id)) return
    if (event.event_type !== 'tool.invocation.progress') continue
    const { progress } = event.data as { progress?: unknown }
    if (isObject(progress)) link.notify('notifications/progress', toProgress(progress, ++count))
  }
}

/** The protocol requires progress to increase: where a tool gives no percentage, its messages are counted. */
function toProgress(reported: JsonObject, count: number): JsonObject {
  const { percent, current_step: step, message } = reported
  const text = [message, step].find((each) => typeof each === 'string')
  const shown = text === undefined ? {} : { message: text }
  return typeof percent === 'number'
    ? { progress: percent, total: 100, ...shown }
    : { progress: count, ...shown }
}
