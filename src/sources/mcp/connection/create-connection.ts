import { setTimeout as sleep } from 'node:timers/promises'
import {
  isJsonObject,
  messageKind,
  type JsonObject,
  type JsonRpcId,
  type JsonRpcMessage,
  type JsonRpcNotification,
  type JsonRpcRequest,
} from '../protocol/json-rpc.js'
import { isLarge } from '../protocol/large-messages.js'
import { McpError, mcpErrorCodes } from '../protocol/mcp-error.js'
import { metaKeys } from '../protocol/meta-keys.js'
import { nextTurn } from '../../../platform/async/next-turn.js'
import { cleanText } from '../../../platform/text/clean-text.js'
import type { McpQuestion } from '../protocol/mcp-client.js'
import { answerServer, questionMoot } from './answer-server.js'
import { asBegun } from '../as-begun.js'
import { askClient } from './ask-client.js'
import { boundChatter } from './bound-chatter.js'
import { nameLogger, shownErrorData } from './name-speaker.js'
import type { ConnectOptions, McpConnection, Reply, RequestOptions, ServerFacts } from './connection.js'
import { isFailure } from './is-failure.js'
import { envelope, withRequestMeta, type Speaker } from './request-meta.js'
import type { Wire } from '../wire/wire.js'
import type { UnderWay } from './pending-request.js'

/** How often a server may ask for more before it is told to come to an end. */
const MAX_ROUNDS = 16
/** How long a server that only wants to be asked again is left alone; longer each time. */
const AGAIN_MS = 100

const MAX_ERROR_CHARS = 10_000
const MAX_PROGRESS_CHARS = 1_000

/** What we ask for ourselves: nobody's call, and so nobody's question either. */
const OUR_OWN = new Set([
  'tools/list',
  'resources/list',
  'resources/templates/list',
  'prompts/list',
  'resources/subscribe',
  'resources/unsubscribe',
  'subscriptions/listen',
  'logging/setLevel',
  'ping',
])

export interface OpenConnection extends McpConnection {
  /** Takes a message that came by itself. */
  hear(message: JsonRpcMessage): void
}

/** A connection over a wire on which both sides have agreed how to speak. */
export function createConnection(wire: Wire, facts: ServerFacts, connect: ConnectOptions): OpenConnection {
  const speaker: Speaker = { ...facts, clientInfo: connect.clientInfo }
  const isModern = facts.era === 'modern'
  const underWay = new Map<JsonRpcId, UnderWay>()
  const answering = answerServer(wire, connect)
  let lastId = 0
  const chatter = boundChatter(connect.name)
  wire.onClosed(() => {
    answering.stop()
    chatter.stop()
  })

  /** Who a message is for that came by itself: the one client that waits, where nobody else does, be it without one. */
  const soleClient = (): UnderWay | undefined => {
    let sole: UnderWay | undefined
    for (const request of underWay.values()) {
      const { client } = request.options
      if (!client && OUR_OWN.has(request.method)) continue
      if (!client || (sole && client !== sole.options.client)) return undefined
      sole = request
    }
    return sole
  }

  const hearNotification = ({ method, params: said = {} }: JsonRpcNotification, related?: UnderWay): void => {
    if (!chatter.isPassedOn(method, (name, told) => passOn(name, told, related))) return
    const params = shownParams(method, said, connect.name)
    if (params) passOn(method, params, related)
  }

  const passOn = (method: string, params: JsonObject, related: UnderWay | undefined): void => {
    if (method === 'notifications/progress') {
      // Our tokens are the ids of the requests.
      underWay.get(params['progressToken'] as JsonRpcId)?.options.onProgress?.(params)
    } else if (method === 'notifications/cancelled') {
      answering.cancel(params['requestId'])
    } else {
      const request = related ?? ownerOf(method, params)
      if (request?.options.onNotification) request.options.onNotification(method, params)
      else connect.onNotification(method, params)
    }
  }

  const ownerOf = (method: string, params: JsonObject): UnderWay | undefined => {
    const meta = params['_meta']
    const subscription = isJsonObject(meta) ? meta[metaKeys.subscriptionId] : undefined
    if (subscription !== undefined) return underWay.get(subscription as JsonRpcId)
    if (method !== 'notifications/message') return undefined
    const [only] = underWay.values()
    return underWay.size === 1 ? only : soleClient()
  }

  const hear = (message: JsonRpcMessage, related?: UnderWay): void => {
    const kind = messageKind(message)
    if (kind === 'notification') hearNotification(message as JsonRpcNotification, related)
    // In the later era a server asks through its results, and is never answered otherwise.
    else if (kind === 'request' && !isModern)
      answering.answer(message as JsonRpcRequest, related ?? soleClient())
  }

  const exchange = async (
    method: string,
    params: JsonObject | undefined,
    options: RequestOptions,
  ): Promise<Reply> => {
    const { signal, client, inputSchema } = options
    const id = ++lastId
    const request: UnderWay = { method, options, questions: new Set() }
    const progressToken = options.onProgress ? id : undefined
    const sent = withRequestMeta(params, speaker, { client, progressToken })
    underWay.set(id, request)
    options.onSent?.(id)
    try {
      const message: JsonRpcRequest =
        sent === undefined ? { jsonrpc: '2.0', id, method } : { jsonrpc: '2.0', id, method, params: sent }
      const heard = (other: JsonRpcMessage): void => hear(other, request)
      const response = await wire.exchange(message, { signal, inputSchema, heard })
      if (isLarge(response)) await nextTurn()
      if (isFailure(response))
        throw new McpError(
          response.error.code,
          cleanText(response.error.message, MAX_ERROR_CHARS),
          shownErrorData(response.error, connect.name),
        )
      return { result: response.result, requestId: id }
    } catch (error) {
      // Over HTTP in the later era, a stream that closes says it already.
      if (signal?.aborted && !(isModern && wire.kind === 'http'))
        notify('notifications/cancelled', { requestId: id }).catch(() => {})
      throw error
    } finally {
      underWay.delete(id)
      for (const question of request.questions) question.abort(questionMoot)
    }
  }

  const notify = async (method: string, params?: JsonObject): Promise<void> => {
    const sent = isModern
      ? { ...params, _meta: { ...envelope(speaker, undefined), ...metaOf(params) } }
      : params
    await wire.send(
      sent === undefined ? { jsonrpc: '2.0', method } : { jsonrpc: '2.0', method, params: sent },
    )
  }

  const answersFor = async (
    result: JsonObject,
    round: number,
    options: RequestOptions,
  ): Promise<JsonObject> => {
    const signal = options.signal ?? new AbortController().signal
    const questions = result['inputRequests']
    const state = result['requestState'] === undefined ? {} : { requestState: result['requestState'] }
    if (!isJsonObject(questions) || Object.keys(questions).length === 0) {
      await sleep(AGAIN_MS * 2 ** Math.min(round, 5), undefined, { signal }).catch(() =>
        signal.throwIfAborted(),
      )
      return state
    }
    const asked = questions as Record<string, McpQuestion & JsonObject>
    const answerers = { server: connect.name, client: options.client, answer: connect.answer }
    return { inputResponses: await askClient(asked, answerers, signal), ...state }
  }

  return {
    facts,
    pid: wire.pid,
    hear,
    async request(method, params, options = {}) {
      options.signal?.throwIfAborted()
      let reply = await exchange(method, params, options)
      for (let round = 0; isModern && reply.result['resultType'] === 'input_required'; round++) {
        if (round === MAX_ROUNDS)
          throw new McpError(mcpErrorCodes.internal, `The server asked for more input ${MAX_ROUNDS} times.`)
        const answers = await answersFor(reply.result, round, options)
        reply = await exchange(method, { ...params, ...answers }, options).catch((error: unknown) => {
          throw asBegun(error)
        })
      }
      return reply
    },
    notify,
    onClosed: wire.onClosed,
    close: wire.close,
  }
}

/** What a server says by itself, as it may be shown; nothing where it is too much to be read. */
function shownParams(method: string, params: JsonObject, server: string): JsonObject | undefined {
  if (method === 'notifications/message') return nameLogger(params, server)
  const { message } = params
  if (method !== 'notifications/progress' || typeof message !== 'string') return params
  const shown = cleanText(message, MAX_PROGRESS_CHARS)
  return shown === message ? params : { ...params, message: shown }
}

function metaOf(params: JsonObject | undefined): JsonObject {
  const meta = params?.['_meta']
  return isJsonObject(meta) ? meta : {}
}
