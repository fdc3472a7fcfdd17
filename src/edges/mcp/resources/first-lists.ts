import type { Crib } from '../../../crib/crib.js'
import type { McpServer, McpServers } from '../../../sources/mcp/mcp-server.js'

/** What the first lists wait for: servers that are being connected to, each as long as the config says. */
export interface FirstLists {
  /** Until the tools of these servers are known: from an earlier run, or listed now. Nothing where they all are. */
  tools(isWanted: (server: McpServer) => boolean): Promise<unknown> | undefined
  /** Until these servers have been connected to or have failed. Nothing where they all have. */
  connected(servers: readonly McpServer[]): Promise<unknown> | undefined
  /** Until one of the servers has been connected to or has failed. Never where there is none. */
  one(): Promise<unknown>
  /** Nobody is waited for any more. */
  close(): void
}

export interface FirstListsOptions {
  readonly crib: Pick<Crib, 'caughtUp'>
  readonly servers: McpServers | undefined
  /** From now on. */
  readonly waitMs: number
}

export function createFirstLists({ crib, servers, waitMs }: FirstListsOptions): FirstLists {
  const waits = new Map<McpServer, Promise<void>>()
  let giveUp!: () => void
  const patience = new Promise<void>((resolve) => (giveUp = resolve))
  const timer = setTimeout(giveUp, waitMs).unref()
  for (const server of servers?.servers ?? []) {
    const listed = server.settled().then(() => crib.caughtUp())
    const wait = Promise.race([listed.catch(() => {}), patience]).then(() => void waits.delete(server))
    waits.set(server, wait)
  }

  function all(waiting: Iterable<McpServer>): Promise<unknown> | undefined {
    const those = [...waiting].flatMap((server) => waits.get(server) ?? [])
    return those.length === 0 ? undefined : Promise.all(those)
  }

  return {
    tools(isWanted) {
      if (waits.size === 0) return undefined
      return all([...waits.keys()].filter((server) => !server.knowsTools() && isWanted(server)))
    },
    one: () => Promise.race(waits.values()),
    connected: (some) => (waits.size === 0 ? undefined : all(some)),
    close() {
      clearTimeout(timer)
      giveUp()
    },
  }
}
