import type { Reach } from '../../../http-client/address-rules.js'
import { isLoopbackName } from '../../../http-client/is-loopback.js'
import { sendRequest } from '../../../http-client/send-request.js'

const MAX_BYTES = 1024 * 1024

/** Reads a JSON document of an issuer: encrypted or on this machine, no redirect, bounded. Nothing where there is none. */
export async function readDocument(
  url: URL,
  { signal, reach }: { signal: AbortSignal; reach: Reach },
): Promise<unknown> {
  // Keys that somebody on the way could exchange prove nothing.
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackName(url.hostname))
  if (!isSafe) throw new Error('The address of an issuer must be https.')
  const { status, body } = await sendRequest({ method: 'GET', url, signal, reach, maxBytes: MAX_BYTES })
  if (status >= 300 && status < 400) throw new Error('A document of an issuer is elsewhere.')
  return status >= 200 && status < 300 ? (JSON.parse(body.toString('utf8')) as unknown) : undefined
}
