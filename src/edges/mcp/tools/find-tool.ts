import { setTimeout as sleep } from 'node:timers/promises'
import type { CatalogTool } from '../../../catalog/catalog-tool.js'
import { invalidParams } from '../invalid-params.js'
import { isOnSurface } from './is-on-surface.js'
import type { Connection } from '../connection.js'
import { nameTools } from './served-names.js'
import { serversToCome } from '../resources/servers-to-come.js'

/** How long a call waits for a server that is being connected to and may have its tool. */
const PATIENCE_MS = 10_000

/** The tool that a client means: by the name on its list, or by any other name of a tool that it may know of. */
export async function findTool(name: string, connection: Connection): Promise<CatalogTool> {
  const known = lookFor(name, connection) ?? (await lookWhileConnecting(name, connection))
  if (known) return known
  const coming = serversToCome(name, connection)
  const hint = coming.length > 0 ? ` Still connecting: ${coming.join(', ')}.` : ''
  throw invalidParams(`Unknown tool: ${name}.${hint}`)
}

async function lookWhileConnecting(name: string, connection: Connection): Promise<CatalogTool | undefined> {
  const { crib, servers } = connection.gateway
  const coming = serversToCome(name, connection).flatMap((each) => servers?.get(each) ?? [])
  const arrivals = coming.map(async (server) => {
    await server.settled()
    await crib.caughtUp()
    return lookFor(name, connection) ?? Promise.reject(new Error('It is not there.'))
  })
  const over = new AbortController()
  const patience = sleep(PATIENCE_MS, undefined, { ref: false, signal: over.signal })
  const found = await Promise.race([Promise.any(arrivals), patience]).catch(() => undefined)
  over.abort()
  // A server may be there already, and its tools a moment behind it.
  if (!found) await crib.caughtUp()
  return found ?? lookFor(name, connection)
}

function lookFor(name: string, connection: Connection): CatalogTool | undefined {
  const listed = connection.names.find(name)
  if (listed) return listed
  const tool = connection.gateway.crib.tool(name)
  // What a caller may not know of is not told apart from what is not there.
  return tool && isOnSurface(tool, connection) ? tool : blockedTool(name, connection)
}

/** What a client knew and what is blocked by now is no longer on the list: its call says why, and what to do. */
function blockedTool(
  name: string,
  { names, surface, gateway }: Pick<Connection, 'names' | 'surface' | 'gateway'>,
) {
  const blocked = gateway.crib
    .tools()
    .filter(
      ({ toolId, draft }) =>
        draft.availability.setupProblem && surface.standing(toolId)?.reason === 'setup_required',
    )
  return nameTools(blocked, names.style).find((each) => each.name === name)?.tool
}
