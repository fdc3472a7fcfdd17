import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'

export interface PostOptions {
  url: URL
  headers: Readonly<Record<string, string>>
  body: string
  signal: AbortSignal
  maxBytes: number
}

/** Posts JSON and reads the answer, redirects and all. Rejects with a sentence that names neither address nor header. */
export function post({ url, headers, body, signal, maxBytes }: PostOptions): Promise<{
  status: number
  body: Buffer
}> {
  return new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest
    const request = send(url, {
      method: 'POST',
      // A connection of its own, closed at the end: no socket stays behind.
      agent: false,
      signal,
      headers: {
        accept: 'application/json',
        ...headers,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      },
    })
    const fail = (error: Error): void => {
      const { code } = error as NodeJS.ErrnoException
      const why = code ?? error.name
      reject(
        new Error(signal.aborted ? 'it was stopped before it had answered' : `it cannot be reached (${why})`),
      )
    }
    request.once('error', fail)
    request.once('response', (response) => {
      const chunks: Buffer[] = []
      let bytes = 0
      response.once('error', fail)
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        chunks.push(chunk)
        if (bytes <= maxBytes) return
        reject(new Error(`it answered with more than ${maxBytes} bytes`))
        request.destroy()
      })
      response.once('end', () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks) }))
    })
    request.end(body)
  })
}
