import { isOurselves, type FoundServer, type FoundServers } from './find-client-servers.js'
import { serverIdentity } from './from-client-entry.js'

/** A server that was found, and what happens to it. */
export interface Offer {
  /** The name in its client. */
  readonly name: string
  /** The name in Toolcrib's config: another one if that name means another server there. */
  readonly as: string
  readonly entry: Record<string, unknown>
  readonly raw: string
  readonly from: FoundServers
  /** Why it is not written into the config. */
  readonly leftOut?: string
  /** Whether the config has this server already: its client need not use it directly. */
  readonly isKnown: boolean
}

/** The servers that would be imported into a config with these servers: each once, each under a unique name. */
export function offersOf(
  found: readonly FoundServers[],
  configured: Readonly<Record<string, object>>,
): Offer[] {
  const names = new Set(Object.keys(configured))
  const known = new Map(
    Object.entries(configured).map(([name, entry]) => [serverIdentity({ ...entry }), name] as const),
  )
  const offer = (from: FoundServers, server: FoundServer): Offer => {
    const { name, entry, raw, why } = server
    const base = { name, as: name, entry, raw, from, isKnown: false }
    if (isOurselves(name, entry)) return { ...base, leftOut: 'that is this program itself' }
    if (why !== undefined) return { ...base, leftOut: why }
    const identity = serverIdentity(entry)
    const same = known.get(identity)
    if (same !== undefined)
      return {
        ...base,
        as: same,
        isKnown: true,
        leftOut: same === name ? 'it is there already' : `it is there already, as "${same}"`,
      }
    const as = freeName(name, from, names)
    names.add(as)
    known.set(identity, as)
    return { ...base, as }
  }
  return found.flatMap((from) => from.servers.map((server) => offer(from, server)))
}

function freeName(name: string, { client }: FoundServers, names: ReadonlySet<string>): string {
  if (!names.has(name)) return name
  const own = `${name}-${client}`
  for (let count = 1; ; count++) {
    const free = count === 1 ? own : `${own}-${count}`
    if (!names.has(free)) return free
  }
}
