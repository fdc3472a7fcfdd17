import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { CribOptions } from 'toolcrib'
import { builtinSource, type BuiltinSettings } from '../../../../src/builtins.js'
import { openFetch } from '../../../../src/sources/builtins/fetch/fetch-tools.js'
import type { Source } from '../../../../src/sources/source.js'
import { startDns } from '../../../http-client/start-dns.js'
import { openSet, type OpenedSet } from '../open-set.js'

type Answer = (request: IncomingMessage, response: ServerResponse) => void

let origin = ''
let asked: string[] = []
let robots: Answer = (_, response) => response.writeHead(404).end()
let answer: Answer = (_, response) => response.end()

const server = createServer((request, response) => {
  asked.push(`${request.url}`)
  if (request.url === '/robots.txt') robots(request, response)
  else answer(request, response)
})

beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
beforeEach(() => {
  asked = []
  robots = (_, response) => response.writeHead(404).end()
})
afterAll(async () => {
  server.closeAllConnections()
  await new Promise((done) => server.close(done))
})

const open = (settings: BuiltinSettings<'fetch'> = {}, options: CribOptions = {}): Promise<OpenedSet> =>
  openSet(builtinSource('fetch', { hosts: ['127.0.0.1'], ...settings }), options)

const html = (text: string, type = 'text/html; charset=utf-8'): Answer => {
  return (_, response) => response.writeHead(200, { 'content-type': type }).end(text)
}

const textOf = (result: { model_facing_content?: readonly { text?: string }[] | undefined }): string =>
  (result.model_facing_content ?? []).map(({ text }) => text ?? '').join('')

describe('http.fetch', () => {
  it('gives a page as Markdown, with its title, and keeps where it came from', async () => {
    answer = html('<title>Tea</title><h1>Tea</h1><p>Hot &amp; <a href="/more">strong</a>.')
    const { call } = await open()
    const result = await call('http.fetch', { url: `${origin}/tea#part` })
    expect(textOf(result)).toBe(`Title: Tea\n\n# Tea\n\nHot & [strong](${origin}/more).`)
    expect(result.toolcrib?.['native']).toMatchObject({
      source: 'http',
      method: 'GET',
      server_url: origin,
      url: `${origin}/tea`,
      status: 200,
    })
    expect(asked).toEqual(['/robots.txt', '/tea'])
  })

  it('gives words alone, or the source, where that is asked for', async () => {
    answer = html('<p>Hot <b>tea</b>')
    const { call } = await open()
    const url = `${origin}/`
    expect(textOf(await call('http.fetch', { url, format: 'text' }))).toBe('Hot tea')
    expect(textOf(await call('http.fetch', { url, format: 'raw' }))).toBe('<p>Hot <b>tea</b>')
  })

  it.each([
    ['the header', 'text/html; charset=iso-8859-1', Buffer.from('<p>caf\u00e9', 'latin1')],
    ['a meta element', 'text/html', Buffer.from('<meta charset="ISO-8859-15"><p>caf\u00e9', 'latin1')],
    ['a byte order mark', 'text/html; charset=latin1', Buffer.from('\uFEFF<p>caf\u00e9')],
    ['UTF-16', 'text/html', Buffer.from('\uFEFF<p>caf\u00e9', 'utf16le')],
    ['UTF-8 by default', 'text/html', Buffer.from('<p>caf\u00e9')],
    ['bytes that are not UTF-8', 'text/html', Buffer.from('<p>caf\u00e9', 'latin1')],
  ])('reads the charset: %s', async (_, type, body) => {
    answer = (_, response) => response.writeHead(200, { 'content-type': type }).end(body)
    const { call } = await open()
    expect(textOf(await call('http.fetch', { url: `${origin}/` }))).toBe('café')
  })

  it('gives JSON as data and a picture as a picture', async () => {
    answer = html('{"a":[1]}', 'application/json')
    const { call } = await open()
    expect((await call('http.fetch', { url: `${origin}/data` })).structured_content).toEqual({ a: [1] })
    answer = (_, response) =>
      response.writeHead(200, { 'content-type': 'image/png' }).end(Buffer.from([1, 2, 3]))
    const { content } = await call('http.fetch', { url: `${origin}/picture` })
    expect(content).toMatchObject([{ type: 'image', media_type: 'image/png', size_bytes: 3 }])
  })

  it('keeps a long page by reference, and gives a preview', async () => {
    answer = html(`<h1>Long</h1>${'<p>A paragraph of some words.</p>'.repeat(200_000)}`)
    const { call, crib } = await open()
    const result = await call('http.fetch', { url: `${origin}/long` })
    expect(result).toMatchObject({ status: 'succeeded', persisted_payload_ref: expect.anything() })
    const { uri, media_type, size_bytes } = result.persisted_payload_ref as Record<string, string | number>
    expect(media_type).toBe('text/markdown')
    expect(size_bytes).toBeGreaterThan(5_000_000)
    expect(textOf(result).length).toBeLessThan(50_000)
    const page = await crib.read(String(uri))
    expect(JSON.stringify(page)).toContain('# Long')
  })

  it('obeys robots.txt, and reads it once', async () => {
    robots = html('User-agent: *\nDisallow: /private', 'text/plain')
    answer = html('<p>page')
    const { call } = await open()
    const result = await call('http.fetch', { url: `${origin}/private/a` })
    expect(result).toMatchObject({ is_error: true })
    expect(result.error?.message).toContain('robots.txt')
    expect((await call('http.fetch', { url: `${origin}/public` })).status).toBe('succeeded')
    expect(asked).toEqual(['/robots.txt', '/public'])
    robots = (_, response) => response.writeHead(500).end()
    const other = await open()
    const unknown = await other.call('http.fetch', { url: `${origin}/public` })
    expect(unknown.error).toMatchObject({ error_class: 'dependency_unavailable' })
    const free = await open({ robots: false })
    expect((await free.call('http.fetch', { url: `${origin}/private` })).status).toBe('succeeded')
  })

  it('follows redirects within the host, each after robots.txt, and reports others', async () => {
    robots = html('User-agent: *\nDisallow: /private', 'text/plain')
    answer = (request, response) => {
      const to = new URL(request.url!, origin).searchParams.get('to')
      if (to === null) return void html('<p>the end')(request, response)
      response.writeHead(302, { location: to }).end()
    }
    const { call } = await open()
    const go = (to: string) => call('http.fetch', { url: `${origin}/go?to=${encodeURIComponent(to)}` })
    expect(textOf(await go('/end'))).toBe(`URL: ${origin}/end\n\nthe end`)
    expect((await go('/private')).error?.message).toContain('robots.txt')
    expect((await go('http://evil.example/x')).error?.message).toBe(
      `${origin}/go?to=http%3A%2F%2Fevil.example%2Fx redirects to http://evil.example/x, which is another host; call http.fetch with that URL.`,
    )
    expect((await go('http://169.254.169.254/latest')).error?.message).toContain('another host')
    expect((await go('file:///etc/passwd')).is_error).toBe(true)
    answer = (_, response) => response.writeHead(302, { location: '/loop' }).end()
    expect((await call('http.fetch', { url: `${origin}/loop` })).error?.message).toContain(
      'one redirect to the next',
    )
    expect(asked.filter((path) => path === '/loop')).toHaveLength(6)
  })

  it('ends large bodies, bombs and slow servers', async () => {
    const { call } = await open({ maxBytes: 100_000 })
    const url = `${origin}/`
    answer = html('x'.repeat(200_000), 'text/plain')
    expect((await call('http.fetch', { url })).error).toMatchObject({
      error_code: 'toolcrib.answer_too_large',
    })
    const bomb = gzipSync(Buffer.alloc(50_000_000))
    answer = (_, response) =>
      response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' }).end(bomb)
    expect((await call('http.fetch', { url })).error).toMatchObject({
      error_code: 'toolcrib.answer_too_large',
    })
    answer = (_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).write('<p>slow')
    const hasty = await open({ timeoutMs: 300 })
    expect(await hasty.call('http.fetch', { url })).toMatchObject({ status: 'timed_out' })
    robots = () => {}
    const other = await open({ timeoutMs: 300 })
    expect(await other.call('http.fetch', { url })).toMatchObject({ status: 'timed_out' })
  })

  it('reports what a server refuses', async () => {
    answer = (_, response) =>
      response.writeHead(404, { 'content-type': 'text/html' }).end('<title>Nothing here</title>')
    const { call } = await open()
    const { error } = await call('http.fetch', { url: `${origin}/none` })
    expect(error?.message).toContain('answered 404 Not Found: Nothing here')
  })

  it.each(['notaurl', 'ftp://a.example/', 'file:///etc/passwd', 'http://a:b@a.example/', 'data:text/html,x'])(
    'refuses %s before anything is sent',
    async (url) => {
      const { call } = await open()
      expect(await call('http.fetch', { url })).toMatchObject({ error: { error_class: 'invalid_arguments' } })
      expect(asked).toEqual([])
    },
  )

  it('reaches this machine and its network only where the settings name the host', async () => {
    const { call } = await open({ hosts: [] })
    const { port } = new URL(origin)
    for (const host of [
      '127.0.0.1',
      'localhost',
      '[::1]',
      '2130706433',
      '0x7f.1',
      '[::ffff:127.0.0.1]',
      '10.0.0.1',
    ])
      expect(await call('http.fetch', { url: `http://${host}:${port}/` })).toMatchObject({
        error: { error_class: 'setup_required', message: expect.stringContaining('hosts of builtins.fetch') },
      })
    const other = await open({ hosts: [`127.0.0.1:${Number(port) + 1}`] })
    expect((await other.call('http.fetch', { url: `${origin}/` })).is_error).toBe(true)
    expect(asked).toEqual([])
  })

  it('checks the address that a name has when it connects', async () => {
    const dns = await startDns()
    dns.zone.set('rebound.example', (question) =>
      question === 0 ? ['93.184.215.14', '127.0.0.1'] : ['127.0.0.1'],
    )
    dns.zone.set('metadata.example', ['169.254.169.254'])
    const opened = openFetch({}, { resolveName: dns.resolveName })
    const source: Source = {
      name: 'builtin:fetch',
      list: async () => opened.drafts,
      close: async () => opened.close?.(),
    }
    const { call } = await openSet(source)
    for (const name of ['rebound', 'metadata'])
      expect(
        await call('http.fetch', { url: `http://${name}.example:${new URL(origin).port}/` }),
      ).toMatchObject({
        error: { error_class: 'setup_required' },
      })
    expect(asked).toEqual([])
    await dns.stop()
  })

  it('meets domain rules as a coding agent writes them', async () => {
    answer = html('<p>page')
    const { call } = await open(
      { hosts: ['127.0.0.1', 'localhost'] },
      { permission: { allow: ['WebFetch(domain:127.0.0.1)'], deny: ['WebFetch(domain:localhost)'] } },
    )
    expect((await call('http.fetch', { url: `${origin}/` })).status).toBe('succeeded')
    expect(await call('http.fetch', { url: origin.replace('127.0.0.1', 'localhost') })).toMatchObject({
      status: 'denied',
    })
  })
})
