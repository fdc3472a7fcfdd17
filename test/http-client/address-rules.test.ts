import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { checkAddress, guardedLookup, reachOfPeer, type Reach } from '../../src/http-client/address-rules.js'
import { sendRequest } from '../../src/http-client/send-request.js'

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((closed) => server.close(closed))
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

const asked = (url: string, reach: Reach = 'named', more: { maxBytes?: number; signal?: AbortSignal } = {}) =>
  sendRequest({
    method: 'GET',
    url: new URL(url),
    reach,
    maxBytes: 1000,
    signal: AbortSignal.timeout(5000),
    ...more,
  }).then(
    ({ status, body }) => `${status} ${body.toString()}`,
    (error: Error) => error.message,
  )

describe('as written', () => {
  const isTaken = (host: string, reach: Reach): boolean => {
    try {
      checkAddress(new URL(`http://${host}/`), reach)
      return true
    } catch {
      return false
    }
  }
  const taken = (host: string): boolean[] =>
    (['named', 'private', 'outside'] as const).map((reach) => isTaken(host, reach))

  it.each([
    '127.0.0.1',
    '0x7f.1',
    '2130706433',
    '[::1]',
    '[::ffff:7f00:1]',
    'localhost',
    'LOCALHOST',
    'a.localhost',
    '169.254.169.254',
    '0.0.0.0',
  ])('%s is for those who name it themselves', (host) => {
    expect(taken(host)).toEqual([true, false, false])
  })

  it('a private address is allowed only from inside', () => {
    expect([taken('10.1.2.3'), taken('[fd12::1]')]).toEqual([
      [true, true, false],
      [true, true, false],
    ])
    expect(taken('example.com')).toEqual([true, true, true])
  })
})

describe('a name', () => {
  const resolved = (name: string, reach: Reach): Promise<string> =>
    new Promise((done) => {
      guardedLookup(reach)(name, { all: true }, (error, addresses) =>
        done(error ? error.message : JSON.stringify(addresses)),
      )
    })

  it('of this machine is accepted only where the setting may name it', async () => {
    expect(await resolved('localhost', 'named')).toMatch(/127\.0\.0\.1|::1/)
    expect(await resolved('localhost', 'private')).toBe('its address belongs to this machine')
    expect(await resolved('localhost', 'outside')).toBe('its address belongs to this machine')
  })

  it('of a peer on this machine lets its documents stay here', async () => {
    expect(await reachOfPeer(new URL('http://127.0.0.1:1/'))).toBe('named')
    expect(await reachOfPeer(new URL('http://10.0.0.1/'))).toBe('private')
    expect(await reachOfPeer(new URL('https://1.1.1.1/'))).toBe('outside')
    expect(await reachOfPeer(new URL('http://169.254.169.254/'))).toBe('private')
  })
})

describe('a request', () => {
  it('is answered, and a redirect is returned as a response', async () => {
    let hits = 0
    const target = await serve((_, response) => {
      hits++
      response.end('reached')
    })
    const url = await serve((_, response) => response.writeHead(302, { location: target }).end('elsewhere'))
    expect(await asked(target)).toBe('200 reached')
    expect(await asked(url)).toBe('302 elsewhere')
    expect(hits).toBe(1)
  })

  it('is not sent to this machine where anyone may have named the address', async () => {
    let hits = 0
    const url = await serve((_, response) => {
      hits++
      response.end()
    })
    const { port } = new URL(url)
    const hosts = ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]', '0x7f.0.0.1']
    for (const host of hosts)
      expect(await asked(`http://${host}:${port}/`, 'outside')).toBe('its address belongs to this machine')
    expect(hits).toBe(0)
  })

  it('does not send the password of its URL', async () => {
    const url = await serve((_, response) => response.end())
    expect(await asked(url.replace('//', '//ann:secret@'))).toBe('its address holds a name or a password')
  })

  it('is limited in size and time, and uses no proxy of the environment', async () => {
    const long = await serve((_, response) => response.end('x'.repeat(5000)))
    const silent = await serve(() => {})
    process.env['HTTP_PROXY'] = process.env['http_proxy'] = silent
    process.env['NODE_USE_ENV_PROXY'] = '1'
    onTestFinished(() => {
      for (const name of ['HTTP_PROXY', 'http_proxy', 'NODE_USE_ENV_PROXY']) delete process.env[name]
    })
    expect(await asked(long)).toBe('it answered with more than 1000 bytes')
    expect(await asked(silent, 'named', { signal: AbortSignal.timeout(50) })).toBe(
      'it did not answer in time',
    )
    expect(await asked(silent, 'named', { signal: AbortSignal.abort() })).toBe(
      'it was stopped before it had answered',
    )
  })
})
