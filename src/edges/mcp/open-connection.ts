import { McpError, mcpErrorCodes } from '../../sources/mcp/protocol/mcp-error.js'
import type { Place } from './connection.js'

/** One client's place on its way: its surface is made once the servers are known of which it may show tools. */
export interface PlaceOpening {
  /** Nothing as long as servers are waited for. */
  readonly place: Place | undefined
  /** Once the servers are known, or the time for that is over. */
  whenKnown(): Promise<Place>
  /** Without waiting for any server. */
  atOnce(): Promise<Place>
  /** Resolves with the place that there was, if any; afterwards there is none. */
  close(): Promise<Place | undefined>
}

export interface PlaceOpeningOptions {
  /** What to wait for; nothing where all is known. */
  readonly known: Promise<unknown> | undefined
  open(): Promise<Place>
}

/**
 * A surface decides by all its tools which of them are up front, and keeps to that. Made while servers arrive, it would be
 * decided by which of them came first.
 */
export function createPlaceOpening({ known, open }: PlaceOpeningOptions): PlaceOpening {
  let place: Place | undefined
  let opening: Promise<Place> | undefined
  let isClosed = false

  function atOnce(): Promise<Place> {
    if (isClosed) return Promise.reject(new McpError(mcpErrorCodes.internal, 'The session is over.'))
    opening ??= open().then(
      (opened) => (place = opened),
      (error: unknown) => {
        // The next request tries again.
        opening = undefined
        throw error
      },
    )
    return opening
  }

  async function whenKnown(): Promise<Place> {
    await known
    return atOnce()
  }

  // Nobody may ask for a while, and the records tell from when there is a surface.
  if (known) void whenKnown().catch(() => {})
  return {
    get place() {
      return place
    },
    whenKnown,
    atOnce,
    async close() {
      isClosed = true
      return opening?.catch(() => undefined)
    },
  }
}
