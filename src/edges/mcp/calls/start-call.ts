import type { ToolResult } from '../../../contract/objects/tool-result.js'
import type { JsonObject } from '../../../sources/mcp/protocol/json-rpc.js'
import { mcpDefinition } from '../../../sources/mcp/protocol/native.js'
import { McpError, mcpErrorCodes } from '../../../sources/mcp/protocol/mcp-error.js'
import type { ApprovalAnswer, ApprovalRequest } from '../../../policy/decision.js'
import { decisionAbout, type Call } from '../../../crib/calls/call-handle.js'
import type { CatalogTool } from '../../../catalog/catalog-tool.js'
import { approveByForm } from './approve-by-form.js'
import { clientOf, meetCaller } from '../client-name.js'
import { toClientLink } from '../../../sources/mcp/client-words.js'
import { canElicitForms } from '../../../sources/mcp/protocol/mcp-client.js'
import { describeWaiting, waitingLine } from './describe-waiting.js'
import { followProgress } from './follow-progress.js'
import type { Exchange } from '../gateway.js'
import type { OpenWork } from './open-work.js'
import type { Connection } from '../connection.js'
import { takesTasks } from '../tasks/takes-tasks.js'
import { toMcpResult } from '../tools/to-mcp-result.js'

export interface CallRequest {
  readonly tool: CatalogTool
  readonly input: JsonObject | undefined
  readonly params: JsonObject
  readonly exchange: Exchange
  readonly connection: Connection
}

export interface StartedCall {
  readonly call: Call
  readonly work: OpenWork
}

/** Hands a call to the crib; what the client hears of it is the work's affair. */
export function startCall(request: CallRequest, { inBackground = false } = {}): StartedCall {
  const { tool, input, params, exchange, connection } = request
  const { crib, held } = connection.gateway
  const work = held.open({ method: 'tools/call', params, exchange, connection })
  const call: Call = crib.call(connection.surface, {
    name: tool.toolId,
    requestedName: String(params['name']),
    input: input ?? {},
    nativeCallId: String(exchange.id),
    client: toClientLink(work),
    approver: (asked) => approve(asked, { call, work, request }),
    ...(inBackground && { runInBackground: true }),
  })
  const isWithheld = crib.mayWithhold(tool, connection.surface.request)
  const isOfServer = (toolId: string): boolean => {
    const found = crib.tool(toolId)
    return found !== undefined && mcpDefinition(found.draft) !== undefined
  }
  const isFollowed = work.wantsProgress && mcpDefinition(tool.draft) === undefined
  const told = isFollowed ? followProgress(call, work, isOfServer) : undefined
  const ended = inBackground ? call.then((first) => endOf(first, connection)) : call
  connection.gateway.emit({
    kind: 'call',
    call: {
      client: meetCaller(connection, exchange),
      tool: String(params['name']),
      invocationId: call.invocationId,
      pending: () => call.pending(),
      result: ended,
    },
  })
  work.begin(
    ended.then(
      // What it said on the way comes before the result.
      (result) => {
        const answer = (): JsonObject =>
          toMcpResult(result, { tool, decision: decisionAbout(call), isWithheld })
        return told ? told.then(answer) : answer()
      },
      brokenCall,
    ),
    () => call.cancel(),
  )
  return { call, work }
}

/** What a call in the background gives at once is a receipt, unless it has ended already. */
function endOf(first: ToolResult, { gateway, surface }: Connection): ToolResult | Promise<ToolResult> {
  if (first.toolcrib?.['receipt'] !== true) return first
  return gateway.crib.task(first.invocation_id, { tenant: surface.request.tenant! }).result()
}

interface Asked {
  readonly call: Call
  readonly work: OpenWork
  readonly request: CallRequest
}

/** Asks the person behind the client, or else tells the client that somebody else is waited for. */
async function approve(question: ApprovalRequest, asked: Asked): Promise<ApprovalAnswer> {
  const { work, request } = asked
  const person = request.connection.gateway.personBehind(request.connection.caller)
  if (person && canElicitForms(work.capabilities)) {
    work.asksApproval = true
    try {
      const client = clientOf(request.connection.met, request.exchange.meta)
      return await approveByForm(question, { link: work, person, client })
    } catch (error) {
      if (question.signal.aborted || work.isDone) throw error
    } finally {
      work.asksApproval = false
    }
  }
  tellThatItWaits(asked).catch(() => {})
  throw new Error('Nobody behind the client answers.')
}

async function tellThatItWaits({ call, work, request }: Asked): Promise<void> {
  const approval = await call.pending()
  if (!approval || work.isDone) return
  const { connection, exchange } = request
  const { waiting, tasks } = connection.gateway
  if (work.taskId !== undefined) return tasks.say(work.taskId, connection, waitingLine(approval))
  if (takesTasks(exchange) && (await tasks.become({ call, work }, request))) return
  const earlier = await waiting.recall(request, approval).catch(() => undefined)
  if (earlier) return work.handOver((by) => waiting.attach(earlier, { ...request, exchange: by }))
  await waiting.add({ call, work, request, approval })
  work.answerMeanwhile(describeWaiting(approval, exchange.era, request.connection.gateway.approvalsCommand))
}

/** Only where the crib is closed or its store fails: a call that fails has a result. */
function brokenCall(error: unknown): never {
  const message = error instanceof Error ? error.message : String(error)
  throw error instanceof McpError ? error : new McpError(mcpErrorCodes.internal, message)
}
