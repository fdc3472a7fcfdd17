import { request } from 'node:http'
import { connect } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Reach } from '../../src/http-client/address-rules.js'
import { startGuardedProxy, type GuardedProxy } from '../../src/http-client/guarded-proxy.js'
import { startDns } from './start-dns.js'
import { startServer } from './start-server.js'

interface Started extends GuardedProxy {
  readonly refused: string[]
  readonly authorization: string
}

async function start(check: (url: URL) => Reach | { refused: string }): Promise<Started> {
  const dns = await startDns()
  dns.zone.set('rebound.example', ['93.184.215.14', '127.0.0.1'])
  dns.zone.set('metadata.example', ['169.254.169.254'])
  const refused: string[] = []
  const proxy = await startGuardedProxy({
    check,
    onRefused: ({ target, url, why }) => void refused.push(`${url?.host ?? target}: ${why}`),
    resolveName: dns.resolveName,
  })
  onTestFinished(async () => {
    await proxy.close()
    await dns.stop()
  })
  const { username, password } = proxy
  return {
    ...proxy,
    refused,
    authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
  }
}

function get(
  { server, authorization }: Pick<Started, 'server' | 'authorization'>,
  url: string,
): Promise<{ status: number; body: string }> {
  const { hostname, port } = new URL(server)
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        hostname,
        port,
        path: url,
        agent: false,
        headers: { host: new URL(url).host, 'proxy-authorization': authorization },
      },
      (response) => {
        let body = ''
        response.on('data', (chunk) => (body += String(chunk)))
        response.on('end', () => resolve({ status: response.statusCode!, body }))
      },
    )
    sent.on('error', reject)
    sent.end()
  })
}

/** Asks for a tunnel, sends a request through it, and returns all that came back. */
function tunnel({ server, authorization }: Started, target: string): Promise<string> {
  const { hostname, port } = new URL(server)
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname)
    let text = ''
    socket.on('data', (chunk) => {
      text += String(chunk)
      if (text.endsWith('Established\r\n\r\n'))
        socket.write(`GET /x HTTP/1.1\r\nhost: ${target}\r\nconnection: close\r\n\r\n`)
    })
    socket.on('close', () => resolve(text))
    socket.on('error', () => resolve(text))
    socket.write(
      `CONNECT ${target} HTTP/1.1\r\nhost: ${target}\r\nproxy-authorization: ${authorization}\r\n\r\n`,
    )
  })
}

describe('the proxy for programs that connect by themselves', () => {
  it('passes requests and tunnels to hosts that it may reach, without its own headers', async () => {
    const seen: string[] = []
    const origin = await startServer(({ url, headers }, response) => {
      seen.push(`${url} ${headers['proxy-authorization'] ?? 'none'}`)
      response.end('hello')
    })
    const proxy = await start(() => 'named')
    expect(await get(proxy, `${origin}/a?b`)).toEqual({ status: 200, body: 'hello' })
    expect(await tunnel(proxy, new URL(origin).host)).toContain('hello')
    expect(seen).toEqual(['/a?b none', '/x none'])
  })

  it('refuses programs that do not know its password', async () => {
    const origin = await startServer((_, response) => response.end('hello'))
    const proxy = await start(() => 'named')
    expect((await get({ ...proxy, authorization: 'Basic eA==' }, origin)).status).toBe(407)
    expect(await tunnel({ ...proxy, authorization: 'Basic eA==' }, new URL(origin).host)).toContain('407')
  })

  it('refuses inner addresses, also those that a name has when it is resolved', async () => {
    let hits = 0
    const origin = await startServer((_, response) => response.end(String(hits++)))
    const { port } = new URL(origin)
    const proxy = await start(() => 'outside')
    for (const host of [
      '127.0.0.1',
      'localhost',
      '[::1]',
      '0x7f.1',
      'rebound.example',
      'metadata.example',
      '10.0.0.1',
    ]) {
      expect((await get(proxy, `http://${host}:${port}/`)).status).toBe(403)
      expect(await tunnel(proxy, `${host}:${port}`)).toContain('403')
    }
    expect(await tunnel(proxy, `a@127.0.0.1:${port}`)).toContain('403')
    expect(await tunnel(proxy, `${'127.0.0.1'}:${port}/x`)).toContain('403')
    expect([hits, proxy.refused.length]).toEqual([0, 16])
  })

  it('asks about each request, and says what was refused', async () => {
    const origin = await startServer((_, response) => response.end('hello'))
    const proxy = await start(({ pathname }) => (pathname === '/no' ? { refused: 'not this one' } : 'named'))
    expect((await get(proxy, `${origin}/no`)).status).toBe(403)
    expect((await get(proxy, `${origin}/yes`)).status).toBe(200)
    expect(proxy.refused).toEqual([`${new URL(origin).host}: not this one`])
  })
})
