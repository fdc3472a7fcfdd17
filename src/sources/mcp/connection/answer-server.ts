import type { JsonObject, JsonRpcId, JsonRpcRequest } from '../protocol/json-rpc.js'
import { McpError, mcpErrorCodes } from '../protocol/mcp-error.js'
import { askClient, MAX_QUESTIONS } from './ask-client.js'
import type { ConnectOptions } from './connection.js'
import type { UnderWay } from './pending-request.js'
import type { Wire } from '../wire/wire.js'

/** A person may take a while; a question that nobody answers must not be kept for ever. */
const MAX_QUESTION_MS = 30 * 60_000

/** Why a question is given up that needs no answer any more. */
export const questionMoot = new Error('The server no longer waits for an answer.')

export interface AnsweringServer {
  answer(request: JsonRpcRequest, related: UnderWay | undefined): void
  /** The server no longer wants to know. */
  cancel(id: unknown): void
  stop(): void
}

/** Answers what a server asks in the earlier era, where it asks with requests of its own. */
export function answerServer(
  wire: Wire,
  { name, answer }: Pick<ConnectOptions, 'name' | 'answer'>,
): AnsweringServer {
  const open = new Map<JsonRpcId, AbortController>()

  const resultOf = async (
    { method, params }: JsonRpcRequest,
    related: UnderWay | undefined,
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

  const respond = async (request: JsonRpcRequest, related: UnderWay | undefined): Promise<void> => {
    const { id } = request
    const over = new AbortController()
    const timer = setTimeout(() => over.abort(new Error('Nobody answered.')), MAX_QUESTION_MS)
    timer.unref()
    open.set(id, over)
    related?.questions.add(over)
    try {
      const result = await resultOf(request, related, over.signal)
      if (over.signal.reason !== questionMoot) await wire.send({ jsonrpc: '2.0', id, result })
    } catch (error) {
      if (over.signal.reason !== questionMoot)
        await wire.send({ jsonrpc: '2.0', id, error: toWireError(error) })
    } finally {
      clearTimeout(timer)
      open.delete(id)
      related?.questions.delete(over)
    }
  }

  return {
    answer(request, related) {
      // A server that can no longer be told is noticed by the wire.
      respond(request, related).catch(() => {})
    },
    cancel: (id) => open.get(id as JsonRpcId)?.abort(questionMoot),
    stop() {
      for (const over of open.values()) over.abort(questionMoot)
    },
  }
}

function toWireError(error: unknown): { code: number; message: string; data?: unknown } {
  if (!(error instanceof McpError))
    return { code: mcpErrorCodes.internal, message: error instanceof Error ? error.message : String(error) }
  const { message, data } = error
  // The earlier era has no code of its own for what a client cannot do.
  const code =
    error.code === mcpErrorCodes.missingClientCapability ? mcpErrorCodes.methodNotFound : error.code
  return data === undefined ? { code, message } : { code, message, data }
}
