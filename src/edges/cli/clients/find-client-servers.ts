import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ENTRY } from './client-snippet.js'
import type { Client, ClientEnvironment } from './client.js'
import { clients } from './clients.js'
import { serversIn, type BlockServer, type ServerBlock } from './edit-client-text.js'
import { fromClientEntry } from './from-client-entry.js'

/** A file, or a part of one, in which a client stores servers. */
export interface ClientBlock extends ServerBlock {
  readonly file: string
  /** The client, such as "Cursor". */
  readonly title: string
  readonly client: string
  /**
   * Whether its servers count in this folder only: the file is in the project, or the user's file has them for the
   * folder.
   */
  readonly isProject: boolean
  readonly bareUrl?: 'sse'
}

export interface FoundServer extends Pick<BlockServer, 'raw'> {
  readonly name: string
  /** In the format of Toolcrib's config. */
  readonly entry: Record<string, unknown>
  /** Why it cannot be imported. */
  readonly why?: string
}

export interface FoundServers extends ClientBlock {
  readonly servers: readonly FoundServer[]
  /** Why nothing could be read. */
  readonly problem?: string
}

/** The servers that clients have already: those of the folder, and those of the user. */
export function findClientServers(folder: string, context: ClientEnvironment): FoundServers[] {
  return clientBlocks(folder, context).flatMap(read)
}

/** All locations that any client reads, those of the folder first. */
function clientBlocks(folder: string, context: ClientEnvironment): ClientBlock[] {
  const own = clients.flatMap((client) => userBlocks(client, folder, context))
  const isOwn = new Set(own.map(({ file }) => file))
  const plain = ['.mcp.json', 'mcp.json'].flatMap((name) =>
    ['mcpServers', 'servers'].map((key) => ({
      file: join(folder, name),
      title: 'the project',
      client: name === '.mcp.json' ? 'claude-code' : 'project',
      isProject: true,
      format: 'json' as const,
      path: [key],
    })),
  )
  const project = clients.flatMap(({ id, title, projectFiles = [], format, key, bareUrl }) =>
    projectFiles
      .filter((name) => name !== '.mcp.json')
      .map((name) => ({
        file: join(folder, name),
        title: `${title}, in this project`,
        client: id,
        isProject: true,
        format,
        path: [key],
        ...(bareUrl && { bareUrl }),
      })),
  )
  // In the home folder, the files of the folder are those of the user.
  return [...[...plain, ...project].filter(({ file }) => !isOwn.has(file)), ...own]
}

function userBlocks(client: Client, folder: string, context: ClientEnvironment): ClientBlock[] {
  const { id, title, format, key, folderPath, bareUrl } = client
  const ofUser = { title, isProject: false, path: [key] }
  const ofFolder = folderPath && {
    title: `${title}, in this project`,
    isProject: true,
    path: [...folderPath(folder), key],
  }
  return client.files(context).flatMap((file) =>
    [ofUser, ...(ofFolder ? [ofFolder] : [])].map((place) => ({
      ...place,
      file,
      client: id,
      format,
      ...(bareUrl && { bareUrl }),
    })),
  )
}

function read(block: ClientBlock): FoundServers[] {
  if (!existsSync(block.file)) return []
  let text: string
  try {
    text = readFileSync(block.file, 'utf8')
  } catch (error) {
    return [{ ...block, servers: [], problem: `cannot be read (${(error as NodeJS.ErrnoException).code})` }]
  }
  const found = serversIn(text, block)
  if (!found.ok) return [{ ...block, servers: [], problem: found.why }]
  const servers = [...found.servers].flatMap(([name, server]) => readServer(name, server, block))
  return servers.length > 0 ? [{ ...block, servers }] : []
}

function readServer(name: string, { raw, entry }: BlockServer, { bareUrl }: ClientBlock): FoundServer[] {
  if (entry === undefined)
    return [{ name, raw, entry: {}, why: 'it is written in a form that is not read here' }]
  const taken = fromClientEntry(entry, { ...(bareUrl && { bareUrl }) })
  if (!taken) return []
  const own = (entry ?? {}) as Record<string, unknown>
  return [taken.ok ? { name, raw, entry: taken.entry } : { name, raw, entry: own, why: taken.why }]
}

/** Toolcrib's own entry in a client: importing it would make Toolcrib call itself. */
export function isOurselves(name: string, { command, args }: Record<string, unknown>): boolean {
  if (name === ENTRY) return true
  const words = [command, ...(Array.isArray(args) ? (args as unknown[]) : [])].filter(
    (word) => typeof word === 'string',
  )
  return words.some((word) => /(?:^|[\\/])toolcrib(?:\.js)?$/.test(word)) && words.includes('serve')
}
