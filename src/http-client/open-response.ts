import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { AddressRefused, checkAddress, guardedLookup, type Reach } from './address-rules.js'

export interface OutgoingRequest {
  readonly method: string
  readonly url: URL
  /** Replaces the path and query of the URL, where they must be sent exactly as they were signed. */
  readonly path?: string | undefined
  readonly headers?: Readonly<Record<string, string | number>> | undefined
  readonly body?: string | Uint8Array | Readable | undefined
  readonly reach: Reach
  readonly signal?: AbortSignal | undefined
  /** How long the connection may be silent. */
  readonly idleMs?: number | undefined
  /** Connections that are kept open for the next request. Absent: one connection, closed at the end. */
  readonly keptConnections?: PersistentConnections | undefined
}

/** Connections to one origin that stay open between requests. */
export interface PersistentConnections {
  readonly agent: HttpAgent | HttpsAgent
  /** Closes all of them, also those in use. */
  close(): void
}

export function createPersistentConnections(
  origin: URL,
  { maxIdle }: { maxIdle: number },
): PersistentConnections {
  const agent = new (isSecure(origin) ? HttpsAgent : HttpAgent)({ keepAlive: true, maxFreeSockets: maxIdle })
  return { agent, close: () => agent.destroy() }
}

/**
 * Sends one request and resolves when status and headers have arrived. The caller reads the body to its end or destroys
 * it. The address is checked and pinned, no redirect is followed, and no proxy of the environment is used.
 */
export function openResponse(options: OutgoingRequest): Promise<IncomingMessage> {
  const { method, url, path, headers, body, reach, signal, idleMs, keptConnections } = options
  return new Promise((resolve, reject) => {
    checkAddress(url, reach)
    if (url.username !== '' || url.password !== '')
      throw new AddressRefused('its address holds a name or a password')
    const open = isSecure(url) ? httpsRequest : httpRequest
    const request = open(url, {
      method,
      // Our own agent, or none: the global agents may use proxies.
      agent: keptConnections?.agent ?? false,
      lookup: guardedLookup(reach),
      ...(path !== undefined && { path }),
      ...(headers && { headers }),
      ...(signal && { signal }),
      ...(idleMs !== undefined && { timeout: idleMs }),
    })
    request.once('timeout', () => request.destroy(new Error('it was silent for too long')))
    request.once('response', resolve)
    request.on('error', reject)
    if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) request.end(body)
    // A server may respond before it has read everything, and then close the connection: its response is more useful
    // than that error.
    else pipeline(body, request).catch((error: Error) => request.destroy(error))
  })
}

const isSecure = ({ protocol }: URL): boolean => protocol === 'https:'
