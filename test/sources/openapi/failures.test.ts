import { describe, expect, it } from 'vitest'
import { bare, documentOf, openTools, writeDocument } from './open-tools.js'
import { startApi, type Answer } from './start-api.js'

const DOCUMENT = documentOf({
  '/thing': {
    get: bare('getThing'),
    post: bare('postThing', {
      requestBody: { content: { 'application/json': { schema: { type: 'object' } } } },
    }),
  },
})

async function open(answer: Answer, settings: object = {}) {
  const api = await startApi(answer)
  return { api, ...(await openTools({ document: writeDocument(DOCUMENT), server: api.url, ...settings })) }
}

const answering =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answer =>
  (_, response) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    response
      .writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'req-1', ...headers })
      .end(text)
    return undefined
  }

describe('an answer with an error', () => {
  it('keeps its status, its request id and its problem details', async () => {
    const problem = {
      type: 'https://shop.example/out',
      title: 'Out of stock',
      detail: 'None left.',
      balance: 0,
    }
    const { api, call } = await open(answering(409, problem, { 'content-type': 'application/problem+json' }))
    const { error, status } = await call('postThing', { body: {} })
    expect(status).toBe('failed')
    expect(error).toMatchObject({
      error_class: 'execution_failed',
      message: 'shop answered 409 Conflict: Out of stock. None left.',
      native_error_ref: 'http_status:409',
      toolcrib: {
        native: {
          source: 'openapi',
          server_id: 'shop',
          operation_id: 'postThing',
          method: 'POST',
          path: '/thing',
          server_url: `${api.url}/`,
          status: 409,
          request_id: 'req-1',
          error: problem,
        },
      },
    })
  })

  it.each([
    [{ error: { code: 404, message: 'No such file.', status: 'NOT_FOUND' } }, 'No such file.'],
    [{ message: 'Bad credentials', documentation_url: 'https://x' }, 'Bad credentials.'],
    [{ error: 'invalid_scope', error_description: 'Too much.' }, 'Too much. invalid_scope.'],
    [{ errors: [{ field: 'name', message: 'is missing' }] }, '[{"field":"name","message":"is missing"}].'],
    [{ detail: [{ loc: ['body'], msg: 'required' }] }, '{"detail":[{"loc":["body"],"msg":"required"}]}.'],
    ['plain words', 'plain words.'],
    ['', undefined],
  ])('says what %j means', async (body, words) => {
    const { call } = await open(answering(422, body))
    const { error } = await call('getThing')
    expect(error?.message).toBe(
      `shop answered 422 Unprocessable Entity${words === undefined ? '.' : `: ${words}`}`,
    )
  })

  it('gives the title of a page instead of the page', async () => {
    const page = '<html><head><title>Sign in</title></head><body>a lot</body></html>'
    const { call } = await open(answering(500, page, { 'content-type': 'text/html' }))
    expect((await call('getThing')).error?.message).toBe('shop answered 500 Internal Server Error: Sign in.')
  })

  it.each([
    [400, 'execution_failed', { safe: false, change_arguments: true }],
    [401, 'credential_missing', {}],
    [403, 'execution_failed', { safe: false, change_arguments: true }],
    [404, 'execution_failed', { safe: false, change_arguments: true }],
    [408, 'timeout', { safe: false }],
    [409, 'execution_failed', { safe: true }],
    [422, 'execution_failed', { safe: false, change_arguments: true }],
    [429, 'rate_limited', { safe: true }],
    [500, 'execution_failed', { safe: false }],
    [502, 'dependency_unavailable', { safe: false }],
    [503, 'dependency_unavailable', { safe: false }],
    [504, 'dependency_unavailable', { safe: false }],
  ])('with the status %i is %s', async (status, errorClass, retry) => {
    const { call } = await open(answering(status, {}))
    const { error } = await call('postThing', { body: {} })
    expect(error).toMatchObject({ error_class: errorClass, toolcrib: { retry } })
    expect(error?.native_error_ref).toBe(`http_status:${status}`)
  })

  it('is read only as far as a person reads it', async () => {
    const { call } = await open(answering(500, 'x'.repeat(5_000_000), { 'content-type': 'text/plain' }))
    const { error } = await call('getThing', {}, { retries: 0 })
    expect(error!.message.length).toBeLessThan(2_000)
    expect(JSON.stringify(error).length).toBeLessThan(50_000)
  })

  it('that redirects to another host is not followed, and says what would allow that', async () => {
    const { call, api } = await open(answering(302, '', { location: 'https://elsewhere.example/x' }))
    const { error } = await call('getThing')
    expect(error?.message).toBe(
      'shop answered 302 Found and redirects to elsewhere.example, which is not followed; "redirectHosts" of the API names other hosts that may be read from.',
    )
    expect(api.requests).toHaveLength(1)
  })
})

describe('a call without an answer', () => {
  it('says that the API cannot be reached, and that nothing has happened', async () => {
    const { api, call } = await open(() => ({}))
    await api.stop()
    const { error } = await call('postThing', { body: {} })
    expect(error).toMatchObject({
      error_class: 'dependency_unavailable',
      error_code: 'toolcrib.server_unavailable',
      toolcrib: { retry: { safe: true }, native: { operation_id: 'postThing', method: 'POST' } },
    })
    expect(error?.message).toMatch(
      /^The API "shop" gave no answer \(.*ECONNREFUSED.*\); the call has not run\.$/,
    )
  })

  it('says that it may have run where the connection broke', async () => {
    const { call } = await open((_, response) => void response.destroy())
    expect((await call('postThing', { body: {} })).error).toMatchObject({
      error_class: 'execution_failed',
      error_code: 'toolcrib.server_lost',
      message: expect.stringContaining('the call may have run'),
      toolcrib: { retry: { safe: false } },
    })
    expect((await call('getThing')).error).toMatchObject({
      error_class: 'dependency_unavailable',
      toolcrib: { retry: { safe: true } },
    })
  })
})
