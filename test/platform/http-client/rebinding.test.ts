import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { reachOfPeer, type Reach } from '../../../src/platform/http-client/address-rules.js'
import { send } from '../../../src/platform/http-client/send.js'

/** What names mean here, in place of the system's answers. */
const names: Record<string, string[]> = {
  'rebound.example.com': ['127.0.0.1'],
  'mixed.example.com': ['93.184.215.14', '127.0.0.1'],
  'cloud.example.com': ['169.254.169.254'],
  'inside.example.com': ['10.9.8.7'],
  'world.example.com': ['93.184.215.14'],
  'builder.internal': ['127.0.0.1'],
}
const answers = (name: string) => (names[name] ?? []).map((address) => ({ address, family: 4 }))

vi.mock('node:dns', () => ({
  lookup: (name: string, _: unknown, done: (error: null, found: unknown) => void) =>
    done(null, answers(name)),
}))
vi.mock('node:dns/promises', () => ({ lookup: async (name: string) => answers(name) }))

let hits = 0
const server = createServer((_, response) => {
  hits++
  response.end('reached')
})
beforeAll(() => new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening)))
afterAll(() => new Promise((closed) => server.close(closed)))

function asked(host: string, reach: Reach): Promise<string> {
  const { port } = server.address() as AddressInfo
  const url = new URL(`http://${host}:${port}/`)
  return send({ method: 'GET', url, reach, maxBytes: 1000, signal: AbortSignal.timeout(5000) }).then(
    ({ body }) => body.toString(),
    (error: Error) => error.message,
  )
}

const MACHINE = 'its address belongs to this machine'
const LINK = 'its address belongs to the link or to nobody'

describe('a name of the world', () => {
  it.each<[string, string]>([
    ['rebound.example.com', MACHINE],
    ['mixed.example.com', MACHINE],
    ['cloud.example.com', LINK],
  ])('that is made to mean %s is not followed, whoever named it', async (host, why) => {
    for (const reach of ['named', 'private', 'outside'] as const) expect(await asked(host, reach)).toBe(why)
    expect(hits).toBe(0)
  })

  it('that means the network inside is refused where anybody named it', async () => {
    expect(await asked('inside.example.com', 'outside')).toBe('its address belongs to the network inside')
  })

  it('lets documents reach no further inside than it lies itself', async () => {
    expect(await reachOfPeer(new URL('https://world.example.com/'))).toBe('outside')
    expect(await reachOfPeer(new URL('https://inside.example.com/'))).toBe('private')
  })
})

it('a name that only this network gives may mean this machine, for whoever runs it', async () => {
  expect(await asked('builder.internal', 'outside')).toBe(MACHINE)
  expect(await asked('builder.internal', 'named')).toBe('reached')
  expect(hits).toBe(1)
})
