import type { ServerResponse } from 'node:http'
import { formatSse } from '../../../../sources/mcp/protocol/sse-events.js'

/** How much is buffered for a client that does not read. */
const MAX_WAITING_BYTES = 8 * 1024 * 1024

/** All open event streams. */
export interface EventStreams {
  open(response: ServerResponse, headers?: Readonly<Record<string, string>>): void
  /** False where the stream is closed. Disconnects a client that does not read. */
  write(response: ServerResponse, event: StreamEvent): boolean
  sendKeepAlives(): void
  readonly size: number
}

export type StreamEvent = Parameters<typeof formatSse>[0]

export function createEventStreams(): EventStreams {
  const streams = new Set<ServerResponse>()
  return {
    open(response, headers) {
      response.writeHead(200, {
        'content-type': 'text/event-stream',
        'cache-control': 'no-store, no-transform',
        'x-content-type-options': 'nosniff',
        // Proxies that buffer responses would hold back every event.
        'x-accel-buffering': 'no',
        ...headers,
      })
      response.flushHeaders()
      streams.add(response)
      response.once('close', () => streams.delete(response))
    },
    write(response, event) {
      if (response.destroyed || response.writableEnded) return false
      if (response.writableLength > MAX_WAITING_BYTES) {
        response.destroy()
        return false
      }
      response.write(formatSse(event))
      return true
    },
    sendKeepAlives() {
      for (const response of streams) if (response.writableLength === 0) response.write(': keep-alive\n\n')
    },
    get size() {
      return streams.size
    },
  }
}
