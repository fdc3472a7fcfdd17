import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createPersistentConnections, openResponse } from '../../../../src/http-client/open-response.js'
import { readBody } from '../../../../src/http-client/send-request.js'
import type { BuiltRequest } from '../../../../src/sources/http/request/build-request.js'

/** A request as the server received it. */
export interface RecordedRequest {
  readonly method: string | undefined
  /** As in the request line. */
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

export interface RecordingServer {
  /** Sends a request with the project's client, and returns what arrived. */
  send(request: BuiltRequest): Promise<RecordedRequest>
  close(): Promise<void>
}

export async function openRecordingServer(): Promise<RecordingServer> {
  let last: RecordedRequest | undefined
  const server = createServer(async (request, response) => {
    const { method, url = '', headers } = request
    last = { method, url, headers, body: await readBody(request, 10_000_000) }
    response.end()
  })
  // A kept connection that the server closes while a test is busy would fail the next request.
  server.keepAliveTimeout = 0
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const keptConnections = createPersistentConnections(url, { maxIdle: 1 })
  return {
    async send({ method, url: path, headers, cookies, body, contentType }) {
      last = undefined
      const response = await openResponse({
        method,
        url,
        path,
        headers: {
          ...headers,
          ...(cookies !== undefined && { cookie: cookies }),
          ...(contentType !== undefined && { 'content-type': contentType }),
          ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
        },
        body,
        reach: 'named',
        keptConnections,
      })
      await readBody(response, 1000)
      if (last === undefined) throw new Error('Nothing arrived.')
      return last
    },
    async close() {
      keptConnections.close()
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}
