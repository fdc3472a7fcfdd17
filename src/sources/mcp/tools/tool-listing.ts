import { MAX_TIMER_MS } from '../../../platform/async/max-timer-ms.js'
import { errorMessage } from '../../../platform/text/error-message.js'
import type { McpConnection } from '../connection/connection.js'
import type { McpServerSettings } from '../server-settings.js'
import { hasCapability } from '../servers/has-capability.js'
import { listPages, NOTHING_LISTED, type Listed } from './list-pages.js'
import { definitionsOf } from './pins.js'
import { prepareList } from './prepare-list.js'
import type { ServerEvent } from '../servers/server-state.js'
import { ServerUnavailable } from '../servers/server-unavailable.js'
import type { ToolDefinition } from './tool-definition.js'
import { toolChanged } from '../../changes/tool-changed.js'
import type { ToolList } from './tool-list.js'

export interface ToolListingOptions {
  readonly name: string
  readonly settings: McpServerSettings
  readonly toolList: ToolList
  /** The shared connection: its list is the server's list. */
  main(): McpConnection | undefined
  /** Prevents that connection from being closed as idle until the returned function is called. */
  hold(): () => void
  apply(event: ServerEvent): void
  now(): number
  onProblem(message: string): void
}

/** Lists the tools of each connection: no tool is called before it is known whether the list has changed. */
export interface ToolListing {
  /** Starts with a new connection. */
  begin(connection: McpConnection): void
  /** What to await before a tool is called over the connection; undefined where its list is known. */
  ready(connection: McpConnection): Promise<void> | undefined
  /** Throws where the tool differs from the accepted definition. */
  refuseChanged(connection: McpConnection, tool: unknown): void
  /** The server announced a changed list. */
  again(): void
  close(): void
}

interface Known {
  readonly connection: McpConnection
  tools: ReadonlyMap<string, ToolDefinition>
  listing: Promise<void> | undefined
  /** Requested again while it was being listed. */
  onceMore: boolean
  /** A list is known, and no change was announced since. */
  isFresh: boolean
}

const LIST_MS = 30_000
/** More tools than this are more than any surface shows; each of them is compared, recorded and searched. */
const MAX_TOOLS = 5_000
const LIST_AGAIN_MS = 30_000
/** A server whose list expires at once is asked no more often than this. */
const SHORTEST_TTL_MS = 15_000
/** The interval between listings grows while changes follow each other. */
const FIRST_SPACING_MS = 50
const LONGEST_SPACING_MS = 30_000
const QUIET_MS = 10_000
export function createToolListing(options: ToolListingOptions): ToolListing {
  const { name, settings, toolList, main, apply, now } = options
  const known = new Map<McpConnection, Known>()
  let laterTimer: NodeJS.Timeout | undefined
  let soonTimer: NodeJS.Timeout | undefined
  let spacingMs = FIRST_SPACING_MS
  let changedAt = -Infinity
  let isClosed = false

  /** One listing at a time for each connection. */
  function list(one: Known): Promise<void> {
    if (one.listing) one.onceMore = true
    else
      one.listing = listOnce(one).finally(() => {
        one.listing = undefined
        const isWanted = one.onceMore
        one.onceMore = false
        if (isWanted && known.has(one.connection)) void list(one)
      })
    return one.listing
  }

  /** Never rejects. */
  async function listOnce(one: Known): Promise<void> {
    const { connection } = one
    // A server that is stopped before its list arrives would count as one without tools.
    const release = main() === connection ? options.hold() : undefined
    try {
      const listed = await listAll(connection)
      await prepareList(listed.entries)
      one.tools = new Map(definitionsOf({ list: listed.entries }).map((tool) => [tool.name, tool]))
      one.isFresh = true
      if (main() === connection) await toolList.prepare(listed.entries, connection.facts)
      if (main() === connection) learn(listed, connection)
    } catch (error) {
      if (main() !== connection) return
      const reason = errorMessage(error)
      apply({ kind: 'list_failed', at: now(), reason: `Its tools cannot be listed: ${reason}` })
      listLater(LIST_AGAIN_MS)
    } finally {
      release?.()
    }
  }

  async function listAll(connection: McpConnection): Promise<Listed> {
    if (!hasCapability(connection.facts, 'tools')) return NOTHING_LISTED
    const signal = AbortSignal.timeout(settings.startTimeoutMs ?? LIST_MS)
    return listPages(
      async (params) => {
        const reply = await connection.request('tools/list', params, { signal })
        return reply.result
      },
      'tools',
      settings.maxTools ?? MAX_TOOLS,
    )
  }

  function learn(listed: Listed, { facts }: McpConnection): void {
    const { problem, ttlMs } = listed
    toolList.learn(listed, facts)
    if (problem === undefined) apply({ kind: 'listed', at: now() })
    else {
      options.onProblem(`The list of the server "${name}" was cut: ${problem}.`)
      apply({ kind: 'list_failed', at: now(), reason: `Its list was cut: ${problem}.` })
    }
    if (ttlMs !== undefined) listLater(Math.max(ttlMs, SHORTEST_TTL_MS))
  }

  function listMain(): void {
    const connection = main()
    const one = connection && known.get(connection)
    if (one && !isClosed) void list(one)
  }

  function listLater(delayMs: number): void {
    clearTimeout(laterTimer)
    if (!isClosed) laterTimer = setTimeout(listMain, Math.min(delayMs, MAX_TIMER_MS)).unref()
  }

  return {
    begin(connection) {
      const one: Known = { connection, tools: new Map(), listing: undefined, onceMore: false, isFresh: false }
      known.set(connection, one)
      connection.onClosed(() => known.delete(connection))
      void list(one)
    },
    ready(connection) {
      const one = known.get(connection)
      if (!one || one.isFresh) return undefined
      return list(one).then(() => {
        if (!one.isFresh) throw new ServerUnavailable(name, 'its tools cannot be listed')
      })
    },
    refuseChanged(connection, tool) {
      const listed = known.get(connection)?.tools.get(String(tool))
      const why = listed && toolList.whyBlocked(listed)
      if (why !== undefined) throw toolChanged(why)
    },
    again() {
      // The connection of a session is listed on its next use.
      for (const one of known.values()) if (one.connection !== main()) one.isFresh = false
      if (soonTimer || isClosed) return
      spacingMs =
        now() - changedAt < QUIET_MS ? Math.min(spacingMs * 2, LONGEST_SPACING_MS) : FIRST_SPACING_MS
      soonTimer = setTimeout(() => {
        soonTimer = undefined
        changedAt = now()
        listMain()
      }, spacingMs).unref()
    },
    close() {
      isClosed = true
      clearTimeout(laterTimer)
      clearTimeout(soonTimer)
    },
  }
}
