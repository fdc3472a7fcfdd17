import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readBody } from '../../../src/http-client/send-request.js'
import { transportContract, type Behaviour, type TransportPeer } from './transport-contract.js'

const SECRET = 'canary-rest-t0ken-5521'

/** An API whose paths do what they are called. */
async function startRestPeer(): Promise<TransportPeer> {
  let calls = 0
  let aborted = 0
  const server = createServer(async (request, response) => {
    calls++
    const { text } = JSON.parse((await readBody(request, 1_000_000)).toString('utf8')) as { text: string }
    response.on('close', () => {
      if (!response.writableEnded) aborted++
    })
    answer(request, response, text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    tool: (does) => ({
      transport: {
        type: 'rest-api',
        base_url: url,
        endpoint: { method: 'POST', path: `/${does}` },
        credentials: {
          scheme: 'bearer-token',
          settings: { kind: 'secret', scheme: 'bearer-token', secret: { source: 'env', name: 'REST_TOKEN' } },
        },
      },
    }),
    env: { REST_TOKEN: SECRET },
    answer: (text) => ({ text }),
    echoed: 'repeat your secret',
    refusal: { code: '409', errorClass: 'execution_failed' },
    hosts: ['127.0.0.1'],
    secrets: [SECRET],
    calls: () => calls,
    aborted: () => aborted,
    connections: () => new Promise((resolve) => server.getConnections((_, count) => resolve(count))),
    async stop() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}

function answer(request: IncomingMessage, response: ServerResponse, text: string): void {
  const sent = String(request.headers.authorization)
  const say = (value: unknown, status = 200): void =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
  switch (request.url?.slice(1) as Behaviour) {
    case 'answer':
      return say({ text: text === 'repeat your secret' ? sent : text })
    case 'mismatch':
      return say({ text: 5, sent })
    case 'refuse':
      return say({ message: `No, ${sent}` }, 409)
    case 'large':
      return say({ text: 'x'.repeat(3_000_000) })
    case 'hang':
      return undefined
  }
}

transportContract('rest-api', startRestPeer)
