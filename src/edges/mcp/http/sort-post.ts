import type { IncomingHttpHeaders } from 'node:http'
import { isObject } from '../../../platform/json/is-object.js'
import { messageKind } from '../../../sources/mcp/protocol/json-rpc.js'
import type {
  JsonObject,
  JsonRpcNotification,
  JsonRpcRequest,
} from '../../../sources/mcp/protocol/json-rpc.js'
import { mcpErrorCodes } from '../../../sources/mcp/protocol/mcp-error.js'
import { metaKeys } from '../../../sources/mcp/protocol/meta-keys.js'
import { eraOf, modernRevisions } from '../../../sources/mcp/protocol/revisions.js'
import type { ErrorReply } from './reply.js'

/** What a POST contains: messages for a legacy session, a modern message, or something that is refused. */
export type SortedPost =
  | { readonly era: 'legacy'; readonly messages: readonly JsonObject[]; readonly isBatch: boolean }
  | {
      readonly era: 'modern'
      readonly kind: 'request'
      readonly message: JsonRpcRequest
      readonly meta: JsonObject
    }
  | { readonly era: 'modern'; readonly kind: 'notification'; readonly message: JsonRpcNotification }
  | { readonly era: 'none'; readonly reply: ErrorReply }

const MAX_BATCH = 100

/** The body decides: a message whose `_meta` names a revision is modern; the headers must then agree with it. */
export function sortPost(body: unknown, headers: IncomingHttpHeaders): SortedPost {
  if (Array.isArray(body)) return sortBatch(body)
  const kind = messageKind(body)
  if (kind === undefined)
    return none(mcpErrorCodes.invalidRequest, 'The body is no JSON-RPC message.', idOf(body))
  const message = body as JsonObject
  if (kind === 'response') return { era: 'legacy', messages: [message], isBatch: false }
  const meta = metaOf(message)
  const named = headerOf(headers, 'mcp-protocol-version')
  if (kind === 'notification') return sortNotification(message, { meta, named, headers })
  return sortRequest(message as unknown as JsonRpcRequest, { meta, named, headers })
}

interface Signs {
  readonly meta: JsonObject | undefined
  readonly named: string | undefined
  readonly headers: IncomingHttpHeaders
}

function sortRequest(message: JsonRpcRequest, { meta, named, headers }: Signs): SortedPost {
  const claims = meta !== undefined && metaKeys.protocolVersion in meta
  const namesModern = named !== undefined && eraOf(named) === 'modern'
  const fault = envelopeFault(meta)
  if (message.method === 'initialize' && (!claims || fault !== undefined)) {
    if (namesModern)
      return mismatch(message, `initialize belongs to older revisions than ${named}, which the header names.`)
    return { era: 'legacy', messages: [message as unknown as JsonObject], isBatch: false }
  }
  if (!claims && !namesModern)
    return { era: 'legacy', messages: [message as unknown as JsonObject], isBatch: false }
  if (fault !== undefined) return none(mcpErrorCodes.invalidParams, fault, message.id)
  const claimed = meta![metaKeys.protocolVersion] as string
  if (named !== undefined && named !== claimed)
    return mismatch(message, `MCP-Protocol-Version and the _meta of the request name different revisions.`)
  const method = headerOf(headers, 'mcp-method')
  if (method !== undefined && method !== message.method)
    return mismatch(message, 'Mcp-Method names another method than the body.')
  if (eraOf(claimed) !== 'modern') return unsupported(message, claimed)
  return { era: 'modern', kind: 'request', message, meta: meta! }
}

function sortNotification(message: JsonObject, { meta, named, headers }: Signs): SortedPost {
  const claimed = meta?.[metaKeys.protocolVersion]
  const namesModern = named !== undefined && eraOf(named) === 'modern'
  if (claimed === undefined && !namesModern) return { era: 'legacy', messages: [message], isBatch: false }
  if (claimed !== undefined && typeof claimed !== 'string')
    return none(mcpErrorCodes.invalidParams, `_meta["${metaKeys.protocolVersion}"] must be a string.`)
  if (claimed !== undefined && named !== undefined && claimed !== named)
    return mismatch(
      undefined,
      'MCP-Protocol-Version and the _meta of the notification name different revisions.',
    )
  const method = headerOf(headers, 'mcp-method')
  if (method !== undefined && method !== message['method'])
    return mismatch(undefined, 'Mcp-Method names another method than the body.')
  return { era: 'modern', kind: 'notification', message: message as unknown as JsonRpcNotification }
}

function sortBatch(body: readonly unknown[]): SortedPost {
  if (body.length === 0) return none(mcpErrorCodes.invalidRequest, 'The batch is empty.')
  if (body.length > MAX_BATCH)
    return none(
      mcpErrorCodes.invalidRequest,
      `The batch is too long. Send at most ${MAX_BATCH} messages at once.`,
    )
  for (const message of body) {
    if (messageKind(message) === undefined)
      return none(mcpErrorCodes.invalidRequest, 'The batch holds something that is no JSON-RPC message.')
    if (metaOf(message as JsonObject)?.[metaKeys.protocolVersion] !== undefined)
      return none(
        mcpErrorCodes.invalidRequest,
        'Requests of this revision are sent one by one, not in batches.',
      )
  }
  return { era: 'legacy', messages: body as readonly JsonObject[], isBatch: true }
}

/** What is wrong with the `_meta` that each modern request must have; the client's name is optional. */
function envelopeFault(meta: JsonObject | undefined): string | undefined {
  if (meta === undefined) return 'The request has no params._meta, which this revision requires.'
  if (typeof meta[metaKeys.protocolVersion] !== 'string')
    return `The request's _meta has no "${metaKeys.protocolVersion}".`
  if (!isObject(meta[metaKeys.clientCapabilities]))
    return `The request's _meta has no "${metaKeys.clientCapabilities}" object.`
  const info = meta[metaKeys.clientInfo]
  if (info !== undefined && !isObject(info)) return `_meta["${metaKeys.clientInfo}"] must be an object.`
  return undefined
}

function unsupported({ id }: JsonRpcRequest, requested: string): SortedPost {
  const data = { supported: [...modernRevisions], requested }
  const error = { code: mcpErrorCodes.unsupportedVersion, message: 'Unsupported protocol version.', data }
  return { era: 'none', reply: { status: 400, error, id } }
}

function mismatch(message: JsonRpcRequest | undefined, sentence: string): SortedPost {
  return none(mcpErrorCodes.headerMismatch, sentence, message?.id)
}

function none(code: number, message: string, id?: unknown): SortedPost {
  const known = typeof id === 'string' || typeof id === 'number' ? id : null
  return { era: 'none', reply: { status: 400, error: { code, message }, id: known } }
}

function idOf(body: unknown): unknown {
  return isObject(body) ? body['id'] : undefined
}

function metaOf(message: JsonObject): JsonObject | undefined {
  const params = message['params']
  const meta = isObject(params) ? params['_meta'] : undefined
  return isObject(meta) ? meta : undefined
}

/** Trims: Node keeps the spaces of a value that was sent in several lines. */
export function headerOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' ? value.trim() : undefined
}
