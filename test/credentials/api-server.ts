import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import type { Credential } from '../../src/http-client/credential.js'
import { sendRequest, type Answer } from '../../src/http-client/send-request.js'

export interface ApiServer {
  readonly origin: string
  readonly seen: { readonly url: string; readonly headers: IncomingHttpHeaders }[]
  accepts: (request: IncomingMessage) => boolean
  /** Sent with every answer, such as the address of a redirect. */
  answers: { status: number; headers: Record<string, string> }
  ask(credential: Credential): Promise<Answer>
}

/** An API on this machine, which ends with the test. */
export async function startApi(): Promise<ApiServer> {
  const api: Omit<ApiServer, 'origin' | 'ask'> = {
    seen: [],
    accepts: () => true,
    answers: { status: 200, headers: {} },
  }
  const server = createServer((request, response) => {
    api.seen.push({ url: request.url ?? '', headers: request.headers })
    const isIn = api.accepts(request)
    response.writeHead(isIn ? api.answers.status : 401, api.answers.headers).end()
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => new Promise((closed) => server.close(() => closed())))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return Object.assign(api, {
    origin,
    ask: (credential: Credential) =>
      sendRequest({
        method: 'GET',
        url: new URL('/pets?limit=1', origin),
        credential,
        reach: 'named',
        maxBytes: 10_000,
        signal: AbortSignal.timeout(10_000),
      }),
  })
}
