import { isLoopback } from '../../../foundation/egress/is-loopback.js'
import { readBody } from '../../../foundation/egress/read-body.js'

const MAX_BYTES = 1024 * 1024

/** Reads a JSON document of an issuer: encrypted or on this machine, no redirect, bounded. Nothing where there is none. */
export async function readDocument(url: URL, signal: AbortSignal): Promise<unknown> {
  // Keys that somebody on the way could exchange prove nothing.
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))
  if (!isSafe) throw new Error('The address of an issuer must be https.')
  const response = await fetch(url, { signal, redirect: 'error', headers: { accept: 'application/json' } })
  const body = await readBody(response, MAX_BYTES)
  if (!body) throw new Error('A document of an issuer is too long.')
  return response.ok ? (JSON.parse(body.toString('utf8')) as unknown) : undefined
}
