import { isObject } from '../../../platform/json/is-object.js'

/** Names of the protocol's HTTP headers, in lower case as Node spells received headers. */
export const headerNames = {
  sessionId: 'mcp-session-id',
  protocolVersion: 'mcp-protocol-version',
  method: 'mcp-method',
  name: 'mcp-name',
  lastEventId: 'last-event-id',
  /** Followed by the name that a tool's schema gives the field. */
  paramPrefix: 'mcp-param-',
} as const

/** Which member of the params `Mcp-Name` repeats, by method. */
const nameMembers: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
  ['tasks/get', 'taskId'],
  ['tasks/update', 'taskId'],
  ['tasks/cancel', 'taskId'],
])

/** The `Mcp-Name` of a request; undefined where the method has none. */
export function namedBy(method: string, params: unknown): string | undefined {
  const member = nameMembers.get(method)
  if (member === undefined || !isObject(params)) return undefined
  const value = params[member]
  return typeof value === 'string' ? value : undefined
}

export function hasNameHeader(method: string): boolean {
  return nameMembers.has(method)
}

const MARK = '=?base64?'
const END = '?='
const PLAIN = /^[\t\x20-\x7e]+$/

/** A text as a header value: unchanged where possible, else in base64 with a marker around it. */
export function encodeHeaderValue(text: string): string {
  const isMarked = text.startsWith(MARK) && text.endsWith(END)
  if (PLAIN.test(text) && text === text.trim() && !isMarked) return text
  return `${MARK}${Buffer.from(text, 'utf8').toString('base64')}${END}`
}

/** The text of a header value; undefined where the marker is there and the base64 is invalid. */
export function decodeHeaderValue(value: string): string | undefined {
  if (!value.startsWith(MARK) || !value.endsWith(END)) return value
  const encoded = value.slice(MARK.length, -END.length)
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(encoded) || encoded.length % 4 !== 0) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(encoded, 'base64'))
  } catch {
    return undefined
  }
}
