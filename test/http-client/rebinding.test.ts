import { createServer } from 'node:http'
import { createServer as createTcpServer, type AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { checkAddress, guardedLookup, reachOfPeer, type Reach } from '../../src/http-client/address-rules.js'
import { createConnectionPool } from '../../src/http-client/connection-pool.js'
import { isListening } from '../../src/http-client/is-listening.js'
import { createPersistentConnections, openResponse } from '../../src/http-client/open-response.js'
import { readBody, sendRequest } from '../../src/http-client/send-request.js'

/** The addresses of names here, instead of the system's resolver. */
const names: Record<string, string[]> = {
  'rebound.example.com': ['127.0.0.1'],
  'mixed.example.com': ['93.184.215.14', '127.0.0.1'],
  'cloud.example.com': ['169.254.169.254'],
  'inside.example.com': ['10.9.8.7'],
  'world.example.com': ['93.184.215.14'],
  'own.example.com': ['93.184.215.15'],
  'own-mapped.example.com': ['::ffff:93.184.215.15'],
  'own6.example.com': ['2606:2800:21f:0::15'],
  'builder.internal': ['127.0.0.1'],
  'moving.internal': ['127.0.0.1'],
}
const answers = (name: string) => (names[name] ?? []).map((address) => ({ address, family: 4 }))

vi.mock('node:dns', () => ({
  lookup: (name: string, _: unknown, done: (error: null, found: unknown) => void) =>
    done(null, answers(name)),
}))
vi.mock('node:os', async (load) => ({
  ...(await load<typeof import('node:os')>()),
  networkInterfaces: () => ({ eth0: [{ address: '93.184.215.15' }, { address: '2606:2800:21f::15' }] }),
}))
vi.mock('node:dns/promises', () => ({ lookup: async (name: string) => answers(name) }))

let hits = 0
let lastHost: string | undefined
const server = createServer(({ headers }, response) => {
  hits++
  lastHost = headers.host
  response.end('reached')
})
beforeAll(() => new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening)))
afterAll(() => {
  server.closeAllConnections()
  return new Promise((closed) => server.close(closed))
})

const signal = AbortSignal.timeout(60_000)

/** Every way in which the client opens connections. */
const ways: Readonly<Record<string, (url: URL, reach: Reach) => Promise<string>>> = {
  'one request': async (url, reach) =>
    (await sendRequest({ method: 'GET', url, reach, maxBytes: 1000, signal })).body.toString(),
  'a kept connection': async (url, reach) => {
    const keptConnections = createPersistentConnections(url, { maxIdle: 1 })
    try {
      const response = await openResponse({ method: 'GET', url, reach, keptConnections })
      return (await readBody(response, 1000)).toString()
    } finally {
      keptConnections.close()
    }
  },
  'a pool': (url, reach) => {
    const pool = createConnectionPool({ url, reach })
    return new Promise<string>((resolve, reject) => {
      let text = ''
      pool.dispatch(
        { method: 'GET', path: '/', headers: {}, body: null },
        {
          onRequestStart() {},
          onResponseData(_, chunk) {
            text += chunk.toString()
          },
          onResponseEnd: () => resolve(text),
          onResponseError: (_, error) => reject(error),
        },
      )
    }).finally(() => pool.destroy())
  },
}

async function asked(host: string, reach: Reach): Promise<string> {
  const { port } = server.address() as AddressInfo
  const url = new URL(`http://${host}:${port}/`)
  const said = await Promise.all(
    Object.values(ways).map((way) => way(url, reach).catch((error: Error) => error.message)),
  )
  // All ways give the same result.
  return [...new Set(said)].join(' | ')
}

const MACHINE = 'its address belongs to this machine'
const LINK = 'its address belongs to the link or to nobody'

describe('a public name', () => {
  it.each<[string, string]>([
    ['rebound.example.com', MACHINE],
    ['mixed.example.com', MACHINE],
    ['cloud.example.com', LINK],
  ])('%s is refused with every reach', async (host, why) => {
    for (const reach of ['named', 'private', 'outside'] as const) expect(await asked(host, reach)).toBe(why)
    expect(hits).toBe(0)
  })

  it('that resolves to the inner network is refused where anyone may have named it', async () => {
    expect(await asked('inside.example.com', 'outside')).toBe('its address belongs to the network inside')
  })

  it('lets documents reach no further inside than it is itself', async () => {
    expect(await reachOfPeer(new URL('https://world.example.com/'))).toBe('outside')
    expect(await reachOfPeer(new URL('https://inside.example.com/'))).toBe('private')
  })
})

it('a name that only this network defines may resolve to this machine, in a setting', async () => {
  expect(await asked('builder.internal', 'outside')).toBe(MACHINE)
  expect(hits).toBe(0)
  expect(await asked('builder.internal', 'named')).toBe('reached')
  expect(hits).toBe(Object.keys(ways).length)
  expect(lastHost).toMatch(/^builder\.internal:/)
})

it('a name that resolves to another address later gets no second connection', async () => {
  const { port } = server.address() as AddressInfo
  const url = new URL(`http://moving.internal:${port}/`)
  const keptConnections = createPersistentConnections(url, { maxIdle: 1 })
  const ask = async (): Promise<string> => {
    const response = await openResponse({ method: 'GET', url, reach: 'named', keptConnections })
    return (await readBody(response, 1000)).toString()
  }
  expect(await ask()).toBe('reached')
  names['moving.internal'] = ['169.254.169.254']
  // The checked connection stays as it is.
  expect(await ask()).toBe('reached')
  server.closeAllConnections()
  await vi.waitFor(() => expect(ask()).rejects.toThrow(LINK))
  keptConnections.close()
})

describe('a public address of this machine', () => {
  // Nothing is connected to: only the resolver is asked.
  const resolved = (name: string, reach: Reach): Promise<string | undefined> =>
    new Promise((done) => guardedLookup(reach)(name, { all: true }, (error) => done(error?.message)))
  const OWN = ['own.example.com', 'own-mapped.example.com', 'own6.example.com']

  it('is refused where anyone may have named it', async () => {
    for (const name of OWN) expect(await resolved(name, 'outside')).toBe(MACHINE)
    for (const host of ['93.184.215.15', '[::ffff:93.184.215.15]', '[2606:2800:21f::15]'])
      expect(() => checkAddress(new URL(`http://${host}/`), 'outside')).toThrow(MACHINE)
    expect(await resolved('world.example.com', 'outside')).toBeUndefined()
    expect(() => checkAddress(new URL('http://93.184.215.14/'), 'outside')).not.toThrow()
  })

  it('is accepted in a setting, and where a host of the network names it', async () => {
    for (const name of OWN)
      for (const reach of ['named', 'private'] as const) expect(await resolved(name, reach)).toBeUndefined()
  })
})

it('isListening connects to checked addresses only', async () => {
  const { port } = server.address() as AddressInfo
  const listens = (host: string) => isListening(new URL(`http://${host}:${port}/`))
  expect(await listens('builder.internal')).toBe(true)
  expect(await listens('rebound.example.com')).toBe(false)
})

it('a TLS connection names the host and not its address', async () => {
  let hello = ''
  const listener = createTcpServer((socket) => {
    socket.once('data', (bytes) => {
      hello += bytes.toString('latin1')
      socket.destroy()
    })
    socket.on('error', () => {})
  })
  await new Promise<void>((listening) => listener.listen(0, '127.0.0.1', listening))
  const url = new URL(`https://builder.internal:${(listener.address() as AddressInfo).port}/`)
  for (const [name, way] of Object.entries(ways)) {
    hello = ''
    await expect(way(url, 'named'), name).rejects.toThrow()
    expect(hello, name).toContain('builder.internal')
  }
  await new Promise((closed) => listener.close(closed))
})
