import type { Crib } from '../../../crib/crib.js'
import type { SlowServers } from '../../../host/serving/slow-servers.js'
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
  /** Servers that are waited for less, because they did not answer in an earlier start. */
  readonly slow?: SlowServers | undefined
}

export function createFirstLists({ crib, servers, waitMs, slow }: FirstListsOptions): FirstLists {
  const waits = new Map<McpServer, Promise<void>>()
  const unsettled = new Set(servers?.servers ?? [])
  const whole = patienceOf(waitMs)
  const brief = patienceOf(Math.min(waitMs, slow?.waitMs ?? waitMs))
  for (const server of unsettled) {
    const listed = server.settled().then(() => {
      unsettled.delete(server)
      const isLate = brief.isOver && server.health().state === 'failed'
      if (!whole.isClosed) slow?.note(server.name, isLate)
      return crib.caughtUp()
    })
    const { over } = slow?.has(server.name) ? brief : whole
    const wait = Promise.race([listed.catch(() => {}), over]).then(() => void waits.delete(server))
    waits.set(server, wait)
  }
  void whole.over.then(() => {
    if (!whole.isClosed) for (const { name } of unsettled) slow?.note(name, true)
  })

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
      whole.close()
      brief.close()
    },
  }
}

interface Patience {
  /** The time is over, or nobody waits any more. */
  readonly over: Promise<void>
  readonly isOver: boolean
  readonly isClosed: boolean
  close(): void
}

function patienceOf(waitMs: number): Patience {
  let end!: () => void
  let isOver = false
  let isClosed = false
  const over = new Promise<void>((resolve) => (end = resolve))
  const timer = setTimeout(() => {
    isOver = true
    end()
  }, waitMs).unref()
  return {
    over,
    get isOver() {
      return isOver
    },
    get isClosed() {
      return isClosed
    },
    close() {
      isClosed = true
      clearTimeout(timer)
      end()
    },
  }
}
