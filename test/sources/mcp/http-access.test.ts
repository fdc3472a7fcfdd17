import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Credential } from '../../../src/http-client/credential.js'
import { createHttpAccess } from '../../../src/sources/mcp/wire/http-access.js'

const ATTEMPT_MS = 1000

async function open(answer: RequestListener, given: Omit<Credential, 'origin'>) {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
  const access = createHttpAccess({
    url,
    limits: { maxBytes: 1024, maxValues: 100 },
    credentials: { origin: new URL(url).origin, ...given },
  })
  onTestFinished(async () => {
    access.close('over')
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return access
}

const POST = { method: 'POST', headers: {}, body: '{}' } as const

describe('a request that needs credentials', () => {
  it('does not time out because of the time that a login takes', async () => {
    let token = 'old'
    const access = await open(
      ({ headers }, response) => response.writeHead(headers.authorization === 'new' ? 200 : 401).end(),
      {
        proof: async () => ({ headers: { authorization: token } }),
        async refused() {
          await sleep(ATTEMPT_MS + 100)
          token = 'new'
          return 'retry'
        },
      },
    )
    const { signal } = new AbortController()
    expect(await access.call({ ...POST, signal, attemptMs: ATTEMPT_MS })).toMatchObject({ status: 200 })
  })

  it('gets their headers, parameters and cookies', async () => {
    const seen: unknown[] = []
    const access = await open(
      ({ url, headers }, response) => {
        seen.push([url, headers['x-key'], headers.cookie])
        response.end('{}')
      },
      { proof: () => ({ headers: { 'x-key': 'k' }, query: { q: '1' }, cookies: { session: 's' } }) },
    )
    await access.call({ ...POST, headers: { cookie: 'own=1' } })
    expect(seen).toEqual([['/mcp?q=1', 'k', 'own=1; session=s']])
  })

  it('times out where the server takes too long', async () => {
    const access = await open(() => {}, { proof: async () => ({}), refused: async () => 'give_up' })
    await expect(access.call({ ...POST, attemptMs: 20 })).rejects.toMatchObject({ name: 'TimeoutError' })
  })

  it('does not wait for a login once it is aborted', async () => {
    const given = new AbortController()
    const access = await open((_, response) => response.writeHead(401).end(), {
      proof: async () => ({}),
      refused() {
        given.abort(new Error('nobody waits'))
        return new Promise(() => {})
      },
    })
    await expect(access.call({ ...POST, signal: given.signal })).rejects.toThrow('nobody waits')
  })
})
