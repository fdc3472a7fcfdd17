import { errorMessage } from '../../../platform/text/error-message.js'
import type { JsonObject, JsonRpcId, JsonRpcRequest } from '../protocol/json-rpc.js'
import { McpError, mcpErrorCodes } from '../protocol/mcp-error.js'
import { askClient, MAX_QUESTIONS } from './ask-client.js'
import type { ConnectOptions } from './connection.js'
import type { PendingRequest } from './pending-request.js'
import type { Wire } from '../wire/wire.js'

/** A person may need a while, but an unanswered question must not be held for ever. */
const MAX_QUESTION_MS = 30 * 60_000

/** Abort reason of a question that no longer needs an answer. */
export const questionMoot = new Error('The server no longer waits for an answer.')

export interface AnsweringServer {
  answer(request: JsonRpcRequest, related: PendingRequest | undefined): void
  /** The server cancelled its request. */
  cancel(id: unknown): void
  stop(): void
}

/** Answers requests of a server in the earlier era, where servers send requests of their own. */
export function answerServer(
  wire: Wire,
  { name, answer }: Pick<ConnectOptions, 'name' | 'answer'>,
): AnsweringServer {
  const open = new Map<JsonRpcId, AbortController>()

  const resultOf = async (
    { method, params }: JsonRpcRequest,
    related: PendingRequest | undefined,
    signal: AbortSignal,
  ): Promise<JsonObject> => {
    if (method === 'ping') return {}
    if (open.size > MAX_QUESTIONS)
      throw new McpError(
        mcpErrorCodes.invalidRequest,
        `${MAX_QUESTIONS} questions are open already; wait for an answer.`,
      )
    const question = params === undefined ? { method } : { method, params }
    const answers = await askClient(
      { question },
      { server: name, client: related?.options.client, answer },
      signal,
    )
    return answers['question'] ?? {}
  }

  const respond = async (request: JsonRpcRequest, related: PendingRequest | undefined): Promise<void> => {
    const { id } = request
    const over = new AbortController()
    const timer = setTimeout(() => over.abort(new Error('Nobody answered.')), MAX_QUESTION_MS)
    timer.unref()
    open.set(id, over)
    if (related) (related.questions ??= new Set()).add(over)
    try {
      const result = await resultOf(request, related, over.signal)
      if (over.signal.reason !== questionMoot) await wire.send({ jsonrpc: '2.0', id, result })
    } catch (error) {
      if (over.signal.reason !== questionMoot)
        await wire.send({ jsonrpc: '2.0', id, error: toWireError(error) })
    } finally {
      clearTimeout(timer)
      open.delete(id)
      related?.questions?.delete(over)
    }
  }

  return {
    answer(request, related) {
      // If the response cannot be sent, the wire reports the lost server.
      respond(request, related).catch(() => {})
    },
    cancel: (id) => open.get(id as JsonRpcId)?.abort(questionMoot),
    stop() {
      for (const over of open.values()) over.abort(questionMoot)
    },
  }
}

function toWireError(error: unknown): { code: number; message: string; data?: unknown } {
  if (!(error instanceof McpError)) return { code: mcpErrorCodes.internal, message: errorMessage(error) }
  const { message, data } = error
  // The earlier era has no error code for a missing client capability.
  const code =
    error.code === mcpErrorCodes.missingClientCapability ? mcpErrorCodes.methodNotFound : error.code
  return data === undefined ? { code, message } : { code, message, data }
}
