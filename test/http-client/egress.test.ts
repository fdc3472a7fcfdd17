import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTcpServer, type AddressInfo, type Server as TcpServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import '../own-process.js'
import { headerCredential } from '../../src/credentials/header-credential.js'
import type { Reach } from '../../src/http-client/address-rules.js'
import { temporaryFolder } from '../temporary-folder.js'
import { ask, openClient, toRequest, type Asked } from './ask-api.js'
import { closeNetwork, type ClosedNetwork } from './closed-network.js'
import { hostileUrls } from './hostile-urls.js'
import { startDns, type DnsServer } from './start-dns.js'

/** A public address. Its connections go to the canary at 127.0.0.1. */
const WORLD = '93.184.215.14'
const MOON = '93.184.215.15'
const SECRET = 'q7Rk2vXw9ZbT4mLpNc8s'

const folder = temporaryFolder()
const socket = join(folder, 'canary.socket')
let network: ClosedNetwork
let dns: DnsServer
let port = 0
/** Servers that nothing may connect to unless a test says so. */
const canaries: TcpServer[] = []
let hits: string[] = []
let answer: (request: IncomingMessage, response: ServerResponse) => void = (_, response) =>
  response.end('canary')

beforeAll(async () => {
  network = await closeNetwork(folder)
  dns = await startDns()
  const listen = (server: TcpServer | Server, host: string): Promise<void> =>
    new Promise((listening, reject) => server.once('error', reject).listen(port, host, listening))
  const main = createServer((request, response) => {
    hits.push(`${request.method} ${request.headers.host} ${request.url}`)
    answer(request, response)
  })
  await listen(main, '127.0.0.1')
  port = (main.address() as AddressInfo).port
  canaries.push(main)
  // Not every machine has these addresses.
  for (const host of ['127.0.0.2', '::1']) {
    const canary = createTcpServer((connection) => {
      hits.push(host)
      connection.destroy()
    })
    await listen(canary, host).then(
      () => canaries.push(canary),
      () => {},
    )
  }
  const file = createTcpServer((connection) => {
    hits.push('socket')
    connection.destroy()
  })
  await new Promise<void>((listening) => file.listen(socket, listening))
  canaries.push(file)

  for (const [name, answers] of Object.entries({
    'rebound.example': ['127.0.0.1'],
    'localtest.example': ['127.0.0.2', '::1'],
    '127.0.0.1.nip.example': ['127.0.0.1'],
    'metadata.google.internal': ['169.254.169.254'],
    'private.example': ['192.168.7.7'],
    'ten.example': ['10.9.8.7'],
    'six.example': ['::1'],
    'mapped.example': ['::ffff:127.0.0.1'],
    'mixed.example': [WORLD, '127.0.0.1'],
    'mixed-six.example': [WORLD, 'fd00:ec2::254'],
    'alias.example': ['inner.example', '127.0.0.1'],
    'alias-of-alias.example': ['alias.example', 'inner.example', '10.0.0.1'],
    'world.example': [WORLD],
    'moon.example': [MOON],
  }))
    dns.zone.set(name, answers)
  network.routes.set(WORLD, '127.0.0.1').set(MOON, '127.0.0.1')
})

afterEach(() => {
  hits = []
  network.attempts.length = 0
  answer = (_, response) => response.end('canary')
})

afterAll(async () => {
  network.open()
  await dns.stop()
  for (const canary of canaries) await new Promise((closed) => canary.close(closed))
})

const client = (reach: Reach) => openClient({ reach, resolveName: dns.resolveName, connectMs: 2000 })

/** What became of a request; a text that is no URL never becomes one. */
const attempt = async (url: string, reach: Reach, asked?: Asked): Promise<string> =>
  URL.canParse(url) ? ask(client(reach), url, asked) : 'no URL'

it('the canaries are alive, and the network is closed', async () => {
  expect(await attempt(`http://127.0.0.1:${port}/a`, 'named')).toBe('200 canary')
  expect(await attempt(`http://world.example:${port}/b`, 'outside')).toBe('200 canary')
  // Where the rules allow it, only the closed network keeps a request here.
  expect(await attempt(`http://10.0.0.1:${port}/`, 'named')).toBe('unreachable')
  expect(await attempt(`http://93.184.215.99:${port}/`, 'outside')).toBe('unreachable')
  expect(hits).toEqual([`GET 127.0.0.1:${port} /a`, `GET world.example:${port} /b`])
  expect(network.attempts).toEqual([
    `127.0.0.1 ${port}`,
    `${WORLD} ${port}`,
    `10.0.0.1 ${port}`,
    `93.184.215.99 ${port}`,
  ])
})

describe('a hostile URL', () => {
  it('makes no connection where anyone may have named it', async () => {
    const urls = hostileUrls({ port, socket })
    expect(urls.length).toBeGreaterThan(500)
    const outcomes = new Map<string, string>()
    for (const url of urls) outcomes.set(url, await attempt(url, 'outside'))
    const wrong = [...outcomes].filter(
      ([, outcome]) => !['no URL', 'address_refused', 'invalid_request', 'unreachable'].includes(outcome),
    )
    expect(wrong).toEqual([])
    expect([...outcomes.values()].filter((outcome) => outcome === 'address_refused').length).toBeGreaterThan(
      450,
    )
    expect(network.attempts).toEqual([])
    expect(hits).toEqual([])
  })

  it('that is loopback, link-local or unassigned gets no connection where a host of the network names it', async () => {
    const urls = hostileUrls({ port, socket }).filter((url) => {
      if (!URL.canParse(url)) return false
      const { hostname } = new URL(url)
      return /^(?:127\.|0\.|169\.254\.|\[::1\]|\[::\]|\[fe8|\[::ffff:(?:7f|a9fe)|.*localhost\.?$)/.test(
        hostname,
      )
    })
    expect(urls.length).toBeGreaterThan(100)
    for (const url of urls)
      expect(await attempt(url, 'private'), url).toMatch(/^(?:address_refused|invalid_request)$/)
    expect(network.attempts).toEqual([])
    expect(hits).toEqual([])
  })

  it('with a name or a password is refused also where the operator names it', async () => {
    for (const url of [
      `http://a@127.0.0.1:${port}/`,
      `http://:b@127.0.0.1:${port}/`,
      `http://a:b@world.example/`,
    ])
      expect(await attempt(url, 'named')).toBe('address_refused')
    expect(network.attempts).toEqual([])
  })

  it('uses no proxy of the environment', async () => {
    const names = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'ALL_PROXY', 'all_proxy']
    for (const name of names) process.env[name] = `http://127.0.0.1:${port}`
    process.env['NODE_USE_ENV_PROXY'] = '1'
    try {
      expect(await attempt('http://nowhere.example/', 'named')).toBe('unreachable')
      expect(await attempt('http://10.0.0.1/', 'outside')).toBe('address_refused')
      expect(network.attempts).toEqual([])
    } finally {
      for (const name of [...names, 'NODE_USE_ENV_PROXY']) delete process.env[name]
    }
  })
})

describe('a name whose address changes', () => {
  it('after it was checked is connected to at the address that was checked', async () => {
    dns.zone.set('turns.example', (question) => [question === 0 ? WORLD : '127.0.0.1'])
    dns.questions.length = 0
    expect(await attempt(`http://turns.example:${port}/`, 'outside')).toBe('200 canary')
    // One question for each family, before the check, and none after it.
    expect(dns.questions.toSorted()).toEqual(['turns.example 1', 'turns.example 28'])
    expect(network.attempts).toEqual([`${WORLD} ${port}`])
    expect(await attempt(`http://turns.example:${port}/`, 'outside')).toBe('address_refused')
    expect(network.attempts).toEqual([`${WORLD} ${port}`])
  })

  it('from a refused one to an allowed one is refused at first', async () => {
    dns.zone.set('back.example', (question) => [question === 0 ? '169.254.169.254' : WORLD])
    expect(await attempt(`http://back.example:${port}/`, 'outside')).toBe('address_refused')
    expect(network.attempts).toEqual([])
  })

  it('keeps its connection, and the next connection is checked again', async () => {
    dns.zone.set('moves.example', [WORLD])
    const kept = client('outside')
    const url = `http://moves.example:${port}/`
    expect(await ask(kept, url)).toBe('200 canary')
    dns.zone.set('moves.example', ['10.0.0.5'])
    ;(canaries[0] as Server).closeAllConnections()
    expect(await ask(kept, url)).toBe('address_refused')
    expect(new Set(network.attempts)).toEqual(new Set([`${WORLD} ${port}`]))
  })

  it('between the requests of one client is checked at each connection', async () => {
    let inside = 0
    dns.zone.set('flips.example', (question) => {
      if (question % 2 === 0) return [WORLD]
      inside++
      return ['127.0.0.2']
    })
    const many = client('outside')
    const url = `http://flips.example:${port}/`
    const said = await Promise.all(Array.from({ length: 20 }, () => ask(many, url)))
    expect(new Set(said)).toEqual(new Set(['200 canary', 'address_refused']))
    expect(inside).toBeGreaterThan(0)
    expect(new Set(network.attempts)).toEqual(new Set([`${WORLD} ${port}`]))
  })
})

describe('a redirect', () => {
  const STATUSES = [300, 301, 302, 303, 304, 305, 306, 307, 308]
  const targets = () => [
    `http://127.0.0.2:${port}/`,
    `http://[::1]:${port}/`,
    `http://localhost:${port}/`,
    `http://127.2:${port}/`,
    `http://2130706434:${port}/`,
    `http://[::ffff:127.0.0.1]:${port}/`,
    `//127.0.0.2:${port}/`,
    `\\\\127.0.0.2:${port}\\`,
    `/\\127.0.0.2:${port}/`,
    `\t//127.0.0.2:${port}/`,
    'http://169.254.169.254/latest/meta-data/',
    'http://[fd00:ec2::254]/latest/meta-data/',
    'http://metadata.google.internal/computeMetadata/v1/',
    'http://100.100.100.200/',
    'http://10.0.0.1/',
    'http://192.168.1.1/',
    'http://0.0.0.0/',
    `http://127.0.0.1:${port + 1}/`,
    `http://user@127.0.0.1:${port}/`,
    `http://:secret@127.0.0.1:${port}/`,
    `https://127.0.0.1:${port}/`,
    `ftp://127.0.0.1:${port}/`,
    'file:///etc/passwd',
    'javascript:alert(1)',
    'data:text/plain,x',
    `unix:${socket}`,
    'http://',
    'http://[',
    'http://rebound.example/',
  ]
  const own = (path = '/') => `http://127.0.0.1:${port}${path}`
  const redirects =
    (status: number, location: string | string[]) =>
    (_: IncomingMessage, response: ServerResponse): void => {
      response.statusCode = status
      response.setHeader('location', location)
      response.end('moved')
    }

  it('to another origin is the response, with each status and method', async () => {
    const one = client('named')
    let count = 0
    for (const status of STATUSES)
      for (const location of targets())
        for (const method of ['GET', 'HEAD', 'POST']) {
          answer = redirects(status, location)
          const { isRedirected, ...response } = await one.request(toRequest(own(), { method }))
          expect(response).toMatchObject({
            status,
            headers: { location: location.trim() },
            url: { href: own() },
          })
          expect(isRedirected).toBe(false)
          count++
        }
    expect(hits).toHaveLength(count)
    expect(new Set(hits.map((hit) => hit.split(' ')[2]))).toEqual(new Set(['/']))
    expect(new Set(network.attempts)).toEqual(new Set([`127.0.0.1 ${port}`]))
  })

  it('to another origin inside makes no connection also where its host is listed', async () => {
    const one = client('named')
    const redirectHosts = targets().flatMap((target) =>
      URL.canParse(target, own()) ? [new URL(target, own()).host, new URL(target, own()).hostname] : [],
    )
    for (const status of STATUSES)
      for (const location of targets()) {
        answer = redirects(status, location)
        const said = await ask(one, own(), { redirectHosts })
        // A name is refused when it is resolved, and the first request has run by then.
        const isName = /google|rebound/.test(location) && [301, 302, 303, 307, 308].includes(status)
        expect(said, `${status} ${location}`).toBe(
          isName ? 'address_refused+' : status === 304 ? '304' : `${status} moved`,
        )
      }
    expect(new Set(network.attempts)).toEqual(new Set([`127.0.0.1 ${port}`]))
    expect(hits.every((hit) => hit === `GET 127.0.0.1:${port} /`)).toBe(true)
  })

  it('within the origin is followed five times', async () => {
    answer = ({ url }, response) => {
      const left = Number(url!.slice(1))
      if (left === 0) response.end('there')
      else redirects(302, `/${left - 1}`)({} as IncomingMessage, response)
    }
    const one = client('named')
    expect(await ask(one, own('/5'))).toBe('200 there')
    expect(hits).toHaveLength(6)
    const { status, headers, url, isRedirected } = await one.request(toRequest(own('/6')))
    expect({ status, location: headers.location, url: url.href, isRedirected }).toEqual({
      status: 302,
      location: '/0',
      url: own('/1'),
      isRedirected: true,
    })
  })

  it('that leads elsewhere at the end of a chain is the response', async () => {
    const one = client('named')
    for (const location of targets()) {
      answer = (request, response) =>
        redirects(307, request.url === '/' ? '/next' : location)(request, response)
      expect(await ask(one, own())).toBe('307 moved')
    }
    expect(new Set(network.attempts)).toEqual(new Set([`127.0.0.1 ${port}`]))
  })

  it('that is written twice is the response', async () => {
    answer = redirects(302, ['/a', `http://127.0.0.2:${port}/`])
    expect(await ask(client('named'), own())).toBe('302 moved')
    expect(hits).toHaveLength(1)
  })

  it.each([
    ['GET', [301, 302, 303, 307, 308], 'GET body=abc'],
    ['HEAD', [301, 302, 303, 307, 308], ''],
    ['POST', [303], 'GET body='],
    ['PUT', [303], 'GET body='],
    ['POST', [307, 308], 'POST body=abc'],
    ['DELETE', [307, 308], 'DELETE body=abc'],
    ['POST', [301, 302], undefined],
    ['PATCH', [301, 302], undefined],
  ] as const)('within the origin of %s with %j is followed safely', async (method, statuses, result) => {
    for (const status of statuses) {
      answer = async (request, response) => {
        if (request.url === '/') return redirects(status, '/next')(request, response)
        const body = Buffer.concat(await request.toArray()).toString()
        response.end(
          `${request.method} body=${body}${body === '' ? (request.headers['content-type'] ?? '') : ''}`,
        )
      }
      const asked: Asked = {
        method,
        ...(method !== 'HEAD' && { body: 'abc', headers: { 'content-type': 'x/y' } }),
      }
      const said = await ask(client('named'), own(), asked)
      expect(said, String(status)).toBe(result === undefined ? `${status} moved` : `200 ${result}`.trim())
    }
  })

  describe('to a listed host outside', () => {
    const seen = () => hits.map((hit) => hit.replaceAll(`:${port}`, ''))
    const start = `http://world.example:5555/`
    let headers: IncomingMessage['headers'] = {}

    const redirectsFrom = (map: Readonly<Record<string, string>>) => {
      answer = (request, response) => {
        const to =
          map[request.headers.host!.split(':')[0]! + request.url!] ??
          map[request.headers.host!.split(':')[0]!]
        if (to !== undefined) return redirects(302, to.replaceAll('5555', String(port)))(request, response)
        headers = request.headers
        response.end(request.url)
      }
    }
    const url = () => start.replace('5555', String(port))
    const redirectHosts = () => [`moon.example:${port}`]

    it('gets neither credentials nor headers that may hold secrets', async () => {
      redirectsFrom({ 'world.example': 'http://moon.example:5555/file?a=1' })
      const credential = headerCredential({
        origin: new URL(url()).origin,
        headers: { 'x-key': SECRET, accept: 'text/credential' },
        query: { token: SECRET },
      })
      const response = await client('outside').request(
        toRequest(`${url()}?b=2`, {
          credential,
          redirectHosts: redirectHosts(),
          headers: {
            Authorization: SECRET,
            Cookie: SECRET,
            'Proxy-Auth': SECRET,
            'X-Custom': SECRET,
            Accept: 'text/plain',
            'User-Agent': 'test',
          },
        }),
      )
      expect(response.status).toBe(200)
      expect(response.isRedirected).toBe(true)
      expect(response.url.href).toBe(`http://moon.example:${port}/file?a=1`)
      expect(seen()).toEqual([`GET world.example /?b=2&token=${SECRET}`, 'GET moon.example /file?a=1'])
      expect(headers).toEqual({
        host: `moon.example:${port}`,
        connection: 'keep-alive',
        accept: 'text/plain',
        'accept-encoding': 'identity',
        'user-agent': 'test',
      })
    })

    it('is not followed where the address repeats a parameter of the credential', async () => {
      redirectsFrom({ 'world.example': `http://moon.example:5555/?x=${SECRET}` })
      const credential = headerCredential({ origin: new URL(url()).origin, query: { token: SECRET } })
      const asked = { credential, redirectHosts: redirectHosts() }
      expect(await ask(client('outside'), url(), asked)).toBe('302 moved')
      expect(hits).toHaveLength(1)
    })

    it('is not followed with a method or a body that acts', async () => {
      redirectsFrom({ 'world.example': 'http://moon.example:5555/' })
      for (const asked of [{ method: 'POST' }, { method: 'DELETE' }, { body: 'x' }])
        expect(await ask(client('outside'), url(), { ...asked, redirectHosts: redirectHosts() })).toBe(
          '302 moved',
        )
      for (const status of [303, 307, 308]) {
        answer = redirects(status, `http://moon.example:${port}/`)
        expect(await ask(client('outside'), url(), { method: 'POST', redirectHosts: redirectHosts() })).toBe(
          `${status} moved`,
        )
      }
      expect(seen().every((hit) => hit.includes('world.example'))).toBe(true)
    })

    it('needs the port to be listed too', async () => {
      redirectsFrom({ 'world.example': 'http://moon.example:5555/' })
      for (const hosts of [
        ['moon.example'],
        ['MOON.example'],
        ['*'],
        [`.example:${port}`],
        ['world.example'],
      ])
        expect(await ask(client('outside'), url(), { redirectHosts: hosts })).toBe('302 moved')
    })

    it('lets that host lead no further than to itself and to listed hosts', async () => {
      const one = client('outside')
      const asked = { redirectHosts: redirectHosts() }
      for (const to of [
        `http://127.0.0.1:${port}/`,
        'http://169.254.169.254/',
        'http://10.0.0.1/',
        // Back to where the credentials belong.
        'http://world.example:5555/admin',
      ]) {
        redirectsFrom({ 'world.example/': 'http://moon.example:5555/', 'moon.example': to })
        expect(await ask(one, url(), asked), to).toBe('302 moved')
      }
      redirectsFrom({ 'world.example/': 'http://moon.example:5555/', 'moon.example/': '/there' })
      expect(await ask(one, url(), asked)).toBe('200 /there')
      expect(seen().some((hit) => hit.includes('/admin') || hit.includes('127.0.0.1'))).toBe(false)
    })

    it('that leads back to a listed first host sends it no credentials again', async () => {
      redirectsFrom({
        'world.example/': 'http://moon.example:5555/',
        'moon.example/': 'http://world.example:5555/end',
      })
      const credential = headerCredential({ origin: new URL(url()).origin, headers: { 'x-key': SECRET } })
      const asked = { credential, redirectHosts: [...redirectHosts(), `world.example:${port}`] }
      expect(await ask(client('outside'), url(), asked)).toBe('200 /end')
      expect(headers['x-key']).toBeUndefined()
    })

    it('does not ask the credential about a refusal of that host', async () => {
      answer = (request, response) =>
        request.headers.host!.startsWith('moon')
          ? response
              .writeHead(401, { 'www-authenticate': 'Bearer resource_metadata="http://10.0.0.1/"' })
              .end('no')
          : redirects(302, `http://moon.example:${port}/`)(request, response)
      let asked = 0
      const credential = {
        origin: new URL(url()).origin,
        proof: () => ({}),
        refused: async () => {
          asked++
          return 'give_up' as const
        },
      }
      expect(await ask(client('outside'), url(), { credential, redirectHosts: redirectHosts() })).toBe(
        '401 no',
      )
      expect(asked).toBe(0)
    })
  })

  it('within the origin sends the credential again, and keeps it out of the address', async () => {
    answer = (request, response) =>
      request.url!.startsWith('/start')
        ? redirects(302, `/end?token=${SECRET}&b=%20`)(request, response)
        : response.end(`${request.url} ${request.headers['x-key']}`)
    const credential = headerCredential({
      origin: `http://127.0.0.1:${port}`,
      headers: { 'x-key': SECRET },
      query: { token: SECRET },
    })
    const { url, body } = await client('named').request(toRequest(own('/start'), { credential }))
    expect(body.toString()).toBe(`/end?b=+&token=${SECRET} ${SECRET}`)
    expect(url.href).toBe(own('/end?b=+'))
  })
})
