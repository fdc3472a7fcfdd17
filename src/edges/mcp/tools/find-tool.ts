import { setTimeout as sleep } from 'node:timers/promises'
import type { CatalogTool } from '../../../catalog/catalog-tool.js'
import { invalidParams } from '../invalid-params.js'
import { isOnSurface } from './is-on-surface.js'
import type { Connection } from '../connection.js'
import { nameTools } from './served-names.js'
import { connectingServers } from '../resources/connecting-servers.js'

/** How long a call waits for a server that is still connecting and may have its tool. */
const CONNECT_WAIT_MS = 10_000
/** Why a tool is blocked until a person does something about it. */
const SET_UP_FIRST: ReadonlySet<string> = new Set(['setup_required', 'credential_missing'])

/** Finds a tool by its name on the client's list, or by any other name if the tool is on the surface. */
export async function findTool(name: string, connection: Connection): Promise<CatalogTool> {
  const known = lookFor(name, connection) ?? (await lookWhileConnecting(name, connection))
  if (known) return known
  const connecting = connectingServers(name, connection)
  const hint = connecting.length > 0 ? ` Still connecting: ${connecting.join(', ')}.` : ''
  throw invalidParams(`Unknown tool: ${name}.${hint}`)
}

async function lookWhileConnecting(name: string, connection: Connection): Promise<CatalogTool | undefined> {
  const { crib, servers } = connection.gateway
  const connecting = connectingServers(name, connection).flatMap((each) => servers?.get(each) ?? [])
  const arrivals = connecting.map(async (server) => {
    await server.settled()
    await crib.caughtUp()
    return lookFor(name, connection) ?? Promise.reject(new Error('It is not there.'))
  })
  const over = new AbortController()
  const timeout = sleep(CONNECT_WAIT_MS, undefined, { ref: false, signal: over.signal })
  const found = await Promise.race([Promise.any(arrivals), timeout]).catch(() => undefined)
  over.abort()
  // A server may be connected already and its tools not in the catalog yet.
  if (!found) await crib.caughtUp()
  return found ?? lookFor(name, connection)
}

function lookFor(name: string, connection: Connection): CatalogTool | undefined {
  const listed = connection.names.find(name)
  if (listed) return listed
  const tool = connection.gateway.crib.tool(name)
  // A tool that the caller may not see looks like a tool that does not exist.
  return tool && isOnSurface(tool, connection) ? tool : blockedTool(name, connection)
}

/** A blocked tool is no longer on the list, but a client may still call it: the result says why and what to do. */
function blockedTool(
  name: string,
  { names, surface, gateway }: Pick<Connection, 'names' | 'surface' | 'gateway'>,
) {
  const blocked = gateway.crib
    .tools()
    .filter(
      ({ toolId, draft }) =>
        draft.availability.setupProblem && SET_UP_FIRST.has(surface.lookup(toolId)?.reason ?? ''),
    )
  return nameTools(blocked, names.style).find((each) => each.name === name)?.tool
}
