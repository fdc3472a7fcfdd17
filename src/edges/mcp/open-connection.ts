import { McpError, mcpErrorCodes } from '../../sources/mcp/protocol/mcp-error.js'
import type { Connection } from './connection.js'

/** One client's connection on its way: its surface is made once the servers are known of which it may show tools. */
export interface ConnectionOpening {
  /** Nothing as long as servers are waited for. */
  readonly connection: Connection | undefined
  /** Once the servers are known, or the time for that is over. */
  whenKnown(): Promise<Connection>
  /** Without waiting for any server. */
  atOnce(): Promise<Connection>
  /** Resolves with the connection that there was, if any; afterwards there is none. */
  close(): Promise<Connection | undefined>
}

export interface ConnectionOpeningOptions {
  /** What to wait for; nothing where all is known. */
  readonly known: Promise<unknown> | undefined
  open(): Promise<Connection>
}

/**
 * A surface decides by all its tools which of them are up front, and keeps to that. Made while servers arrive, it would be
 * decided by which of them came first.
 */
export function createConnectionOpening({ known, open }: ConnectionOpeningOptions): ConnectionOpening {
  let connection: Connection | undefined
  let opening: Promise<Connection> | undefined
  let isClosed = false

  function atOnce(): Promise<Connection> {
    if (isClosed) return Promise.reject(new McpError(mcpErrorCodes.internal, 'The session is over.'))
    opening ??= open().then(
      (opened) => (connection = opened),
      (error: unknown) => {
        // The next request tries again.
        opening = undefined
        throw error
      },
    )
    return opening
  }

  async function whenKnown(): Promise<Connection> {
    await known
    return atOnce()
  }

  // Nobody may ask for a while, and the records tell from when there is a surface.
  if (known) void whenKnown().catch(() => {})
  return {
    get connection() {
      return connection
    },
    whenKnown,
    atOnce,
    async close() {
      isClosed = true
      return opening?.catch(() => undefined)
    },
  }
}
