import { describe, expect, it } from 'vitest'
import { until } from '../../until.js'
import { bare, documentOf, openTools, writeDocument, type Document } from './open-tools.js'
import { startApi, type Answer } from './start-api.js'

const KEY = { name: 'Idempotency-Key', in: 'header', required: true, schema: { type: 'string' } }
const BODY = {
  requestBody: {
    content: { 'application/json': { schema: { type: 'object', additionalProperties: true } } },
  },
}

const PATHS: Document = {
  '/thing': {
    get: bare('getThing'),
    head: bare('headThing'),
    options: bare('optionsThing'),
    put: bare('putThing', BODY),
    post: bare('postThing', BODY),
    patch: bare('patchThing', BODY),
    delete: bare('deleteThing'),
  },
  '/orders': { post: bare('order', { ...BODY, parameters: [KEY] }) },
}

async function open(answer: Answer, settings: object = {}, options: object = {}) {
  const api = await startApi(answer)
  const document = writeDocument(documentOf(PATHS))
  return { api, ...(await openTools({ document, server: api.url, ...settings }, options)) }
}

/** Fails with the status as often as the test says, then succeeds. */
function failing(status: number, { times = Infinity, headers = {} } = {}): Answer {
  let count = 0
  return (_, response) => {
    if (++count > times) return { ok: true }
    response.writeHead(status, headers).end()
    return undefined
  }
}

describe('a failed attempt', () => {
  it.each(['getThing', 'headThing', 'optionsThing', 'putThing', 'deleteThing'])(
    'of %s is repeated, and the record says how often',
    async (name) => {
      const { api, crib, call } = await open(failing(503, { times: 2 }))
      const called = call(name)
      expect(await called).toMatchObject({ status: 'succeeded' })
      expect(api.requests).toHaveLength(3)
      expect((await crib.invocation(called.invocationId))?.toolcrib).toMatchObject({ attempts: 3 })
    },
  )

  it.each([
    ['postThing', 503],
    ['postThing', 500],
    ['patchThing', 503],
    ['patchThing', 502],
  ])('of %s with the status %i is not repeated: its effect might happen twice', async (name, status) => {
    // Also where the crib repeats whatever may be repeated.
    const { api, call } = await open(failing(status), {}, { retries: { max: 3, baseMs: 1 } })
    const { error } = await call(name, { body: {} })
    expect(error).toMatchObject({
      error_class: status === 500 ? 'execution_failed' : 'dependency_unavailable',
      toolcrib: { retry: { safe: false } },
    })
    expect(api.requests).toHaveLength(1)
  })

  it('of an operation with an idempotency key is repeated with the same key', async () => {
    const { api, call } = await open(failing(503, { times: 2 }))
    expect(await call('order', { body: {} })).toMatchObject({ status: 'succeeded' })
    const keys = api.requests.map(({ headers }) => headers['idempotency-key'])
    expect(keys).toHaveLength(3)
    expect(new Set(keys).size).toBe(1)
    expect(keys[0]).toMatch(/\S{10}/)
    await call('order', { body: {} })
    await call('order', { body: {}, 'Idempotency-Key': 'my-own-key' })
    const [other, own] = api.requests.slice(3).map(({ headers }) => headers['idempotency-key'])
    expect(other).not.toBe(keys[0])
    expect(own).toBe('my-own-key')
  })

  it('is repeated only if the config says that it may be', async () => {
    const operations = { postThing: { idempotent: true }, putThing: { idempotent: false } }
    const { api, call } = await open(failing(503), { operations })
    await call('postThing', { body: {} })
    expect(api.requests).toHaveLength(3)
    await call('putThing', { body: {} })
    expect(api.requests).toHaveLength(4)
  })

  it('is repeated after the wait that the API asks for', async () => {
    const { call, crib } = await open(failing(429, { times: 1, headers: { 'retry-after': '1' } }))
    const called = call('getThing')
    expect(await called).toMatchObject({ status: 'succeeded' })
    const events = []
    for await (const event of crib.events({ invocation: called.invocationId })) events.push(event)
    const failed = events.find((event) => event.event_type === 'toolcrib.invocation.attempt_failed')
    expect(failed?.data).toMatchObject({ error: { error_class: 'rate_limited' }, retry_in_ms: 1000 })
  })

  it.each([
    [429, { 'retry-after': () => new Date(Date.now() + 3_600_000).toUTCString() }],
    [503, { 'retry-after': () => '3600' }],
    [
      403,
      {
        'x-ratelimit-remaining': () => '0',
        'x-ratelimit-reset': () => String(Math.ceil(Date.now() / 1000) + 3600),
      },
    ],
  ])('with the status %i is not repeated where the API asks for a long wait', async (status, given) => {
    const headers = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, value()]))
    const { api, call } = await open(failing(status, { headers }))
    const { error } = await call('getThing')
    expect(error?.error_class).toBe(status === 503 ? 'dependency_unavailable' : 'rate_limited')
    expect(error?.retry_after).toBeGreaterThan(3_590)
    expect(error?.retry_after).toBeLessThanOrEqual(3_601)
    expect(api.requests).toHaveLength(1)
  })
})

describe('a call that takes too long', () => {
  const hanging: Answer = () => undefined

  it('of an operation that only reads ends with a timeout, and may be sent again', async () => {
    const { call } = await open(hanging, { timeoutMs: 50, operations: { getThing: { timeoutMs: 20 } } })
    const { status, error } = await call('getThing', {}, { retries: 0 })
    expect({ status, error }).toMatchObject({
      status: 'timed_out',
      error: { error_class: 'timeout', toolcrib: { retry: { safe: true } } },
    })
  })

  it('of an operation that writes ends with a timeout, and may have happened', async () => {
    const { api, call } = await open(hanging, { timeoutMs: 50 })
    const { error } = await call('postThing', { body: {} })
    expect(error).toMatchObject({
      error_class: 'timeout',
      recoverability: 'inspect_first',
      toolcrib: { retry: { safe: false } },
    })
    expect(error?.message).toMatch(/may still have an effect/)
    expect(api.requests).toHaveLength(1)
  })
})

describe('a cancelled call', () => {
  /** Never answers, and remembers whether its connection was closed. */
  function startHanging() {
    const seen = { closed: 0 }
    const answer: Answer = (_, response) => {
      response.on('close', () => seen.closed++)
      return undefined
    }
    return { seen, answer }
  }

  it('closes its connection', async () => {
    const { seen, answer } = startHanging()
    const { api, call } = await open(answer)
    const called = call('getThing')
    await until(() => api.requests.length === 1, 'the request arrives')
    called.cancel()
    expect(await called).toMatchObject({ status: 'canceled', error: { error_class: 'canceled' } })
    await until(() => seen.closed === 1, 'the connection is closed')
  })

  it('of an operation that writes says that nothing confirms its end', async () => {
    const { seen, answer } = startHanging()
    const { api, call } = await open(answer)
    const called = call('postThing', { body: {} })
    await until(() => api.requests.length === 1, 'the request arrives')
    called.cancel()
    const { error } = await called
    expect(error).toMatchObject({
      error_code: 'toolcrib.cancel_failed',
      toolcrib: { retry: { safe: false } },
    })
    expect(error?.message).toMatch(/may still have an effect/)
    await until(() => seen.closed === 1, 'the connection is closed')
  })

  it('closes its connection also while a long answer is read', async () => {
    let isClosed = false
    let sent = 0
    const { call } = await open((_, response) => {
      response.on('close', () => (isClosed = true))
      response.writeHead(200, { 'content-type': 'application/octet-stream' })
      const part = Buffer.alloc(256 * 1024, 1)
      const send = (): void => {
        sent += part.length
        if (!response.destroyed) response.write(part, () => setImmediate(send))
      }
      send()
      return undefined
    })
    const called = call('getThing')
    await until(() => sent > 8 * 1024 * 1024, 'the answer is streamed')
    called.cancel()
    expect((await called).status).toBe('canceled')
    await until(() => isClosed, 'the connection is closed')
  })
})
