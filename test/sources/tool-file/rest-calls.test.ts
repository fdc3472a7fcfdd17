import { describe, expect, it } from 'vitest'
import { startApi, type Answer } from '../openapi/start-api.js'
import { openTools } from './open-tools.js'
import { object, restTransport, text, toolFolder } from './write-tools.js'

/** The tool "work" on an API. */
async function open(
  answer: Answer,
  given: { endpoint?: string; transport?: object; [member: string]: unknown } = {},
  settings = {},
) {
  const api = await startApi(answer)
  const folder = toolFolder()
  const { endpoint = 'POST /work', transport = {}, ...rest } = given
  folder.tool('work', {
    interface: { input: object({ id: {} }, endpoint.includes('{id}') ? ['id'] : []), output: object({}) },
    ...rest,
    transport: restTransport(`${api.url}/v1`, endpoint, transport as never),
  } as never)
  const opened = await openTools({ folder: folder.path, ...settings })
  expect(opened.problems).toEqual([])
  return { api, folder, ...opened }
}

const answering =
  (status: number, body: unknown = {}, headers: Record<string, string> = {}): Answer =>
  (_, response) =>
    void response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify(body))

describe('[AML-FILE-06] the request of a call', () => {
  it.each([
    [
      'GET /items/{id}',
      { id: 'a/b', tag: ['x', 'y'], deep: { a: 1 } },
      'GET /v1/items/a%2Fb?tag=x&tag=y&deep=%7B%22a%22%3A1%7D',
      '',
    ],
    ['HEAD /items', { q: 'a b&c' }, 'HEAD /v1/items?q=a%20b%26c', ''],
    ['DELETE /items/{id}', { id: 7, force: true }, 'DELETE /v1/items/7?force=true', ''],
    ['PUT /items/{id}', { id: 'x', name: 'n' }, 'PUT /v1/items/x', '{"name":"n"}'],
    ['POST /send', { to: ['a@b.c'], body: 'hi' }, 'POST /v1/send', '{"to":["a@b.c"],"body":"hi"}'],
    ['PATCH /send', {}, 'PATCH /v1/send', '{}'],
  ])('%s with %j', async (endpoint, input, line, body) => {
    const { api, call } = await open(() => ({}), { endpoint })
    const { error } = await call('work', input)
    expect(error).toBeUndefined()
    const [sent] = api.requests
    expect(`${sent?.method} ${sent?.url}`).toBe(line)
    expect(sent?.body).toBe(body)
  })

  it('stays in its segment of the path, and needs every value of it', async () => {
    const { api, call } = await open(() => ({}), { endpoint: 'GET /items/{id}' })
    for (const id of ['..', '.', 'a/../b', undefined])
      expect((await call('work', { id })).error?.error_class, String(id)).toMatch(/invalid|schema/)
    expect(api.requests).toEqual([])
  })

  it('replaces no value that the endpoint itself has', async () => {
    const { api, call } = await open(() => ({}), { endpoint: 'GET /items?scope=public&page%5Bsize%5D=9' })
    for (const name of ['scope', 'SCOPE', 'scope[]', 'page', 'page[size]'])
      expect((await call('work', { [name]: 'all' })).error?.message, name).toContain('has a fixed value')
    expect(api.requests).toEqual([])
    expect((await call('work', { id: 1, scoped: 'x' })).error).toBeUndefined()
    expect(api.requests[0]?.url).toBe('/v1/items?scope=public&page%5Bsize%5D=9&id=1&scoped=x')
  })

  it('carries no default of the schema', async () => {
    const input = object({ top_k: { type: 'integer', default: 5 } })
    const { api, call } = await open(() => ({}), { interface: { input, output: object({}) } })
    await call('work', {})
    expect(api.requests[0]?.body).toBe('{}')
  })

  it.each([
    [{ scheme: 'api-key', header: 'X-Key', source: 'env', name: 'KEY' }, 'x-key', 'canary-12345'],
    [{ scheme: 'bearer-token', source: 'env', name: 'KEY' }, 'authorization', 'Bearer canary-12345'],
    [{ scheme: 'service-account', source: 'env', name: 'JSON' }, 'authorization', 'Bearer canary-67890'],
  ])('carries the credential %j', async (credentials, header, value) => {
    const env = { KEY: 'canary-12345', JSON: '{"token":"canary-67890"}' }
    const { api, call, crib } = await open(() => ({}), { transport: { credentials } }, { env })
    const result = await call('work', {})
    expect(result.error).toBeUndefined()
    expect(api.requests[0]?.headers[header]).toBe(value)
    expect(JSON.stringify(crib.tool('aml.shop.work'))).not.toContain('canary')
  })
})

describe('a secret of Toolcrib itself', () => {
  it('is sent by no tool', async () => {
    const credentials = { scheme: 'bearer-token', source: 'env', name: 'TOOLCRIB_SEAL_KEY' }
    const env = { TOOLCRIB_SEAL_KEY: 'canary-seal-key' }
    const { api, call } = await open(() => ({}), { transport: { credentials } }, { env })
    expect((await call('work')).error).toMatchObject({
      error_class: 'setup_required',
      message: expect.stringContaining('TOOLCRIB_SEAL_KEY, which no tool may have') as string,
    })
    expect(api.requests).toEqual([])
  })
})

describe('an answer', () => {
  it('without a body is an object without members', async () => {
    const { call } = await open((_, response) => void response.writeHead(204).end())
    expect(await call('work')).toMatchObject({ status: 'succeeded', structured_content: {} })
  })

  it('keeps the status and the request id of the service, beside the ids of the tool', async () => {
    const { call } = await open(answering(200, {}, { 'x-request-id': 'req-1' }))
    expect((await call('work')).toolcrib!['native']).toMatchObject({
      source: 'aml',
      tool_id: 'work',
      version: '1.0.0',
      method: 'POST',
      path: '/work',
      status: 200,
      request_id: 'req-1',
    })
  })
})

describe('[AML-FILE-05] an error of the service', () => {
  const ERRORS = {
    400: { meaning: 'Malformed request', agent_action: 'Fix the parameters, do not retry' },
    429: { meaning: 'Rate limited', agent_action: 'Wait Retry-After seconds, then retry' },
  }

  it('has the meaning of its status, and says what to do', async () => {
    const { api, call } = await open(answering(400, { message: 'No name' }), { error_codes: ERRORS })
    const { error, model_facing_content: shown } = await call('work')
    const host = new URL(api.url).host
    expect(error).toMatchObject({
      error_class: 'execution_failed',
      message: `${host} answered 400 Bad Request: No name. Malformed request.`,
      native_error_ref: 'http_status:400',
      toolcrib: { retry: { advice: 'Fix the parameters, do not retry.' }, native: { status: 400 } },
    })
    expect(JSON.stringify(shown)).toContain('Fix the parameters, do not retry.')
  })

  const attempts = async (given: Record<string, unknown>, status: number) => {
    const { api, call } = await open(answering(status), given)
    await call('work')
    return api.requests.length
  }
  const writes = { type: 'action', use_guidance: { use_when: ['a'], avoid_when: ['b'], side_effects: ['c'] } }
  const policy = (retry_policy: object) => ({
    transport: { retry_policy: { backoff_ms: 1, ...retry_policy } },
  })

  it.each([
    ['a retrieval is tried three times', policy({}), 503, 3],
    ['only after a status that passes', policy({}), 500, 1],
    ['not after a refusal', policy({}), 404, 1],
    ['after the statuses of the file', policy({ on_status: [500, 404] }), 404, 3],
    ['not where the list is empty', policy({ on_status: [] }), 503, 1],
    ['as often as the file says', policy({ max_attempts: 2 }), 429, 2],
    ['an action is tried once', { ...writes, ...policy({}) }, 503, 1],
    ['unless its file says how often', { ...writes, ...policy({ max_attempts: 3 }) }, 503, 3],
    ['or its method is idempotent', { ...writes, ...policy({}), endpoint: 'PUT /work' }, 503, 3],
  ])('%s', async (_, given, status, times) => {
    expect(await attempts(given, status)).toBe(times)
  })
})

describe('an answer that is no object', () => {
  const list = { type: 'array', items: { type: 'integer' } }
  const mixed = object({ items: list, note: { type: ['string', 'null'] } })

  it.each([
    ['a list', 'application/json', '[1,2]', mixed, { items: [1, 2] }],
    ['a text', 'text/plain', 'All is well.', mixed, { note: 'All is well.' }],
    ['a number', 'application/json', '7', object({ total: { type: 'integer' } }), { total: 7 }],
    ['a list for a field without a type', 'application/json', '[1]', object({ result: {} }), { result: [1] }],
  ])('%s is the value of the only field that can hold it', async (_, type, body, output, expected) => {
    const { call } = await open(
      (_request, response) => void response.writeHead(200, { 'content-type': type }).end(body),
      { interface: { input: object({}), output } },
    )
    const { error, structured_content: structured } = await call('work')
    expect(error).toBeUndefined()
    expect(structured).toEqual(expected)
  })

  it('does not fit an output where several fields can hold it', async () => {
    const { call } = await open(() => [1], {
      interface: { input: object({}), output: object({ items: list, others: list }) },
    })
    expect((await call('work')).error?.error_code).toBe('toolcrib.output_schema_mismatch')
  })
})

describe('[AML-FILE-04] files', () => {
  const PNG = Buffer.from('\x89PNG\r\n pretend').toString('base64')
  const file = (transfer: string, more: object = {}) => ({ type: 'object', transfer, ...more })

  it('of the output are shown as media, without Base64 in the text', async () => {
    const output = object({ chart: file('inline'), report: file('ref'), title: text })
    const chart = { transfer: 'inline', filename: 'c.png', mime_type: 'image/png', content: PNG }
    const report = {
      transfer: 'ref',
      filename: 'r.pdf',
      mime_type: 'application/pdf',
      url: 'https://x.example/r',
    }
    const { call } = await open(() => ({ chart, report, title: 'T' }), {
      interface: { input: object({}), output },
    })
    const result = await call('work')
    expect(result.error).toBeUndefined()
    expect(result.structured_content).toEqual({ chart, report, title: 'T' })
    const [words, ...blocks] = result.content!
    expect(words?.text).toContain('bytes, beside this text')
    expect(words?.text).not.toContain(PNG)
    expect(blocks).toMatchObject([
      { type: 'image', data: PNG, media_type: 'image/png', name: 'c.png' },
      { type: 'resource_link', uri: 'https://x.example/r', media_type: 'application/pdf' },
    ])
    expect(result.resource_refs).toMatchObject([{ uri: 'https://x.example/r' }])
  })

  it('that are the body of an answer become the file of the output', async () => {
    const output = object({ chart: file('inline') }, ['chart'])
    const { call } = await open(
      (_, response) =>
        void response.writeHead(200, { 'content-type': 'image/png' }).end(Buffer.from(PNG, 'base64')),
      { interface: { input: object({}), output } },
    )
    const result = await call('work')
    expect(result.structured_content).toMatchObject({ chart: { mime_type: 'image/png', content: PNG } })
    expect(result.content?.map(({ type }) => type)).toEqual(['text', 'image'])
  })

  it('of the input are bounded, and take refs to stored results', async () => {
    const input = object({ doc: file('inline', { max_size_bytes: 20 }) })
    const { api, call } = await open(() => ({ text: 'stored' }), {
      interface: { input, output: object({ text }) },
    })
    const long = Buffer.alloc(21).toString('base64')
    expect((await call('work', { doc: { transfer: 'inline', content: long } })).error).toMatchObject({
      error_class: 'invalid_arguments',
      message: 'The file "doc" has 21 bytes, and at most 20 are allowed.',
    })
    expect(
      (await call('work', { doc: { transfer: 'inline', content: 'not base64!' } })).error?.message,
    ).toContain('must have its bytes as Base64')
    expect(api.requests).toEqual([])
    const first = await call('work', {})
    const ref = `toolcrib://invocations/${first.invocation_id}/output`
    const { error } = await call('work', { doc: { transfer: 'inline', content: ref } })
    expect(error).toBeUndefined()
    const sent = JSON.parse(api.requests[1]!.body) as { doc: { content: string } }
    expect(Buffer.from(sent.doc.content, 'base64').toString()).toBe('{"text":"stored"}')
  })

  it('by address are judged by rules for domains', async () => {
    const input = object({ doc: file('ref') })
    const api = await startApi(() => ({}))
    const folder = toolFolder()
    folder.tool('work', {
      interface: { input, output: object({}) },
      transport: restTransport(api.url, 'POST /work'),
    })
    const permission = { mode: 'bypass' as const, deny: ['WebFetch(domain:evil.example)'] }
    const { call } = await openTools({ folder: folder.path }, { permission })
    const doc = { transfer: 'ref', url: 'https://evil.example/x' }
    expect((await call('work', { doc })).error?.error_class).toBe('permission_denied')
    expect((await call('work', { doc: { ...doc, url: 'https://good.example/x' } })).error).toBeUndefined()
  })
})

describe('results of retrieval tools', () => {
  it('are used again for the same input where the config says so, and say it', async () => {
    const settings = { tools: { work: { cacheMs: 60_000 } } }
    const { api, call } = await open(({ body }) => JSON.parse(body) as object, {}, settings)
    await call('work', { a: 1, b: 2 })
    const again = await call('work', { b: 2, a: 1 })
    expect(again.structured_content).toEqual({ a: 1, b: 2 })
    expect(again.toolcrib!['native']).toMatchObject({ cached: true })
    await call('work', { a: 2 })
    expect(api.requests).toHaveLength(2)
  })

  it('are not kept by default, nor where the call failed', async () => {
    const plain = await open(() => ({}))
    await plain.call('work')
    await plain.call('work')
    expect(plain.api.requests).toHaveLength(2)
    const failing = await open(answering(404), {}, { tools: { work: { cacheMs: 60_000 } } })
    await failing.call('work')
    await failing.call('work')
    expect(failing.api.requests).toHaveLength(2)
  })

  it('are not kept where they do not fit the output schema', async () => {
    let answer: object = { text: 1 }
    const { call } = await open(
      () => answer,
      { interface: { input: object({}), output: object({ text }) } },
      { tools: { work: { cacheMs: 60_000 } } },
    )
    expect((await call('work')).error?.error_code).toBe('toolcrib.output_schema_mismatch')
    answer = { text: 'good' }
    expect((await call('work')).structured_content).toEqual(answer)
  })
})
