import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Credential, Proof } from './credential.js'
import { withCredential, withHeaders, withQuery } from './with-credential.js'
import { AddressRefused, type Reach } from './address-rules.js'
import { openResponse } from './open-response.js'

export interface RequestOptions {
  readonly method: string
  readonly url: URL
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly body?: string | Uint8Array | undefined
  readonly signal: AbortSignal
  readonly maxBytes: number
  readonly reach: Reach
  /** Proves who sends the request; sent only to its own origin, and never replaces a header of the request. */
  readonly credential?: Credential | undefined
  /** Only status and headers are needed: the body may be an endless stream. */
  readonly ignoresBody?: boolean | undefined
}

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

export class AnswerTooLong extends Error {
  override readonly name = 'AnswerTooLong'
}

/**
 * Sends one request over its own connection and reads the whole response, also a redirect. Rejects with the rest of a
 * sentence, which names neither address nor header.
 */
export async function sendRequest(options: RequestOptions): Promise<Answer> {
  const { url, credential, signal } = options
  return withCredential({ credential, url, signal }, (proof) => sendOnce(options, proof))
}

async function sendOnce(options: RequestOptions, proof: Proof): Promise<Answer> {
  const { url, headers, body, signal, maxBytes, ignoresBody } = options
  try {
    const response = await openResponse({
      ...options,
      ...(proof.query && { path: withQuery(url.pathname + url.search, proof.query) }),
      headers: {
        accept: 'application/json',
        // The size is limited as it arrives; compressed, a small body could become very large.
        'accept-encoding': 'identity',
        ...withHeaders(headers, proof),
        ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
      },
    })
    const answer = { status: response.statusCode ?? 0, headers: response.headers }
    if (!ignoresBody) return { ...answer, body: await readBody(response, maxBytes) }
    response.destroy()
    return { ...answer, body: Buffer.alloc(0) }
  } catch (error) {
    throw toSentence(error as Error, signal)
  }
}

/** The body of a response; rejects with AnswerTooLong where it is longer, and closes the connection. */
export async function readBody(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > maxBytes) throw new AnswerTooLong(`it answered with more than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function toSentence(error: Error, signal: AbortSignal): Error {
  if (error instanceof AddressRefused || error instanceof AnswerTooLong) return error
  if (signal.aborted)
    return new Error(
      isTimeout(signal) ? 'it did not answer in time' : 'it was stopped before it had answered',
    )
  const { code } = error as NodeJS.ErrnoException
  return new Error(`it cannot be reached (${code ?? error.name})`, { cause: error })
}

const isTimeout = ({ reason }: AbortSignal): boolean => (reason as Error | undefined)?.name === 'TimeoutError'
