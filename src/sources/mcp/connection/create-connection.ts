import { setTimeout as sleep } from 'node:timers/promises'
import { isObject } from '../../../platform/json/is-object.js'
import {
  messageKind,
  type JsonObject,
  type JsonRpcMessage,
  type JsonRpcNotification,
  type JsonRpcRequest,
} from '../protocol/json-rpc.js'
import { isLarge } from '../protocol/large-messages.js'
import { McpError, mcpErrorCodes } from '../protocol/mcp-error.js'
import { metaKeys } from '../protocol/meta-keys.js'
import { createOpenItemsById } from '../../../platform/async/open-items.js'
import { toAbortSignal } from '../../../platform/async/stop-signal.js'
import { nextTurn } from '../../../platform/async/next-turn.js'
import { cleanText } from '../../../platform/text/clean-text.js'
import { originalOf, type McpClient, type McpQuestion } from '../protocol/mcp-client.js'
import { answerServer, questionMoot } from './answer-server.js'
import { asBegun } from '../as-begun.js'
import { askClient } from './ask-client.js'
import { attributeLog, shownErrorData } from './attribute-question.js'
import type { ConnectOptions, McpConnection, Reply, RequestOptions, ServerFacts } from './connection.js'
import { isFailure } from './is-failure.js'
import { envelope, withRequestMeta, type RequestSender } from './request-meta.js'
import type { Wire } from '../wire/wire.js'
import { createRateLimit } from './create-rate-limit.js'
import type { PendingRequest } from './pending-request.js'

/** How often a server may ask for more input before the request fails. */
const MAX_ROUNDS = 16
/** The delay before a server that returned no questions is asked again; it grows each time. */
const AGAIN_MS = 100

const MAX_ERROR_CHARS = 10_000
const MAX_PROGRESS_CHARS = 1_000

/** Requests of our own: they belong to no call, so no client answers questions about them. */
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
  /** Takes a message that is no answer to a request. */
  receive(message: JsonRpcMessage): void
}

/** A connection over a wire whose revision is negotiated. */
export function createConnection(wire: Wire, facts: ServerFacts, connect: ConnectOptions): OpenConnection {
  const sender: RequestSender = { ...facts, clientInfo: connect.clientInfo }
  const isModern = facts.era === 'modern'
  const underWay = createOpenItemsById<PendingRequest>()
  const answering = answerServer(wire, connect)
  let lastId = 0
  const notificationLimit = createNotificationLimit(connect.name)
  wire.onClosed(() => {
    answering.stop()
    notificationLimit.stop()
  })

  /**
   * The request that an unrelated message is attributed to: a pending one, where all pending calls have the same client.
   * Our own requests do not count.
   */
  const soleClient = (): PendingRequest | undefined => {
    let sole: PendingRequest | undefined
    let asker: McpClient | undefined
    for (const request of underWay.all()) {
      const { client } = request.options
      if (!client && OUR_OWN.has(request.method)) continue
      if (!client || (asker && originalOf(client) !== asker)) return undefined
      asker = originalOf(client)
      sole = request
    }
    return sole
  }

  const receiveNotification = (
    { method, params: said = {} }: JsonRpcNotification,
    related?: PendingRequest,
  ): void => {
    if (!notificationLimit.isPassedOn(method, (name, told) => passOn(name, told, related))) return
    const params = shownParams(method, said, connect.name)
    if (params) passOn(method, params, related)
  }

  const passOn = (method: string, params: JsonObject, related: PendingRequest | undefined): void => {
    if (method === 'notifications/progress') {
      // Progress tokens are our request ids.
      underWay.get(params['progressToken'])?.options.onProgress?.(params)
    } else if (method === 'notifications/cancelled') {
      answering.cancel(params['requestId'])
    } else {
      const request = related ?? ownerOf(method, params)
      if (request?.options.onNotification) request.options.onNotification(method, params)
      else connect.onNotification(method, params)
    }
  }

  const ownerOf = (method: string, params: JsonObject): PendingRequest | undefined => {
    const meta = params['_meta']
    const subscription = isObject(meta) ? meta[metaKeys.subscriptionId] : undefined
    if (subscription !== undefined) return underWay.get(subscription)
    if (method !== 'notifications/message') return undefined
    return underWay.size === 1 ? underWay.all()[0] : soleClient()
  }

  const receive = (message: JsonRpcMessage, related?: PendingRequest): void => {
    const kind = messageKind(message)
    if (kind === 'notification') receiveNotification(message as JsonRpcNotification, related)
    // In the later era a server asks through its results; its requests are not answered.
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
    const request: PendingRequest = { method, options, questions: undefined }
    const progressToken = options.onProgress ? id : undefined
    const sent = withRequestMeta(params, sender, { client, progressToken })
    underWay.set(id, request)
    options.onSent?.(id)
    try {
      const message: JsonRpcRequest =
        sent === undefined ? { jsonrpc: '2.0', id, method } : { jsonrpc: '2.0', id, method, params: sent }
      const onMessage = (other: JsonRpcMessage): void => receive(other, request)
      const response = await wire.exchange(message, { signal, inputSchema, onMessage })
      if (isLarge(response)) await nextTurn()
      if (isFailure(response))
        throw new McpError(
          response.error.code,
          cleanText(response.error.message, MAX_ERROR_CHARS),
          shownErrorData(response.error, connect.name),
        )
      return { result: response.result, requestId: id }
    } catch (error) {
      // Over HTTP in the later era, closing the stream already cancels the request.
      if (signal?.aborted && !(isModern && wire.kind === 'http'))
        notify('notifications/cancelled', { requestId: id }).catch(() => {})
      throw error
    } finally {
      underWay.delete(id)
      if (request.questions) for (const question of request.questions) question.abort(questionMoot)
    }
  }

  const notify = async (method: string, params?: JsonObject): Promise<void> => {
    const sent = isModern
      ? { ...params, _meta: { ...envelope(sender, undefined), ...metaOf(params) } }
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
    const signal = options.signal ? toAbortSignal(options.signal) : new AbortController().signal
    const questions = result['inputRequests']
    const state = result['requestState'] === undefined ? {} : { requestState: result['requestState'] }
    if (!isObject(questions) || Object.keys(questions).length === 0) {
      await sleep(AGAIN_MS * 2 ** Math.min(round, 5), undefined, { signal }).catch(() =>
        signal.throwIfAborted(),
      )
      return state
    }
    const asked = questions as Record<string, McpQuestion & JsonObject>
    const answerers = { server: connect.name, client: options.client, answer: connect.answer }
    return { inputResponses: await askClient(asked, answerers, signal), ...state }
  }

  /** Answers the server's questions until it gives a result. */
  const withInput = async (
    method: string,
    params: JsonObject | undefined,
    { options, reply: first }: { options: RequestOptions; reply: Reply },
  ): Promise<Reply> => {
    let reply = first
    for (let round = 0; needsInput(reply); round++) {
      if (round === MAX_ROUNDS)
        throw new McpError(mcpErrorCodes.internal, `The server asked for more input ${MAX_ROUNDS} times.`)
      const answers = await answersFor(reply.result, round, options)
      reply = await exchange(method, { ...params, ...answers }, options).catch((error: unknown) => {
        throw asBegun(error)
      })
    }
    return reply
  }

  return {
    facts,
    pid: wire.pid,
    receive,
    request(method, params, options = {}) {
      if (options.signal?.aborted) return Promise.reject(options.signal.reason)
      const first = exchange(method, params, options)
      if (!isModern) return first
      return first.then((reply) =>
        needsInput(reply) ? withInput(method, params, { options, reply }) : reply,
      )
    },
    notify,
    onClosed: wire.onClosed,
    close: wire.close,
  }
}

/** Notification params that are safe to show; undefined where they are too large. */
function shownParams(method: string, params: JsonObject, server: string): JsonObject | undefined {
  if (method === 'notifications/message') return attributeLog(params, server)
  const { message } = params
  if (method !== 'notifications/progress' || typeof message !== 'string') return params
  const shown = cleanText(message, MAX_PROGRESS_CHARS)
  return shown === message ? params : { ...params, message: shown }
}

function needsInput({ result }: Reply): boolean {
  return result['resultType'] === 'input_required'
}

function metaOf(params: JsonObject | undefined): JsonObject {
  const meta = params?.['_meta']
  return isObject(meta) ? meta : {}
}

/** Notifications during a request: each is passed on to a client and recorded, so thousands of them are limited. */
const RATE = { burst: 1_000, perSecond: 500 }

/** Delay between the first dropped message and the report of how many were dropped. */
const REPORT_MS = 1_000

type Notify = (method: string, params: JsonObject) => void

interface NotificationLimit {
  /** Whether the notification is passed on. `report` later receives how many log messages were dropped. */
  isPassedOn(method: string, report: Notify): boolean
  stop(): void
}

/** Limits how many notifications of one connection are passed on. */
function createNotificationLimit(server: string): NotificationLimit {
  const progress = createRateLimit(RATE)
  const log = createRateLimit(RATE)
  let timer: NodeJS.Timeout | undefined

  const reportDropped = (report: Notify): void => {
    timer = undefined
    const data = `${log.takeDropped()} more messages were left out: there are too many of them.`
    report('notifications/message', { level: 'warning', logger: server, data })
  }

  return {
    isPassedOn(method, report) {
      // The next one reports the current progress; dropped ones are not missed.
      if (method === 'notifications/progress') return progress.take()
      if (method !== 'notifications/message' || log.take()) return true
      timer ??= setTimeout(() => reportDropped(report), REPORT_MS).unref()
      return false
    },
    stop: () => clearTimeout(timer),
  }
}
