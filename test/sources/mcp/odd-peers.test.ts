import { execFileSync, spawn } from 'node:child_process'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import type { JsonObject } from '../../../src/sources/mcp/protocol/json-rpc.js'
import { until } from '../../until.js'
import { isRunning } from '../../is-running.js'
import { oddServer, open, program, serve, textOf } from './open.js'

const lost = (mayHaveRun: boolean) => ({ name: 'ConnectionLost', mayHaveRun })

test.each(['ends-when-probed', 'silent-when-probed', 'garbage'])(
  'a program that %s still works',
  async (way) => {
    const { connection } = await open(program(oddServer, way))
    expect(connection.facts.era).toBe('legacy')
    expect(await textOf(connection, 'echo')).toBe('echo')
  },
)

test('over the SSE transport of 2024-11-05, an oversized answer fails its request only, and one without a known id closes the stream', async () => {
  let stream: ServerResponse | undefined
  const posted: JsonObject[] = []
  const say = (data: unknown) => stream!.write(`event: message\ndata: ${JSON.stringify(data)}\n\n`)
  const large = 'x'.repeat(300_000)
  const answers: Record<string, (id: unknown) => unknown> = {
    initialize: (id) =>
      say({
        jsonrpc: '2.0',
        id,
        result: { protocolVersion: '2024-11-05', capabilities: {}, serverInfo: { name: 's', version: '1' } },
      }),
    large: (id) => say({ jsonrpc: '2.0', id, result: { large } }),
    small: (id) => say({ jsonrpc: '2.0', id, result: {} }),
    asks: (id) => {
      say({ jsonrpc: '2.0', id: 'big', method: 'ping', params: { large } })
      say({ jsonrpc: '2.0', method: 'notifications/message', params: { large } })
      say({ jsonrpc: '2.0', id, result: {} })
    },
    unknown: () => say({ jsonrpc: '2.0', result: { large } }),
  }
  const url = await serve((request, response) => {
    if (request.method === 'GET') {
      stream = response.writeHead(200, { 'content-type': 'text/event-stream' })
      return void response.write('event: endpoint\ndata: /post\n\n')
    }
    void json(request).then((value) => {
      const message = value as JsonObject
      posted.push(message)
      response.writeHead(202).end()
      answers[String(message['method'])]?.(message['id'])
    })
  })
  const { connection } = await open({ url, type: 'sse', maxMessageBytes: 200_000 })
  const waits = expect(connection.request('hang', {})).rejects.toMatchObject(lost(true))
  await expect(connection.request('large', {})).rejects.toMatchObject({
    mayHaveRun: true,
    message: expect.stringContaining('"maxMessageBytes"') as string,
  })
  await connection.request('small', {})
  await connection.request('asks', {})
  await until(() => posted.some(({ id, error }) => id === 'big' && error !== undefined))
  await expect(connection.request('unknown', {})).rejects.toThrow(
    /^A message of the server could not be read, and it does not say whose answer it is\. .*"maxMessageBytes"/,
  )
  await waits
})

test('lines that are no messages are shown and ignored', async () => {
  const { stderr } = await open(program(oddServer, 'garbage'))
  expect(stderr()).toContain('(not a message, ignored) Welcome!')
})

test('a program that cannot be started, is silent or uses an unknown revision fails with a sentence', async () => {
  await expect(open({ command: '/no/such/program' })).rejects.toThrow(
    'The program "/no/such/program" could not be started (ENOENT).',
  )
  await expect(
    open(program(oddServer, 'silent'), { signal: AbortSignal.timeout(300) }),
  ).rejects.toMatchObject({
    name: 'TimeoutError',
  })
  await expect(open(program(oddServer, 'future'))).rejects.toThrow('The server uses "2031-01-01"')
  await expect(open({ url: 'ftp://example.com' })).rejects.toThrow('needs a "command", or a "url"')
})

test('endless output closes the connection', async () => {
  const settings = { ...program(oddServer, 'endless'), maxMessageBytes: 1_000_000 }
  await expect(open(settings)).rejects.toThrow('more than 1000000 bytes')
})

test('an answer that is too long closes the connection, and one below the limit does not', async () => {
  const { connection } = await open({ ...program(oddServer, 'plain'), maxMessageBytes: 1_000_000 })
  expect((await textOf(connection, 'large', { bytes: 900_000 })).length).toBe(900_000)
  await expect(textOf(connection, 'large', { bytes: 1_100_000 })).rejects.toMatchObject(lost(true))
})

test('an answer with too many values fails its request only, and names the setting that raises the limit', async () => {
  const { connection, stderr } = await open({ ...program(oddServer, 'plain'), maxMessageValues: 50_000 })
  const call = (name: string, rows: number) =>
    connection.request('tools/call', { name, arguments: { rows } }).then(({ result }) => result)
  expect(((await call('rows', 10_000)) as { rows: unknown[] }).rows).toHaveLength(10_000)
  const waiting = expect(textOf(connection, 'hang')).rejects.toMatchObject(lost(true))
  const refusal = { mayHaveRun: true, message: expect.stringContaining('"maxMessageValues"') }
  await expect(call('rows', 20_000)).rejects.toMatchObject(refusal)
  expect(stderr()).toContain('has more than 50000 values')
  await textOf(connection, 'ask-rows', { rows: 60_000 })
  expect(JSON.parse(await textOf(connection, 'answers'))).toMatchObject([
    { id: 'big', error: { code: -32600, message: 'The message has more than 50000 values.' } },
  ])
  await connection.close()
  await waiting
})

test('a second answer to the same request is dropped', async () => {
  const { connection } = await open(program(oddServer, 'plain'))
  expect(await textOf(connection, 'twice')).toBe('first')
  expect(await textOf(connection, 'echo')).toBe('echo')
})

test('a program that dies fails every pending request', async () => {
  const { connection } = await open(program(oddServer, 'plain'))
  const waiting = textOf(connection, 'hang')
  await expect(textOf(connection, 'die')).rejects.toMatchObject(lost(true))
  await expect(waiting).rejects.toThrow('exit code 7')
})

test('a program gets the default variables, those that are named, and its own', async () => {
  process.env['PEER_SECRET'] = 'secret'
  process.env['PEER_SHARED'] = 'shared'
  const { connection } = await open({
    ...program(oddServer, 'plain'),
    env: { PEER_OWN: 'own' },
    inheritEnv: ['PEER_SHARED'],
  })
  const environment = JSON.parse(await textOf(connection, 'environment')) as Record<string, string>
  expect(environment).toMatchObject({ PEER_OWN: 'own', PEER_SHARED: 'shared' })
  expect(environment['PEER_SECRET']).toBeUndefined()
})

test.each(['plain', 'stubborn', 'parent'])('closing leaves nothing of a program that is %s', async (way) => {
  const { connection, stderr } = await open(program(oddServer, way))
  if (way === 'parent') await until(() => stderr().includes('child '))
  const child = Number(/child (\d+)/.exec(stderr())?.[1] ?? connection.pid)
  await connection.close()
  expect(isRunning(connection.pid!)).toBe(false)
  await until(() => !isRunning(child))
})

test.each(['exit', 'kill'])('no program stays behind when this process ends by %s', async (end) => {
  const script = fileURLToPath(new URL('children/hold-connection.mjs', import.meta.url))
  const holder = spawn(process.execPath, [script, oddServer, end], { stdio: ['ignore', 'pipe', 'inherit'] })
  const pid = await new Promise<number>((resolve) =>
    holder.stdout.once('data', (text) => resolve(Number(text))),
  )
  const gone = new Promise((resolve) => holder.once('exit', resolve))
  if (end === 'kill') holder.kill('SIGKILL')
  await gone
  await until(() => !isRunning(pid))
  const left = execFileSync('ps', ['-A', '-o', 'pid=,stat=']).toString().split('\n')
  expect(left.filter((line) => new RegExp(`^ *${pid} +[^Z]`).test(line))).toEqual([])
})

const reply = (id: unknown, result: unknown) => JSON.stringify({ jsonrpc: '2.0', id, result })
const greeting = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  serverInfo: { name: 'fake', version: '1' },
}

/** A peer with a correct handshake that then answers calls as the test says. */
function greeter(answer: (id: unknown, response: ServerResponse, request: IncomingMessage) => void) {
  return serve(async (request, response) => {
    if (request.method !== 'POST') return void response.writeHead(405).end()
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const { id, method } = JSON.parse(Buffer.concat(parts).toString()) as { id: unknown; method: string }
    if (method === 'initialize') {
      response.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': 's-1' })
      response.end(reply(id, greeting))
    } else if (method === 'server/discover') response.writeHead(400).end('no')
    else if (id === undefined) response.writeHead(202).end()
    else answer(id, response, request)
  })
}

test('a session that the server has forgotten closes the connection; the request did not run', async () => {
  const url = await greeter((_, response) => response.writeHead(404).end())
  const { connection } = await open({ url })
  expect(connection.facts.sessionId).toBe('s-1')
  await expect(textOf(connection, 'echo')).rejects.toMatchObject(lost(false))
  expect(await new Promise((resolve) => connection.onClosed(resolve))).toBe(
    'The server has forgotten the session.',
  )
})

test.each([
  [
    'a redirect',
    (response: ServerResponse) => response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end(),
    /redirect/,
    true,
  ],
  [
    'a page',
    (response: ServerResponse) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>'),
    /"text\/html"/,
    true,
  ],
  [
    'an error of HTTP',
    (response: ServerResponse) => response.writeHead(502).end('bad gateway'),
    /HTTP 502: bad gateway/,
    true,
  ],
  [
    'half an answer',
    (response: ServerResponse) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.write('{"json')
      setTimeout(() => response.destroy(), 20)
    },
    /broke/,
    true,
  ],
  [
    'a stream without a result',
    (response: ServerResponse) =>
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(': nothing\n\n'),
    /without a result/,
    true,
  ],
] as const)('%s in place of an answer is reported as such', async (_, answer, sentence, mayHaveRun) => {
  const url = await greeter((_id, response) => void answer(response))
  const { connection } = await open({ url })
  const error = await textOf(connection, 'echo').catch((failure: unknown) => failure)
  expect(error).toMatchObject(lost(mayHaveRun))
  expect((error as Error).message).toMatch(sentence)
})

test('an endless stream is bounded', async () => {
  const url = await greeter((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const timer = setInterval(() => response.write('x'.repeat(65536)), 1)
    response.once('close', () => clearInterval(timer))
  })
  const { connection } = await open({ url, maxMessageBytes: 500_000 })
  await expect(textOf(connection, 'echo')).rejects.toThrow('longer than 500000 bytes')
})

test('a refusal is passed to the credentials, and the request is retried if they say so', async () => {
  const seen: unknown[] = []
  const url = await greeter((id, response, request) => {
    seen.push(request.headers.authorization)
    if (request.headers.authorization === 'Bearer new')
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(reply(id, { content: [{ text: 'in' }] }))
    else response.writeHead(401, { 'www-authenticate': 'Bearer scope="x"' }).end()
  })
  let token = 'old'
  const refusals: unknown[] = []
  const credentials = {
    origin: new URL(url).origin,
    proof: async () => ({ headers: { authorization: `Bearer ${token}` } }),
    refused: async (answer: unknown) => {
      refusals.push(answer)
      token = 'new'
      return 'retry' as const
    },
  }
  const { connection } = await open({ url }, { credentials })
  expect(await textOf(connection, 'echo')).toBe('in')
  expect(seen).toEqual(['Bearer old', 'Bearer new'])
  expect(refusals).toMatchObject([{ status: 401, wwwAuthenticate: 'Bearer scope="x"' }])
})

test('an address without a server cannot be reached', async () => {
  await expect(open({ url: 'http://127.0.0.1:9/mcp' })).rejects.toThrow('cannot be reached: ECONNREFUSED')
})

test('the stream of a session is resumed where it broke, and questions on it are answered', async () => {
  const lastEventIds: unknown[] = []
  const answers: unknown[] = []
  const url = await serve(async (request, response) => {
    if (request.method === 'GET') {
      lastEventIds.push(request.headers['last-event-id'])
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const message =
        lastEventIds.length === 1
          ? { method: 'notifications/tools/list_changed' }
          : { id: 'q', method: 'sampling/createMessage', params: {} }
      response.write(
        `id: e-${lastEventIds.length}\nretry: 10\ndata: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`,
      )
      if (lastEventIds.length === 1) response.end()
      return
    }
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const message =
      parts.length === 0 ? {} : (JSON.parse(Buffer.concat(parts).toString()) as Record<string, unknown>)
    if (message['id'] === 'q') answers.push(message)
    if (message['method'] === 'server/discover') return void response.writeHead(400).end('no')
    if (message['method'] !== 'initialize') return void response.writeHead(202).end()
    response.writeHead(200, { 'content-type': 'application/json' }).end(reply(message['id'], greeting))
  })
  const { notifications } = await open({ url })
  await until(() => answers.length > 0)
  expect(lastEventIds.slice(0, 2)).toEqual([undefined, 'e-1'])
  expect(notifications).toEqual([{ method: 'notifications/tools/list_changed', params: {} }])
  expect(answers[0]).toMatchObject({
    error: {
      code: -32601,
      message: 'There is no client behind this that could answer sampling/createMessage.',
    },
  })
})

test('a question without a request goes to the handler for those', async () => {
  const { connection } = await open(program(oddServer, 'asks'), {
    answer: async ({ method }) => ({
      role: 'assistant',
      model: method,
      content: { type: 'text', text: 'x' },
    }),
  })
  let answers: unknown[] = []
  while (answers.length < 3) answers = JSON.parse(await textOf(connection, 'answers')) as unknown[]
  expect(answers).toMatchObject([
    { id: 'ping', result: {} },
    { id: 'sample', result: { model: 'sampling/createMessage' } },
    { id: 'roots', result: { model: 'roots/list' } },
  ])
})

test('a program that writes only short lines of noise is closed', async () => {
  await expect(open({ command: 'yes' })).rejects.toThrow('a lot to its standard output that is no messages')
})
