import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { text as readText } from 'node:stream/consumers'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { until } from '../until.js'
import { ask, openClient, toRequest, type Asked } from './ask-api.js'
import { startRawServer, startServer, type RawServer } from './start-server.js'

/** A server that answers each request with these bytes, and keeps the connection open. */
const sends = (...parts: (string | Buffer)[]): Promise<RawServer> =>
  startRawServer((socket) => parts.forEach((part) => socket.write(part)))

/** The same, and then it closes the connection. */
const sendsAndCloses = (...parts: (string | Buffer)[]): Promise<RawServer> =>
  startRawServer((socket) => socket.end(Buffer.concat(parts.map((part) => Buffer.from(part)))))

const asked = async (server: Promise<RawServer>, more?: Asked): Promise<string> =>
  ask(openClient(), (await server).origin, more)

const response = (headers: string, body: string | Buffer = ''): Buffer =>
  Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\n${headers}\r\n\r\n`), Buffer.from(body)])

const withLength = (body: string | Buffer, headers = ''): Buffer =>
  response(`${headers}content-length: ${Buffer.byteLength(body)}`, body)

describe('the form of a response', () => {
  it.each<[string, Buffer, string]>([
    ['with a length', withLength('hello'), '200 hello'],
    ['without a body', withLength(''), '200'],
    [
      'in chunks',
      response('transfer-encoding: chunked', '2\r\nhe\r\n3;a=b\r\nllo\r\n0\r\n\r\n'),
      '200 hello',
    ],
    [
      'with trailers',
      response('transfer-encoding: chunked\r\ntrailer: x', '2\r\nhe\r\n0\r\nx: y\r\n\r\n'),
      '200 he',
    ],
    [
      'after hints',
      Buffer.concat([Buffer.from('HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'), withLength('a')]),
      '200 a',
    ],
    [
      'after several interim responses',
      Buffer.concat([Buffer.from('HTTP/1.1 102 P\r\n\r\n'.repeat(20)), withLength('a')]),
      '200 a',
    ],
    [
      'with 100 headers',
      withLength('a', Array.from({ length: 100 }, (_, at) => `x-${at}: ${at}\r\n`).join('')),
      '200 a',
    ],
    ['with 25 KB of headers', withLength('a', `x: ${'y'.repeat(25_000)}\r\n`), '200 a'],
    [
      'with lines that end in LF only',
      Buffer.from('HTTP/1.1 200 OK\ncontent-length: 1\n\na'),
      'bad_response+',
    ],
    [
      'of HTTP/1.0',
      Buffer.from('HTTP/1.0 200 OK\r\nconnection: keep-alive\r\ncontent-length: 1\r\n\r\na'),
      '200 a',
    ],
    ['204', Buffer.from('HTTP/1.1 204 No Content\r\ncontent-encoding: gzip\r\n\r\n'), '204'],
    ['304', Buffer.from('HTTP/1.1 304 Not Modified\r\ncontent-length: 99999999\r\n\r\n'), '304'],
  ])('%s is read', async (_, bytes, result) => {
    expect(await asked(sends(bytes))).toBe(result)
  })

  it('is read also where the server does not read the whole request', async () => {
    const server = startRawServer((socket) => {
      socket.pause()
      socket.end('HTTP/1.1 413 Too Large\r\nconnection: close\r\ncontent-length: 3\r\n\r\nbig')
    })
    expect(await asked(server, { method: 'POST', body: Buffer.alloc(20_000_000) })).toBe('413 big')
  })

  it('gets a body that ends with the connection', async () => {
    expect(await asked(sendsAndCloses('HTTP/1.0 200 OK\r\n\r\nhel', 'lo'))).toBe('200 hello')
    expect(await asked(sendsAndCloses('HTTP/1.1 200 OK\r\nconnection: close\r\n\r\nhello'))).toBe('200 hello')
  })

  it('has no body after HEAD, although its headers announce one', async () => {
    const head = { method: 'HEAD' }
    expect(await asked(sends(response('content-length: 999999999')), head)).toBe('200')
    expect(await asked(sends(response('content-encoding: gzip\r\ncontent-length: 5')), head)).toBe('200')
    expect(await asked(sends(response('transfer-encoding: chunked')), head)).toBe('200')
  })

  it('keeps repeated headers apart and is safe from names of objects', async () => {
    const bytes = withLength('', 'set-cookie: a\r\nset-cookie: b\r\n__proto__: c\r\nconstructor: d\r\n')
    const { headers } = await openClient().request(toRequest((await sends(bytes)).origin))
    expect(headers['set-cookie']).toEqual(['a', 'b'])
    expect(Object.hasOwn(headers, '__proto__')).toBe(true)
    expect(Object.getPrototypeOf(headers)).toBe(Object.prototype)
  })
})

describe('a response that is wrong', () => {
  it.each<[string, string | Buffer, string]>([
    ['is no HTTP', 'SSH-2.0-OpenSSH_9.6\r\n', 'bad_response+'],
    ['is HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'bad_response+'],
    ['has a header without a colon', response('abc'), 'bad_response+'],
    ['has two lengths', response('content-length: 1\r\ncontent-length: 2', 'ab'), 'connection_lost+'],
    ['has a negative length', response('content-length: -1'), 'bad_response+'],
    [
      'has a length and chunks',
      response('content-length: 1\r\ntransfer-encoding: chunked', '1\r\na\r\n0\r\n\r\n'),
      'connection_lost+',
    ],
    ['has a chunk without a size', response('transfer-encoding: chunked', 'x\r\na\r\n'), 'bad_response+'],
    [
      'switches the protocol',
      'HTTP/1.1 101 S\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
      'connection_lost+',
    ],
    [
      'says that it waits for a body, unasked',
      `HTTP/1.1 100 Continue\r\n\r\n${withLength('a').toString()}`,
      'connection_lost+',
    ],
    ['has headers that are too long', response(`x: ${'y'.repeat(40_000)}`), 'bad_response+'],
    ['has too many headers', response('x: y\r\n'.repeat(20_000)), 'bad_response+'],
    [
      'has endless trailers',
      response('transfer-encoding: chunked', `0\r\n${'x: y\r\n'.repeat(20_000)}`),
      'bad_response+',
    ],
  ])('because it %s fails the request', async (_, bytes, result) => {
    expect(await asked(sends(bytes))).toBe(result)
  })

  it.each<[string, string | Buffer, string]>([
    ['before its first byte', '', 'no_response+'],
    ['within its first line', 'HTTP/1.1 2', 'connection_lost+'],
    ['within its headers', 'HTTP/1.1 200 OK\r\ncontent-le', 'connection_lost+'],
    ['within a body of known length', response('content-length: 5', 'abc'), 'connection_lost+'],
    ['within chunks', response('transfer-encoding: chunked', '5\r\nabc'), 'connection_lost+'],
    ['between chunks', response('transfer-encoding: chunked', '3\r\nabc\r\n'), 'connection_lost+'],
    [
      'within chunks of the last response',
      response('connection: close\r\ntransfer-encoding: chunked', '5\r\nabc'),
      'bad_response+',
    ],
    [
      'too early in the last response',
      response('connection: close\r\ncontent-length: 5', 'abc'),
      'connection_lost+',
    ],
  ])('because it ends %s fails the request', async (_, bytes, result) => {
    expect(await asked(sendsAndCloses(bytes))).toBe(result)
  })

  it('that is longer than it says does not become the response to another request', async () => {
    const evil = withLength('evil')
    const server = await startRawServer((socket, { connection }) =>
      socket.write(connection === 1 ? Buffer.concat([withLength('good'), evil]) : withLength('good')),
    )
    const client = openClient({ connections: 1 })
    const all = await Promise.all(Array.from({ length: 5 }, () => ask(client, server.origin)))
    expect(all.filter((said) => said !== '200 good')).toEqual([])
    expect(server.connections.length).toBeGreaterThan(1)
  })
})

describe('a slow server', () => {
  /** Writes a text in pieces of one byte, and goes on for ever with the last one. */
  const drip =
    (text: string) =>
    (socket: Socket): void => {
      let at = 0
      const timer = setInterval(() => {
        socket.write(text[Math.min(at++, text.length - 1)]!)
      }, 1)
      socket.once('close', () => clearInterval(timer))
    }

  it.each<[string, string]>([
    ['never answers', ''],
    ['writes its first line for ever', 'HTTP/1.1 200 a'],
    ['writes its headers for ever', 'HTTP/1.1 200 OK\r\na: b'],
  ])('that %s is given up in time', async (_, text) => {
    const server = await startRawServer(text === '' ? () => {} : drip(text))
    expect(await ask(openClient(), server.origin, { timeoutMs: 100 })).toMatch(/^timed_out\+?$/)
    await until(() => server.connections.every(({ closed }) => closed), 'the connection is closed')
  })

  it('that sends interim responses for ever is given up in time', async () => {
    const server = await startRawServer((socket) => {
      const timer = setInterval(() => socket.write('HTTP/1.1 102 Processing\r\n\r\n'), 1)
      socket.once('close', () => clearInterval(timer))
    })
    expect(await ask(openClient(), server.origin, { timeoutMs: 100 })).toMatch(/^timed_out\+?$/)
  })

  it('may take longer for its body than for its headers', async () => {
    const server = await startRawServer((socket) => {
      socket.write(response('content-length: 2', 'a'))
      setTimeout(() => socket.write('b'), 1100)
    })
    expect(await ask(openClient(), server.origin, { timeoutMs: 1000 })).toBe('200 ab')
  })

  it('that drips its body is read', async () => {
    const text = response('transfer-encoding: chunked', '5\r\nhello\r\n'.repeat(20)).toString()
    const server = await startRawServer(drip(`${text}0\r\n\r\n`))
    expect(await ask(openClient(), server.origin)).toBe(`200 ${'hello'.repeat(20)}`)
  })

  it('that drips its body for ever is stopped by the signal', async () => {
    const server = await startRawServer(drip('HTTP/1.1 200 OK\r\n\r\nx'))
    expect(await ask(openClient(), server.origin, { signal: AbortSignal.timeout(100) })).toMatch(
      /^stopped\+?$/,
    )
    await until(() => server.connections.every(({ closed }) => closed), 'the connection is closed')
  })

  it('gets the time of a request counted from the start, also while it waits for a connection', async () => {
    const server = await startRawServer(() => {})
    const client = openClient({ connections: 1 })
    const abort = new AbortController()
    const first = ask(client, server.origin, { signal: abort.signal })
    await until(() => server.connections.some(({ bytesRead }) => bytesRead > 0))
    expect(await ask(client, server.origin, { timeoutMs: 50 })).toBe('timed_out')
    abort.abort()
    expect(await first).toBe('stopped+')
  })
})

describe('a body', () => {
  it('comes in one piece up to a size, and as a stream from there on', async () => {
    const origin = await startServer(({ url }, reply) => {
      const length = Number(url!.slice(2))
      // "/d" declares its length.
      if (url!.startsWith('/d')) reply.setHeader('content-length', length)
      else reply.flushHeaders()
      reply.end('x'.repeat(length))
    })
    const client = openClient()
    for (const kind of ['d', 'c'])
      for (const length of [0, 999, 1000, 1001, 300_000]) {
        const { body } = await client.request(toRequest(`${origin}/${kind}${length}`, { inlineBytes: 1000 }))
        expect(Buffer.isBuffer(body), `${kind}${length}`).toBe(length <= 1000)
        expect(Buffer.isBuffer(body) ? body.toString() : await readText(body)).toBe('x'.repeat(length))
      }
  })

  it('that is streamed is read no faster than its reader reads', async () => {
    const CHUNK = Buffer.alloc(64 * 1024, 'x')
    const COUNT = 1024
    let written = 0
    const origin = await startServer(async (_, reply) => {
      for (; written < COUNT; written++)
        if (!reply.write(CHUNK)) await new Promise((drained) => reply.once('drain', drained))
      reply.end()
    })
    const { body } = await openClient().request(toRequest(origin, { inlineBytes: 1000, maxBytes: 1e9 }))
    // The kernel's buffers of both sides take some megabytes.
    let before = -1
    await until(() => before === (before = written), 'the server waits')
    expect(written).toBeLessThan(COUNT / 2)
    let bytes = 0
    for await (const chunk of body as Readable) bytes += (chunk as Buffer).length
    expect(bytes).toBe(COUNT * CHUNK.length)
  })

  it('that is not read to its end closes its connection when it is dropped', async () => {
    const server = await sends(response('content-length: 500000', 'x'.repeat(200_000)))
    const { body } = await openClient().request(toRequest(server.origin))
    ;(body as Readable).destroy()
    await until(() => server.connections.every(({ closed }) => closed), 'the connection is closed')
    expect(server.connections).toHaveLength(1)
  })

  it('that breaks off while it is streamed fails its reader', async () => {
    const server = await sendsAndCloses(response('content-length: 500000', 'x'.repeat(200_000)))
    const { body } = await openClient().request(toRequest(server.origin))
    await expect(readText(body as Readable)).rejects.toMatchObject({
      code: 'connection_lost',
      mayHaveRun: true,
    })
  })

  it('that breaks off while it has no reader ends no process', async () => {
    const server = await sendsAndCloses(response('content-length: 500000', 'x'.repeat(200_000)))
    const { body } = await openClient().request(toRequest(server.origin, { inlineBytes: 10 }))
    const stream = body as Readable
    stream.resume()
    await until(() => stream.destroyed, 'it ended')
    expect(stream.errored).toMatchObject({ code: 'connection_lost' })
  })

  it('that announces too much is refused at once', async () => {
    const server = await sends(response('content-length: 1000001'))
    expect(await ask(openClient(), server.origin)).toBe('too_long+')
    await until(() => server.connections.every(({ closed }) => closed), 'the connection is closed')
  })

  it('that becomes too long is refused then, in one piece and as a stream', async () => {
    const endless = () =>
      startRawServer((socket) => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n')
        const more = (): void => {
          while (!socket.destroyed && socket.write('x'.repeat(10_000)));
        }
        socket.on('drain', more)
        more()
      })
    const first = await endless()
    expect(await ask(openClient(), first.origin, { inlineBytes: 1e9 })).toBe('too_long+')
    await until(() => first.connections.every(({ closed }) => closed), 'the connection is closed')
    const second = await endless()
    const { body } = await openClient().request(toRequest(second.origin))
    await expect(readText(body as Readable)).rejects.toMatchObject({
      code: 'too_long',
      message: 'it answered with more than 1000000 bytes',
    })
    await until(() => second.connections.every(({ closed }) => closed), 'the connection is closed')
  })

  it('in very many small chunks is read in bounded memory', async () => {
    const CHUNKS = 60_000
    const server = await sends(
      response('transfer-encoding: chunked', `${'1\r\nx\r\n'.repeat(CHUNKS)}0\r\n\r\n`),
    )
    expect(await ask(openClient(), server.origin)).toBe(`200 ${'x'.repeat(CHUNKS)}`)
  })
})

describe('an encoded body', () => {
  const TEXT = 'hello world,'.repeat(2000)
  const ENCODINGS: Readonly<Record<string, (data: Buffer) => Buffer>> = {
    gzip: (data) => gzipSync(data),
    'x-gzip': (data) => gzipSync(data),
    'GZip ': (data) => gzipSync(data),
    br: (data) => brotliCompressSync(data),
    deflate: (data) => deflateSync(data),
    'deflate without a header': (data) => deflateRawSync(data),
  }
  const encoded = (name: string, data: string | Buffer): Buffer =>
    withLength(
      ENCODINGS[name]!(Buffer.from(data)),
      `content-encoding: ${name.replace(' without a header', '')}\r\n`,
    )

  it.each(Object.keys(ENCODINGS))('in %s is decoded, in one piece and as a stream', async (name) => {
    const server = await sends(encoded(name, TEXT))
    const client = openClient()
    const { headers, body } = await client.request(toRequest(server.origin))
    expect(body.toString()).toBe(TEXT)
    expect([headers['content-encoding'], headers['content-length']]).toEqual([undefined, undefined])
    const streamed = await client.request(toRequest(server.origin, { inlineBytes: 100 }))
    expect(await readText(streamed.body as Readable)).toBe(TEXT)
    expect(await ask(client, server.origin, { inlineBytes: TEXT.length })).toBe(`200 ${TEXT}`)
  })

  it('is no larger than allowed after decoding', async () => {
    for (const name of Object.keys(ENCODINGS)) {
      const bomb = await sends(encoded(name, Buffer.alloc(4_000_000)))
      expect(await ask(openClient(), bomb.origin, { inlineBytes: 1e9 }), name).toBe('too_long+')
      const { body } = await openClient().request(toRequest(bomb.origin))
      await expect(readText(body as Readable), name).rejects.toMatchObject({ code: 'too_long' })
    }
  })

  it('is decoded no faster than its reader reads', async () => {
    const BYTES = 50_000_000
    const bomb = await sends(encoded('gzip', Buffer.alloc(BYTES)))
    const { body } = await openClient().request(toRequest(bomb.origin, { maxBytes: BYTES }))
    const stream = body as Readable
    let before = -1
    await until(() => before === (before = stream.readableLength), 'the decoder waits')
    expect(stream.readableLength).toBeLessThan(300_000)
    let bytes = 0
    for await (const chunk of stream) bytes += (chunk as Buffer).length
    expect(bytes).toBe(BYTES)
  })

  it('is received no faster than it is decoded', async () => {
    // It cannot be compressed, so that the sender and not the decoder has most of it.
    const chunk = gzipSync(randomBytes(1_000_000))
    const COUNT = 100
    let written = 0
    const origin = await startServer(async (_, reply) => {
      reply.setHeader('content-encoding', 'gzip')
      for (; written < COUNT; written++)
        if (!reply.write(chunk)) await new Promise((drained) => reply.once('drain', drained))
      reply.end()
    })
    const { body } = await openClient().request(toRequest(origin, { maxBytes: 1e9 }))
    let before = -1
    await until(() => before === (before = written), 'the server waits')
    expect(written).toBeLessThan(COUNT / 2)
    let bytes = 0
    for await (const part of body as Readable) bytes += (part as Buffer).length
    expect(bytes).toBe(COUNT * 1_000_000)
  })

  it('is bounded before decoding too', async () => {
    const flushes = Buffer.concat([
      gzipSync('').subarray(0, 10),
      Buffer.alloc(2_000_000, '\0\0\0\xff\xff', 'latin1'),
    ])
    expect(await asked(sends(response('content-encoding: gzip', flushes)))).toBe('too_long+')
  })

  it.each<[string, Buffer, string]>([
    ['is none', withLength('hello', 'content-encoding: gzip\r\n'), 'bad_response+'],
    ['breaks off', withLength(gzipSync(TEXT).subarray(0, 40), 'content-encoding: gzip\r\n'), 'bad_response+'],
    ['is unknown', withLength('hello', 'content-encoding: zstd\r\n'), 'bad_response+'],
    [
      'is applied twice',
      withLength(gzipSync(gzipSync('a')), 'content-encoding: gzip, gzip\r\n'),
      'bad_response+',
    ],
    [
      'is named twice',
      withLength(gzipSync('a'), 'content-encoding: gzip\r\ncontent-encoding: br\r\n'),
      'bad_response+',
    ],
    ['is identity', withLength('hello', 'content-encoding: identity\r\n'), '200 hello'],
    ['is empty', withLength('hello', 'content-encoding:\r\n'), '200 hello'],
    ['has no bytes', withLength('', 'content-encoding: gzip\r\n'), '200'],
    [
      'has two members',
      withLength(Buffer.concat([gzipSync('a'), gzipSync('b')]), 'content-encoding: gzip\r\n'),
      '200 ab',
    ],
    [
      'has more after its end',
      withLength(Buffer.concat([gzipSync('a'), Buffer.from('more')]), 'content-encoding: gzip\r\n'),
      'bad_response+',
    ],
    [
      'has zeros after its end',
      withLength(Buffer.concat([gzipSync('a'), Buffer.alloc(9)]), 'content-encoding: gzip\r\n'),
      '200 a',
    ],
  ])('whose encoding %s is handled', async (_, bytes, result) => {
    expect(await asked(sends(bytes))).toBe(result)
  })

  it('that ends before the response does closes the connection', async () => {
    const server = await sends(
      response('content-encoding: deflate', Buffer.concat([deflateSync('a'), Buffer.from('more')])),
    )
    expect(await ask(openClient(), server.origin)).toBe('200 a')
    await until(() => server.connections.every(({ closed }) => closed), 'the connection is closed')
  })
})

describe('a connection that the server closes while a request is on its way', () => {
  /** Answers the first request of each connection, and closes the connection at the second. */
  const closesAtSecond = (before: string | Buffer = '') => {
    const texts: string[] = []
    const server = startRawServer((socket, { text, count, connection }) => {
      const [line, , mode] = text.split('\r\n')
      texts.push(`${connection}.${count} ${line}, ${mode}`)
      if (count === 1) socket.write(withLength('ok'))
      else socket.end(before)
    })
    return { server, texts }
  }
  const KEPT = 'HTTP/1.1, connection: keep-alive'
  const CLOSED = 'HTTP/1.1, connection: close'
  const warmUp = async (client: ReturnType<typeof openClient>, origin: string): Promise<void> => {
    expect(await ask(client, origin)).toBe('200 ok')
    await new Promise((turn) => setTimeout(turn, 5))
  }

  it.each(['GET', 'HEAD'])('is replaced by a new one for %s, once', async (method) => {
    const { server, texts } = closesAtSecond()
    const { origin } = await server
    const client = openClient({ connections: 1 })
    await warmUp(client, origin)
    expect(await ask(client, origin, { method })).toMatch(/^200/)
    const second = method === 'HEAD' ? CLOSED : KEPT
    expect(texts).toEqual([`1.1 GET / ${KEPT}`, `1.2 ${method} / ${second}`, `2.1 ${method} / ${CLOSED}`])
  })

  it('is not replaced by another one that was kept open, which may be closed too', async () => {
    const { server, texts } = closesAtSecond()
    const { origin } = await server
    const client = openClient({ connections: 2 })
    await Promise.all([warmUp(client, origin), warmUp(client, origin)])
    expect(await ask(client, origin)).toBe('200 ok')
    expect(texts.map((text) => text.slice(0, 3)).toSorted()).toEqual(['1.1', '1.2', '2.1', '3.1'])
    expect(texts).toContain(`3.1 GET / ${CLOSED}`)
  })

  it.each(['POST', 'PUT', 'DELETE', 'PATCH'])('fails %s, which may have run', async (method) => {
    const { server, texts } = closesAtSecond()
    const { origin } = await server
    const client = openClient({ connections: 1 })
    await warmUp(client, origin)
    expect(await ask(client, origin, { method, body: 'x' })).toBe('no_response+')
    expect(texts.map((text) => text.slice(0, 8))).toEqual(['1.1 GET ', `1.2 ${method} `.slice(0, 8)])
  })

  it('fails a request whose response had begun', async () => {
    const { server, texts } = closesAtSecond('HTTP/1.1 2')
    const { origin } = await server
    const client = openClient({ connections: 1 })
    await warmUp(client, origin)
    expect(await ask(client, origin)).toBe('connection_lost+')
    expect(texts).toHaveLength(2)
  })

  it('is not tried again where no connection was kept, nor a second time', async () => {
    let requests = 0
    const closing = await startRawServer((socket) => {
      requests++
      socket.destroy()
    })
    expect(await ask(openClient(), closing.origin)).toBe('no_response+')
    expect(requests).toBe(1)

    requests = 0
    const closingLater = await startRawServer((socket) => {
      if (++requests === 1) socket.write(withLength('ok'))
      else socket.destroy()
    })
    const client = openClient({ connections: 1 })
    await warmUp(client, closingLater.origin)
    expect(await ask(client, closingLater.origin)).toBe('no_response+')
    expect(requests).toBe(3)
  })

  it('is found closed before a request is sent, where it was closed before', async () => {
    const server = await startRawServer((socket, { connection }) => {
      socket.write(withLength(String(connection)))
      if (connection === 1) setTimeout(() => socket.end(), 5)
    })
    const client = openClient({ connections: 1 })
    expect(await ask(client, server.origin)).toBe('200 1')
    await until(() => server.connections.every(({ closed }) => closed), 'the connection is closed')
    expect(await ask(client, server.origin, { method: 'POST', body: 'x' })).toBe('200 2')
  })
})

describe('a server that cannot be reached', () => {
  it('has not run the request', async () => {
    const { origin } = await startRawServer(() => {})
    const { port } = new URL(origin)
    const resolveName = (
      hostname: string,
      _: unknown,
      done: (error: Error | null, found: never[]) => void,
    ) => {
      if (hostname === 'missing.example') done(Object.assign(new Error(), { code: 'ENOTFOUND' }), [])
      if (hostname === 'empty.example') done(null, [])
    }
    const client = openClient({ resolveName, connectMs: 50 })
    expect(await ask(client, 'http://127.0.0.1:1/', { method: 'POST' })).toBe('unreachable')
    expect(await ask(client, 'http://missing.example/', { method: 'POST' })).toBe('unreachable')
    expect(await ask(client, 'http://empty.example/', { method: 'POST' })).toBe('address_refused')
    // Its resolver never answers.
    expect(await ask(client, 'http://slow.example/', { method: 'POST' })).toBe('unreachable')
    expect(await ask(client, 'http://slow.example/', { timeoutMs: 1 })).toBe('timed_out')
    // It speaks no TLS.
    expect(await ask(client, `https://127.0.0.1:${port}/`, { timeoutMs: 5000 })).toBe('unreachable')
  })

  it('is described by the code of the system', async () => {
    await expect(openClient().request(toRequest('http://127.0.0.1:1/'))).rejects.toMatchObject({
      message: 'it cannot be reached (ECONNREFUSED)',
      code: 'unreachable',
      mayHaveRun: false,
    })
  })
})
