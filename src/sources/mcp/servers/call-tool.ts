import { toAbortSignal, type StopSignal } from '../../../platform/async/stop-signal.js'
import { isObject } from '../../../platform/json/is-object.js'
import type { JsonObject, JsonRpcId } from '../protocol/json-rpc.js'
import type { McpClient } from '../protocol/mcp-client.js'
import { metaKeys, TASKS_EXTENSION } from '../protocol/meta-keys.js'
import { LATEST_LEGACY } from '../protocol/revisions.js'
import { cleanText } from '../../../platform/text/clean-text.js'
import type { ExecuteContext } from '../../../catalog/execute-context.js'
import type { RequestOptions, ServerFacts } from '../connection/connection.js'
import type { ServerRequestOptions } from '../mcp-server.js'
import { unconfirmedCancel } from '../../../catalog/unconfirmed-cancel.js'
import { toMcpClient } from '../mcp-client-link.js'
import { asBegun } from '../as-begun.js'
import { followTask } from './follow-task.js'
import type { ConnectionOwner } from './connection-owner.js'
import { toFailure } from './to-failure.js'
import { toOutput, type Answer } from './to-output.js'
import type { ToolDefinition } from '../tools/tool-definition.js'

const MAX_STATUS_CHARS = 1_000

export interface CallPorts {
  readonly server: string
  exchange(
    method: string,
    params: JsonObject | ((facts: ServerFacts) => JsonObject),
    options: ServerRequestOptions,
  ): Promise<Answer>
  /** Why the server's program ended, from its own output; undefined where it wrote nothing. */
  programOutput(): string | undefined
  /** Prevents the server from being stopped as idle until the returned function is called. */
  hold(owner: ConnectionOwner): () => void
}

/** The executor of every tool of a server. */
export async function callTool(
  definition: ToolDefinition,
  { input, context, ports }: { input: JsonObject; context: ExecuteContext; ports: CallPorts },
): Promise<unknown> {
  const client = context.client && toMcpClient(context.client)
  const { stopSignal: signal, session, actor } = context
  const sent: Sent = { facts: undefined, requestId: undefined, isEndConfirmed: undefined }
  const options: ServerRequestOptions = {
    client,
    onProgress: progressListener(context, client),
    onNotification: (method, params) => client?.notify(method, params),
    signal,
    session,
    actor,
    inputSchema: definition.inputSchema,
    onSent: (requestId) => void (sent.requestId = requestId),
  }
  const release = ports.hold({ session, actor })
  try {
    const answer = await ports.exchange(
      'tools/call',
      (facts) => {
        sent.facts = facts
        const params: JsonObject = { name: definition.name, arguments: input }
        if (isTask(definition, facts, context.inBackground)) params['task'] = {}
        return hasTasks(facts) ? { ...params, ...ABLE_OF_TASKS } : params
      },
      options,
    )
    const ended = isHandle(answer) ? await followed(answer, { context, client, ports, sent }) : answer
    return toOutput(ended, ports.server)
  } catch (error) {
    // The protocol does not acknowledge a cancellation: the server may continue.
    if (isAbort(error, signal) && sent.requestId !== undefined && !sent.isEndConfirmed)
      throw unconfirmedCancel(ports.server)
    throw toFailure(error, ports.server, { ...sent, said: ports.programOutput() })
  } finally {
    release()
  }
}

/** State of a call's request. */
interface Sent {
  facts: ServerFacts | undefined
  requestId: JsonRpcId | undefined
  /** The server reports its task as cancelled. */
  isEndConfirmed: boolean | undefined
}

/**
 * An aborted wait throws the signal's reason; an aborted sleep throws an error of Node with the reason as its cause.
 */
function isAbort(error: unknown, { aborted, reason }: StopSignal): boolean {
  return aborted && (error === reason || (error instanceof Error && error.cause === reason))
}

interface RunningCall {
  readonly context: ExecuteContext
  /** The client of the call, as an MCP client. */
  readonly client: McpClient | undefined
  readonly ports: CallPorts
  readonly sent: Sent
}

/** Whether the server answered with a task in place of a result. */
function isHandle({ result, facts }: Answer): boolean {
  return facts.era === 'modern'
    ? result['resultType'] === 'task'
    : isObject(result['task']) && result['content'] === undefined
}

/** Follows a task until it has a result: to the caller, it is one long call. */
async function followed(answer: Answer, { context, client, ports, sent }: RunningCall): Promise<Answer> {
  const { result, facts } = answer
  const { session, actor, stopSignal } = context
  client?.continuesAsTask?.()
  const final = await followTask(result, {
    server: ports.server,
    era: facts.era,
    signal: toAbortSignal(stopSignal),
    client,
    say: (message) => context.progress({ message: cleanText(message, MAX_STATUS_CHARS) }),
    ask: async (method, params, signal) => {
      const request = hasTasks(facts) ? { ...params, ...ABLE_OF_TASKS } : params
      const reply = await ports.exchange(method, request, {
        client,
        onProgress: progressListener(context, client),
        onNotification: (note, told) => client?.notify(note, told),
        signal,
        session,
        actor,
      })
      return reply.result
    },
    onEndConfirmed: () => void (sent.isEndConfirmed = true),
  }).catch((error: unknown) => {
    throw asBegun(error)
  })
  return { ...answer, result: final }
}

/** Only servers of the revision with `task` in the request support it. */
function isTask(
  { raw: { execution } }: ToolDefinition,
  { protocolVersion, capabilities }: ServerFacts,
  inBackground: boolean,
): boolean {
  if (protocolVersion !== LATEST_LEGACY || !isObject(capabilities['tasks'])) return false
  const support = isObject(execution) ? execution['taskSupport'] : undefined
  return support === 'required' || (support === 'optional' && inBackground)
}

/** In the later era a server creates tasks only for requests that declare support for them. */
function hasTasks({ era, capabilities }: ServerFacts): boolean {
  const { extensions } = capabilities
  return era === 'modern' && isObject(extensions) && extensions[TASKS_EXTENSION] !== undefined
}

const ABLE_OF_TASKS: JsonObject = {
  _meta: { [metaKeys.clientCapabilities]: { extensions: { [TASKS_EXTENSION]: {} } } },
}

/** Requests progress where it is wanted: always for calls without an MCP client, else if the client requested it. */
function progressListener(
  context: ExecuteContext,
  client: McpClient | undefined,
): RequestOptions['onProgress'] {
  const wantsProgress = client === undefined || client.wantsProgress
  return wantsProgress ? (params) => tellProgress(params, context, client) : undefined
}

function tellProgress(params: JsonObject, context: ExecuteContext, client: McpClient | undefined): void {
  const { progress, total, message } = params
  const percent =
    typeof progress === 'number' && typeof total === 'number' && total > 0
      ? Math.min(100, Math.max(0, (progress / total) * 100))
      : undefined
  const text = typeof message === 'string' ? message : undefined
  if (percent !== undefined || text !== undefined)
    context.progress({
      ...(percent !== undefined && { percent }),
      ...(text !== undefined && { message: text }),
    })
  client?.notify('notifications/progress', params)
}
