import { PassThrough } from 'node:stream'
import { afterEach, expect, test } from 'vitest'
import { serveStdio } from '../../../src/edges/mcp/stdio/serve-stdio.js'
import { until } from '../../until.js'
import { createStubGateway } from './http/stub-gateway.js'

const closing: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** A server on a pipe within this process. */
function openPipe() {
  const input = new PassThrough()
  const output = new PassThrough()
  const problems: unknown[] = []
  const gateway = createStubGateway()
  const server = serveStdio({
    gateway,
    caller: { actor: 'ann' },
    input,
    output,
    onProblem: (problem) => problems.push(problem),
  })
  closing.push(async () => {
    await server.close()
    expect(gateway.sessions.size).toBe(0)
  })
  let text = ''
  output.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
  return {
    gateway,
    problems,
    /** Writes all bytes at once, as a client that does not wait does. */
    write: (bytes: Buffer) => void input.write(bytes),
    say: (...messages: unknown[]) =>
      void input.write(messages.map((message) => `${JSON.stringify(message)}\n`).join('')),
    async answers(count: number): Promise<Record<string, unknown>[]> {
      await until(() => text.split('\n').length > count)
      return text
        .split('\n')
        .slice(0, count)
        .map((line) => JSON.parse(line) as Record<string, unknown>)
    },
  }
}

function request(id: number, method: string, params: object = {}) {
  return { jsonrpc: '2.0', id, method, params }
}

function initialize(protocolVersion: string) {
  const clientInfo = { name: 'pipe', version: '1' }
  return request(0, 'initialize', { protocolVersion, capabilities: {}, clientInfo })
}

const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' }

test('requests right after initialize are served after it', async () => {
  const { say, answers, gateway } = openPipe()
  say(
    initialize('2025-11-25'),
    initialized,
    request(1, 'tools/list'),
    request(2, 'tools/call', { name: 'echo' }),
  )
  const [first, ...others] = await answers(3)
  expect(first).toMatchObject({ id: 0, result: { serverInfo: { name: 'stub' } } })
  expect(others).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ id: 1, result: expect.anything() }),
      expect.objectContaining({ id: 2, result: expect.anything() }),
    ]),
  )
  gateway.announce('notifications/tools/list_changed')
  expect((await answers(4))[3]).toMatchObject({ method: 'notifications/tools/list_changed' })
})

test('invalid UTF-8 is answered with an error, also in pieces, and later messages are read', async () => {
  const { say, write, answers } = openPipe()
  const line = Buffer.from(`${JSON.stringify(request(1, 'ping', { text: 'é' }))}\n`)
  write(line.map((byte) => (byte === 0xc3 ? 0xff : byte)) as Buffer)
  const middle = line.indexOf(0xc3) + 1
  write(line.subarray(0, middle))
  write(line.subarray(middle))
  say(request(2, 'ping'))
  expect(await answers(3)).toMatchObject([
    { id: null, error: { code: -32_700 } },
    { id: 1, result: {} },
    { id: 2, result: {} },
  ])
})

test('batches are only accepted in 2025-03-26', async () => {
  for (const [revision, answer] of [
    ['2025-03-26', [{ id: 1, result: {} }]],
    ['2025-06-18', { id: null, error: { code: -32_600 } }],
  ] as const) {
    const { say, answers } = openPipe()
    say(initialize(revision), [request(1, 'ping')])
    expect((await answers(2))[1]).toMatchObject(answer)
  }
})

test('the text of an internal error is not sent to the client', async () => {
  const { say, answers, problems } = openPipe()
  say(initialize('2025-11-25'), request(1, 'tools/call', { name: 'broken' }))
  expect((await answers(2))[1]).toMatchObject({
    id: 1,
    error: { code: -32_603, message: expect.not.stringContaining('inside') },
  })
  expect(problems).toMatchObject([{ message: 'an internal detail' }])
})

test('a message that cannot be written does not affect others', async () => {
  const { say, answers } = openPipe()
  say(initialize('2025-03-26'))
  await answers(1)
  say([request(1, 'tools/call', { name: 'deep' }), request(2, 'ping')])
  expect((await answers(2))[1]).toMatchObject([
    { id: 1, error: { message: expect.stringContaining('nested too deeply') } },
    { id: 2, result: {} },
  ])
  say(request(3, 'tools/call', { name: 'deep_notice' }))
  expect((await answers(3))[2]).toMatchObject({ id: 3, result: {} })
})
