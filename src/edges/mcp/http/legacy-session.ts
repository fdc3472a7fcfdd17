import { isObject } from '../../../platform/json/is-object.js'
import { createOpenItemsById, type OpenItemsById } from '../../../platform/async/open-items.js'
import type { StopController } from '../../../platform/async/stop-signal.js'
import type { JsonObject, JsonRpcId } from '../../../sources/mcp/protocol/json-rpc.js'
import { McpError, mcpErrorCodes } from '../../../sources/mcp/protocol/mcp-error.js'
import { LATEST_LEGACY } from '../../../sources/mcp/protocol/revisions.js'
import type { McpQuestion } from '../../../sources/mcp/protocol/mcp-client.js'
import type { GatewaySession } from '../gateway.js'
import type { Channels } from './streams/create-channels.js'

/** A request that is being served. */
export interface RunningRequest {
  readonly controller: StopController
  /** Ends its reply without an answer. */
  drop(): void
  /** Answers it with an error; its later outcome is ignored. */
  fail(error: McpError): void
}

/** One client of the legacy era, from `initialize` until it ends the session or is idle too long. */
export interface LegacySession {
  readonly id: string
  readonly binding: string
  /** The caller that opened it, on any surface. */
  readonly callerKey: string
  readonly connection: GatewaySession
  readonly channels: Channels
  readonly running: OpenItemsById<RunningRequest>
  revision: string
  capabilities: JsonObject
  usedAt: number
  /** The result of `initialize`. */
  initialize(params: JsonObject, revision: string): JsonObject
  /** Sends a question and waits for the answer, which comes with a later POST. */
  ask(send: (message: JsonObject) => void, question: McpQuestion, signal: AbortSignal): Promise<JsonObject>
  /** Takes the client's answer to a question. */
  answer(message: JsonObject): void
  cancel(id: unknown): void
  isBusy(): boolean
  end(): Promise<void>
}

export interface LegacySessionOptions {
  readonly id: string
  readonly binding: string
  readonly callerKey: string
  readonly connection: GatewaySession
  readonly channels: Channels
  readonly now: number
}

interface Waiting {
  resolve(result: JsonObject): void
  reject(error: McpError): void
}

export function createLegacySession({
  id,
  binding,
  callerKey,
  connection,
  channels,
  now,
}: LegacySessionOptions): LegacySession {
  const questions = new Map<JsonRpcId, Waiting>()
  let asked = 0
  let stopListening: (() => void) | undefined
  const session: LegacySession = {
    id,
    binding,
    callerKey,
    connection,
    channels,
    running: createOpenItemsById(),
    revision: LATEST_LEGACY,
    capabilities: {},
    usedAt: now,
    initialize(params, revision) {
      const { clientInfo, capabilities } = params
      session.revision = revision
      session.capabilities = isObject(capabilities) ? capabilities : {}
      const result = connection.initialize({
        era: 'legacy',
        protocolVersion: revision,
        clientInfo: isObject(clientInfo) ? clientInfo : {},
        capabilities: session.capabilities,
      })
      stopListening ??= connection.listen((method, body) =>
        channels.push(channels.own, { jsonrpc: '2.0', method, params: body }),
      )
      return { ...result, protocolVersion: revision }
    },
    ask(send, question, signal) {
      const key = `ask-${++asked}`
      return new Promise<JsonObject>((resolve, reject) => {
        const stop = () => {
          waiting.reject(new McpError(mcpErrorCodes.internal, 'The client did not answer in time.'))
          send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: key } })
        }
        const done = () => {
          questions.delete(key)
          signal.removeEventListener('abort', stop)
        }
        const waiting: Waiting = {
          resolve: (result) => (done(), resolve(result)),
          reject: (error) => (done(), reject(error)),
        }
        if (signal.aborted)
          return waiting.reject(new McpError(mcpErrorCodes.internal, 'The request is over.'))
        questions.set(key, waiting)
        signal.addEventListener('abort', stop, { once: true })
        send({ jsonrpc: '2.0', id: key, ...question })
      })
    },
    answer({ id: key, result, error }) {
      const waiting = questions.get(key as JsonRpcId)
      if (waiting === undefined) return
      if (isObject(result)) return waiting.resolve(result)
      const { code, message, data } = isObject(error) ? error : {}
      const isCode = typeof code === 'number'
      const text = typeof message === 'string' ? message : 'The client refused.'
      waiting.reject(new McpError(isCode ? code : mcpErrorCodes.internal, text, data))
    },
    cancel(key) {
      const request = session.running.delete(key)
      if (request === undefined) return
      request.drop()
      request.controller.stop(new McpError(mcpErrorCodes.invalidRequest, 'The client canceled the request.'))
    },
    isBusy: () => session.running.size > 0 || channels.hasStream(),
    async end() {
      stopListening?.()
      const gone = new McpError(mcpErrorCodes.internal, 'The session has ended.')
      for (const waiting of questions.values()) waiting.reject(gone)
      for (const request of session.running.all()) {
        request.fail(gone)
        request.controller.stop(gone)
      }
      session.running.clear()
      channels.close()
      await connection.close()
    },
  }
  return session
}
