import type { Crib } from '../../../crib/crib.js'
import type { SlowServers } from '../../../host/serving/slow-servers.js'
import type { McpServer, McpServers } from '../../../sources/mcp/mcp-server.js'

/** Waits for servers that are still connecting, before the first lists are given out. */
export interface FirstLists {
  /** Resolves when the tools of these servers are known. Nothing where all are known, also from an earlier run. */
  tools(isWanted: (server: McpServer) => boolean): Promise<unknown> | undefined
  /** Resolves when these servers have connected or failed. Nothing where all have. */
  connected(servers: readonly McpServer[]): Promise<unknown> | undefined
  /** Resolves when one server has connected or failed; never where there is no server. */
  one(): Promise<unknown>
  /** Ends all waits. */
  close(): void
}

export interface FirstListsOptions {
  readonly crib: Pick<Crib, 'caughtUp'>
  readonly servers: McpServers | undefined
  /** Counted from the creation. */
  readonly waitMs: number
  /** Servers with a shorter wait, because they did not answer at an earlier start. */
  readonly slow?: SlowServers | undefined
}

export function createFirstLists({ crib, servers, waitMs, slow }: FirstListsOptions): FirstLists {
  const waits = new Map<McpServer, Promise<void>>()
  const unsettled = new Set(servers?.servers ?? [])
  const whole = startWaitTimer(waitMs)
  const brief = startWaitTimer(Math.min(waitMs, slow?.waitMs ?? waitMs))
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

interface WaitTimer {
  /** Resolves when the time is over or the timer is closed. */
  readonly over: Promise<void>
  readonly isOver: boolean
  readonly isClosed: boolean
  close(): void
}

function startWaitTimer(waitMs: number): WaitTimer {
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
