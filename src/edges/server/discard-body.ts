import type { IncomingMessage } from 'node:http'

const DISCARD_MS = 1000

/**
 * Reads the rest of a refused body and discards it, for a second at most. The refusal has no "connection: close": the
 * connection would be reset while the client still writes, and the client would not get the refusal.
 */
export function discardBody(request: IncomingMessage): void {
  request.resume()
  const timer = setTimeout(() => request.destroy(), DISCARD_MS)
  request.once('close', () => clearTimeout(timer))
}
