import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach } from 'vitest'
import { readBody } from '../../../src/http-client/send-request.js'

/** A request as the API received it. */
export interface ReceivedRequest {
  readonly method: string
  /** Path and query, as in the request line. */
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** A value is sent as JSON. Undefined: the handler answers by itself. */
export type Answer = (request: ReceivedRequest, response: ServerResponse) => unknown

export interface RunningApi {
  /** Without a slash at its end. */
  readonly url: string
  readonly requests: readonly ReceivedRequest[]
  openConnections(): Promise<number>
  stop(): Promise<void>
}

const running: RunningApi[] = []

afterEach(async () => {
  for (const api of running.splice(0)) await api.stop()
})

/** An API on this machine that answers as the test says, until the test is over. */
export async function startApi(answer: Answer, { port = 0 }: { port?: number } = {}): Promise<RunningApi> {
  const requests: ReceivedRequest[] = []
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request
    const received = { method, url, headers, body: (await readBody(request, 50_000_000)).toString('utf8') }
    requests.push(received)
    const value = await answer(received, response)
    if (value !== undefined && !response.writableEnded) sendJson(response, value)
  })
  await new Promise<void>((listening) => server.listen(port, '127.0.0.1', listening))
  const api: RunningApi = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    openConnections: () =>
      new Promise((resolve, reject) =>
        server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
      ),
    async stop() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
  running.push(api)
  return api
}

export function sendJson(response: ServerResponse, value: unknown, status = response.statusCode): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}
