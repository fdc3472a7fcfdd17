import { readdirSync, rmSync } from 'node:fs'
import { createConnection, type Socket } from 'node:net'
import { join } from 'node:path'
import { hasSources } from '../../../sources/kinds.js'
import type { CribSettings } from '../../../host/crib-settings.js'
import type { ServerSnapshot } from '../../../sources/mcp/servers/server-snapshot.js'
import { createMessageLink, type MessageLink } from './message-link.js'
import { gatewayDigest, gatewayKey } from './gateway-digest.js'
import type { CommandMessage, GatewayMessage } from './messages.js'
import { hasSockets, isPrivateSocket, socketFolder } from './socket-folder.js'

export type GatewayLink = MessageLink<CommandMessage, GatewayMessage>

/** A busy gateway is not awaited: the command can do the work itself. */
const HANDSHAKE_MS = 2_000

/** A running gateway of this config, store and version. */
export async function findGateway(
  settings: CribSettings,
  store: string | undefined,
): Promise<GatewayLink | undefined> {
  if (!hasSockets() || !settings.trust.isTrusted || !hasSources(settings)) return undefined
  const folder = socketFolder()
  const names = socketsIn(folder, gatewayKey(settings, store))
  for (const path of names.map((name) => join(folder, name))) {
    if (!isPrivateSocket(folder, path)) continue
    const link = await initialize(path, gatewayDigest(settings, store))
    if (link) return link
  }
  return undefined
}

function socketsIn(folder: string, key: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.startsWith(`${key}-`) && name.endsWith('.sock'))
  } catch {
    return []
  }
}

async function initialize(path: string, digest: string): Promise<GatewayLink | undefined> {
  const socket = await connect(path)
  if (!socket) return undefined
  const link: GatewayLink = createMessageLink(socket)
  const timer = setTimeout(() => socket.destroy(), HANDSHAKE_MS)
  link.send({ kind: 'initialize', digest })
  const answer = await link.next()
  clearTimeout(timer)
  if (answer?.kind === 'initialized') return link
  socket.destroy()
  return undefined
}

function connect(path: string): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = createConnection(path)
    socket.once('connect', () => resolve(socket))
    socket.once('error', (error: NodeJS.ErrnoException) => {
      // Its process was killed: the socket has no listener.
      if (error.code === 'ECONNREFUSED') rmSync(path, { force: true })
      resolve(undefined)
    })
  })
}

export interface LookRequest {
  readonly only?: readonly string[] | undefined
  readonly waitMs: number
  readonly withTexts?: boolean | undefined
}

/** The state of the servers in the gateway; undefined if the gateway is gone. */
export async function askForServers(
  link: GatewayLink,
  { only, waitMs, withTexts = false }: LookRequest,
): Promise<readonly ServerSnapshot[] | undefined> {
  link.send({ kind: 'look', only, waitMs, withTexts })
  const answer = await link.next()
  return answer?.kind === 'looked' ? answer.servers : undefined
}

/** The servers of a running gateway, for commands that only inspect them. */
export function serversOfGateway(
  settings: CribSettings,
  store: string | undefined,
  request: LookRequest,
): () => Promise<readonly ServerSnapshot[] | undefined> {
  return async () => {
    const link = await findGateway(settings, store)
    if (!link) return undefined
    try {
      return await askForServers(link, request)
    } finally {
      link.close()
    }
  }
}
