import type { IncomingHttpHeaders } from 'node:http'
import {
  decodeHeaderValue,
  hasNameHeader,
  headerNames,
  namedBy,
} from '../../../sources/mcp/protocol/headers.js'
import type { JsonRpcRequest } from '../../../sources/mcp/protocol/json-rpc.js'
import { toHeaderText, valueAt, type HeaderField } from '../../../sources/mcp/header-fields.js'
import { headerOf } from './sort-post.js'

/**
 * A modern request repeats its method and name in headers, so that proxies need not read its body. Headers and body must
 * agree: otherwise a proxy would judge another request than the one that runs. Returns what is wrong, or nothing.
 */
export function checkRequestHeaders(
  message: JsonRpcRequest,
  headers: IncomingHttpHeaders,
): string | undefined {
  if (headers[headerNames.protocolVersion] === undefined) return 'The MCP-Protocol-Version header is missing.'
  if (headers[headerNames.method] === undefined) return 'The Mcp-Method header is missing.'
  if (!hasNameHeader(message.method)) return undefined
  const inBody = namedBy(message.method, message.params)
  const sent = headerOf(headers, headerNames.name)
  if (sent === undefined)
    return inBody === undefined
      ? undefined
      : 'The Mcp-Name header is missing; it repeats what the params name.'
  const named = decodeHeaderValue(sent)
  if (named === undefined) return 'The Mcp-Name header is not valid Base64.'
  if (inBody !== undefined && inBody !== named) return 'Mcp-Name names something else than the params.'
  return undefined
}

/** The same for arguments that the tool's schema marks to be repeated. */
export function checkParamHeaders(
  fields: readonly HeaderField[],
  args: unknown,
  headers: IncomingHttpHeaders,
): string | undefined {
  for (const { header, path } of fields) {
    const value = valueAt(args, path)
    const text = toHeaderText(value)
    if (text === undefined) continue
    const sent = headerOf(headers, header)
    if (sent === undefined)
      return `The ${header} header is missing; it repeats the argument ${path.join('.')}.`
    const decoded = decodeHeaderValue(sent)
    if (decoded === undefined) return `The ${header} header is not valid Base64.`
    if (decoded !== text && !isSameNumber(decoded, value))
      return `The ${header} header and the argument ${path.join('.')} differ.`
  }
  return undefined
}

/** A number may be written in more than one way. */
function isSameNumber(sent: string, value: unknown): boolean {
  return typeof value === 'number' && /^-?\d+(\.\d+)?$/.test(sent) && Number(sent) === value
}
