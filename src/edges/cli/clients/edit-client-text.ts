import {
  parseJsonText,
  rawJson,
  rawMember,
  removeMember,
  setMember,
} from '../../../platform/json/edit-json-text.js'
import { isObject } from '../../../platform/json/is-object.js'
import { clientSnippet, ENTRY } from './client-snippet.js'
import { putTomlServer, removeTomlServer, tomlServers } from './toml-servers.js'

/** The location of servers in a file: an object with a member for each, or a table. */
export interface ServerBlock {
  readonly format: 'json' | 'toml'
  /** The keys that lead to the object of the servers. */
  readonly path: readonly string[]
}

export interface BlockServer {
  /** As it is written. */
  readonly raw: string
  /** The parsed value; undefined where it cannot be parsed. */
  readonly entry: unknown
}

/** The servers of a block, or why they cannot be read. */
export type BlockServers = { ok: true; servers: Map<string, BlockServer> } | { ok: false; why: string }

export function serversIn(text: string, { format, path }: ServerBlock): BlockServers {
  if (format === 'toml') return { ok: true, servers: tomlServers(text, path.join('.')) }
  if (text.trim() === '') return { ok: true, servers: new Map() }
  let value: unknown = parseJsonText(text)
  if (value === undefined) return { ok: false, why: 'is not readable as JSON' }
  for (const name of path) value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
  if (value === undefined || value === null) return { ok: true, servers: new Map() }
  if (!isObject(value))
    return { ok: false, why: `has something else than an object under "${path.join('.')}"` }
  const servers = Object.entries(value).map(
    ([name, entry]) => [name, { entry, raw: rawMember(text, [...path, name]) ?? '' }] as const,
  )
  return { ok: true, servers: new Map(servers) }
}

/** The text with a server in its original notation; everything else stays. */
export function putServer(text: string, { format, path }: ServerBlock, name: string, raw: string): string {
  return format === 'toml'
    ? putTomlServer(text, path.join('.'), name, raw)
    : setMember(text, [...path, name], raw)
}

export function removeServer(text: string, { format, path }: ServerBlock, name: string): string {
  return format === 'toml'
    ? removeTomlServer(text, path.join('.'), name)
    : removeMember(text, [...path, name])
}

/** Toolcrib's own entry in the format of this file. */
export function rawOwnEntry(text: string, block: ServerBlock, entry: Record<string, unknown>): string {
  const { format, path } = block
  if (format === 'toml') return clientSnippet({ format, key: path.join('.') }, entry)
  return rawJson(entry, text, [...path, ENTRY])
}
