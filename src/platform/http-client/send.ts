import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { AddressRefused, checkAddress, guardedLookup, type Reach } from './address-rules.js'

export interface SendOptions {
  method: string
  url: URL
  headers?: Readonly<Record<string, string>> | undefined
  body?: string | Uint8Array | undefined
  signal: AbortSignal
  maxBytes: number
  reach: Reach
  /** Only status and headers are wanted: the body may be a stream that never ends. */
  ignoresBody?: boolean | undefined
}

export interface Answer {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
}

export class AnswerTooLong extends Error {
  override readonly name = 'AnswerTooLong'
}

/**
 * Sends one request and reads the answer, a redirect like any other. Addresses are checked and pinned, the answer is bounded,
 * and no proxy of the environment stands in between. Rejects with a sentence that names neither address nor header.
 */
export function send(options: SendOptions): Promise<Answer> {
  const { method, url, headers, body, signal, maxBytes, reach, ignoresBody } = options
  return new Promise((resolve, reject) => {
    checkAddress(url, reach)
    if (url.username !== '' || url.password !== '')
      throw new AddressRefused('its address holds a name or a password')
    const open = url.protocol === 'https:' ? httpsRequest : httpRequest
    const request = open(url, {
      method,
      // A connection of its own, closed at the end: no socket stays behind, and no agent that knows of proxies is used.
      agent: false,
      lookup: guardedLookup(reach),
      signal,
      headers: {
        accept: 'application/json',
        // What is read is bounded as it comes; packed, a little could become very much.
        'accept-encoding': 'identity',
        ...headers,
        ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
      },
    })
    const fail = (error: Error): void => reject(toSentence(error, signal))
    request.once('error', fail)
    request.once('response', (response) => {
      const chunks: Buffer[] = []
      let bytes = 0
      const finish = (): void =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) })
      response.once('error', fail)
      if (ignoresBody) {
        finish()
        return void request.destroy()
      }
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        chunks.push(chunk)
        if (bytes <= maxBytes) return
        reject(new AnswerTooLong(`it answered with more than ${maxBytes} bytes`))
        request.destroy()
      })
      response.once('end', finish)
    })
    request.end(body)
  })
}

function toSentence(error: Error, signal: AbortSignal): Error {
  if (error instanceof AddressRefused) return error
  if (signal.aborted) return new Error('it was stopped before it had answered')
  const { code } = error as NodeJS.ErrnoException
  return new Error(`it cannot be reached (${code ?? error.name})`, { cause: error })
}
