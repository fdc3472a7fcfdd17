import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openEgressProxy, type EgressProxy } from '../../src/http-client/egress-proxy.js'
import { temporaryFolder } from '../temporary-folder.js'

const server = createServer((asked, answer) => answer.end(`host ${asked.headers.host} path ${asked.url}`))
let port: number
let proxy: EgressProxy

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  port = (server.address() as { port: number }).port
  proxy = await openEgressProxy({
    domains: [`localhost:${port}`, 'rebound.example.com', '*.wild.example.com', `169.254.169.254`],
    socketPath: join(temporaryFolder(), 'proxy.sock'),
    // A name in public DNS that leads to this machine.
    resolveName: (name, _, done) =>
      done(null, [{ address: name === 'localhost' ? '127.0.0.1' : '10.1.2.3', family: 4 }]),
  })
})

afterAll(async () => {
  await proxy.close()
  server.close()
})

/** The first bytes of what the proxy answers. */
async function send(text: string): Promise<string> {
  const socket = connect(proxy.socketPath)
  socket.write(text)
  let answer = ''
  socket.on('data', (chunk) => (answer += chunk.toString('latin1')))
  await Promise.race([once(socket, 'end'), once(socket, 'close')]).catch(() => {})
  socket.destroy()
  return answer
}

describe('the proxy of a sandbox', () => {
  it('forwards a request to an allowed host', async () => {
    const answer = await send(
      `GET http://localhost:${port}/a?b HTTP/1.1\r\nHost: elsewhere\r\nConnection: close\r\n\r\n`,
    )
    expect(answer).toContain('200 OK')
    expect(answer).toContain(`host localhost:${port} path /a?b`)
  })

  it('opens a tunnel to an allowed host', async () => {
    const socket = connect(proxy.socketPath)
    socket.write(`CONNECT localhost:${port} HTTP/1.1\r\n\r\n`)
    const [first] = (await once(socket, 'data')) as [Buffer]
    expect(first.toString()).toContain('200 Connection Established')
    socket.write('GET /inside HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    const [second] = (await once(socket, 'data')) as [Buffer]
    expect(second.toString()).toContain('host x path /inside')
    socket.destroy()
  })

  it.each([
    ['a host that is not listed', 'CONNECT other.example.com:443', /not among the allowed domains/],
    ['another port', 'CONNECT localhost:1', /not among the allowed domains/],
    ['a suffix without a dot', 'CONNECT evilwild.example.com:443', /not among the allowed domains/],
    ['a metadata address', 'CONNECT 169.254.169.254:80', /belongs to the link/],
    ['a listed name that resolves to a private address', 'CONNECT rebound.example.com:443', /network inside/],
    ['the same below a wildcard', 'CONNECT a.wild.example.com:443', /network inside/],
    ['a name with a percent sign', 'CONNECT localhost%00.example.com:443', /no host/],
    ['a name with credentials', 'CONNECT user@localhost:443', /no host/],
    ['a request that is not http', 'GET file:///etc/passwd', /no http URL/],
  ])('refuses %s', async (_, line, why) => {
    expect(await send(`${line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 (403|502)/,
    )
    expect(proxy.refusals().at(-1)).toMatch(why)
  })

  it('refuses a NUL in a host name', async () => {
    await send('CONNECT localhost\0.example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n')
    expect(proxy.refusals().some((each) => each.includes('\0'))).toBe(false)
  })
})
