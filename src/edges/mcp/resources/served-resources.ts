import type { JsonObject } from '../../../sources/mcp/protocol/json-rpc.js'
import { McpError, mcpErrorCodes } from '../../../sources/mcp/protocol/mcp-error.js'
import type { Era } from '../../../sources/mcp/protocol/revisions.js'
import type { McpServer } from '../../../sources/mcp/mcp-server.js'
import { collectLists, type Entry } from './collect-lists.js'
import type { Connection } from '../connection.js'
import { matchesTemplate } from './matches-template.js'
import type { ServedResource } from './served-resource.js'
import { visibleServers } from './visible-servers.js'
import { withSafeAddress } from '../../../sources/mcp/safe-links.js'

const ALIAS = /^toolcrib\+([A-Za-z0-9_.%~-]+):(.+)$/s

/** URIs stay as they are. Where servers have the same URI, the name of the server is added after the first. */
export function withServedUris(entries: readonly Entry[], key: 'uri' | 'uriTemplate'): Entry[] {
  const taken = new Set<unknown>()
  return entries.map((entry) => {
    const uri = entry.definition[key]
    if (!taken.has(uri)) {
      taken.add(uri)
      return entry
    }
    return { ...entry, definition: { ...entry.definition, [key]: aliasOf(entry.server, String(uri)) } }
  })
}

function aliasOf({ name }: McpServer, uri: string): string {
  return `toolcrib+${encodeURIComponent(name)}:${uri}`
}

/** Finds the server of a resource. Throws where no server has it. */
export async function findResource(uri: string, era: Era, connection: Connection): Promise<ServedResource> {
  const aliased = ALIAS.exec(uri)
  if (aliased) {
    const [, name = '', ownUri = ''] = aliased
    const server = visibleServers(connection).find((each) => encodeURIComponent(each.name) === name)
    if (server) return { server, uri, ownUri }
  }
  const server = (await byList(uri, connection)) ?? (await byTemplateOrScheme(uri, connection))
  if (!server) throw resourceNotFound(uri, era)
  return { server, uri, ownUri: uri }
}

async function byList(uri: string, connection: Connection): Promise<McpServer | undefined> {
  const resources = await collectLists(connection, (server) => server.resources())
  return resources.find(({ definition }) => definition['uri'] === uri)?.server
}

async function byTemplateOrScheme(uri: string, connection: Connection): Promise<McpServer | undefined> {
  const templates = await collectLists(connection, (server) => server.resourceTemplates())
  const fitting = templates.find(({ definition }) => matchesTemplate(uri, definition['uriTemplate']))
  if (fitting) return fitting.server
  const scheme = schemeOf(uri)
  if (scheme === undefined) return undefined
  const resources = await collectLists(connection, (server) => server.resources())
  const isAlike = (address: unknown): boolean => typeof address === 'string' && schemeOf(address) === scheme
  return [...templates, ...resources].find(
    ({ definition }) => isAlike(definition['uri']) || isAlike(definition['uriTemplate']),
  )?.server
}

function schemeOf(uri: string): string | undefined {
  return /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(uri)?.[1]?.toLowerCase()
}

export function resourceNotFound(uri: string, era: Era): McpError {
  const code = era === 'modern' ? mcpErrorCodes.invalidParams : mcpErrorCodes.resourceNotFound
  return new McpError(code, `Resource not found: ${uri}`, { uri })
}

/** Contents under the URI that the client requested, where the server's own URI differs. */
export function withServedContents(result: JsonObject, { uri, ownUri }: ServedResource): JsonObject {
  const { contents } = result
  if (!Array.isArray(contents)) return { ...result }
  // The client knows the requested URI; any other could be one that the client would run.
  const served = (contents as JsonObject[]).map((each) =>
    each['uri'] === ownUri ? { ...each, uri } : withSafeAddress(each),
  )
  return { ...result, contents: served }
}

/** Finds the server of a template or a resource: arguments of both can be completed. */
export async function findTemplate(uri: string, era: Era, connection: Connection): Promise<ServedResource> {
  if (!ALIAS.test(uri)) {
    const templates = await collectLists(connection, (server) => server.resourceTemplates())
    const found = templates.find(({ definition }) => definition['uriTemplate'] === uri)
    if (found) return { server: found.server, uri, ownUri: uri }
  }
  return findResource(uri, era, connection)
}
