import { describe, expect, it } from 'vitest'
import { documentOf, openTools, query, writeDocument, type Document } from './open-tools.js'
import { startApi, type Answer, type ReceivedRequest } from './start-api.js'

const LIST = { type: 'array', items: { type: 'integer' } }
const listed = (schema: object, headers: object = {}): Document => ({
  200: { description: 'Done.', headers, content: { 'application/json': { schema } } },
})
const page = (properties: object): object => ({ type: 'object', properties: { items: LIST, ...properties } })

const PATHS: Document = {
  '/linked': {
    get: {
      operationId: 'linked',
      parameters: [query('page', 'integer')],
      responses: listed(LIST, { Link: { schema: { type: 'string' } } }),
    },
  },
  '/cursor': {
    get: {
      operationId: 'cursor',
      parameters: [query('cursor'), query('limit', 'integer')],
      responses: listed(page({ next_cursor: { type: 'string' } })),
    },
  },
  '/paged': {
    get: {
      operationId: 'paged',
      parameters: [query('page', 'integer'), query('per_page', 'integer')],
      responses: listed(LIST),
    },
  },
  '/from-zero': {
    get: {
      operationId: 'fromZero',
      parameters: [{ name: 'page', in: 'query', schema: { type: 'integer', minimum: 0 } }],
      responses: listed(LIST),
    },
  },
  '/offset': {
    get: {
      operationId: 'offset',
      parameters: [query('offset', 'integer'), query('limit', 'integer')],
      responses: listed(page({ total: { type: 'integer' } })),
    },
  },
  '/addresses': {
    get: {
      operationId: 'addresses',
      parameters: [query('limit', 'integer')],
      responses: listed(page({ next: { type: 'string', format: 'uri' } })),
    },
  },
  '/after': {
    get: {
      operationId: 'after',
      parameters: [query('starting_after'), query('limit', 'integer')],
      responses: listed({
        type: 'object',
        properties: {
          data: { type: 'array', items: { type: 'object', properties: { id: { type: 'string' } } } },
          has_more: { type: 'boolean' },
        },
      }),
    },
  },
  '/own': {
    get: {
      operationId: 'own',
      parameters: [query('page', 'integer'), query('max_pages', 'integer')],
      responses: listed(LIST),
    },
  },
}

async function open(answer: Answer, options: object = {}) {
  const api = await startApi(answer)
  const document = writeDocument(documentOf(PATHS))
  const tools = await openTools({ document, server: `${api.url}/v1` }, options)
  return { api, ...tools, urls: () => api.requests.map(({ url }) => url) }
}

const parameter = ({ url }: ReceivedRequest, name: string): string | null =>
  new URL(url, 'http://x').searchParams.get(name)

const range = (from: number, count: number): number[] => Array.from({ length: count }, (_, at) => from + at)

describe('one call', () => {
  it('reads one page unless it asks for more', async () => {
    const { call, urls } = await open(() => ({ items: [1], next_cursor: 'a' }))
    expect((await call('cursor')).structured_content).toEqual({ items: [1], next_cursor: 'a' })
    expect(urls()).toEqual(['/v1/cursor'])
  })

  it('follows the links of the API and joins the pages', async () => {
    const { call, urls } = await open((request, response) => {
      const number = Number(parameter(request, 'page') ?? 1)
      const next = `</v1/linked?page=${number + 1}>; title="a, b"; rel="next"`
      const others = '<https://x.example/v1/linked?page=9>; rel="last"'
      response.setHeader('link', number < 3 ? `${others}, ${next}` : others)
      return range(number * 10, 2)
    })
    const result = await call('linked', { max_pages: 10 })
    expect(result).toMatchObject({ status: 'succeeded', structured_content: [10, 11, 20, 21, 30, 31] })
    expect(result.toolcrib!['native']).toMatchObject({ pages: 3, status: 200 })
    expect(result.content).toHaveLength(1)
    expect(urls()).toEqual(['/v1/linked', '/v1/linked?page=2', '/v1/linked?page=3'])
  })

  it('follows cursors, also over pages without items', async () => {
    const pages: Record<string, unknown> = {
      '': { items: [1, 2], next_cursor: 'a' },
      a: { items: [], next_cursor: 'b' },
      b: { items: [3], next_cursor: '' },
    }
    const { call, urls } = await open((request) => pages[parameter(request, 'cursor') ?? ''])
    expect((await call('cursor', { limit: 2, max_pages: 9 })).structured_content).toEqual({
      items: [1, 2, 3],
      next_cursor: '',
    })
    expect(urls()).toEqual([
      '/v1/cursor?limit=2',
      '/v1/cursor?cursor=a&limit=2',
      '/v1/cursor?cursor=b&limit=2',
    ])
  })

  it('counts pages until one is short or empty, also where the API has smaller pages than asked for', async () => {
    const { call, urls } = await open((request) => {
      const number = Number(parameter(request, 'page') ?? 1)
      return range(number * 10, number < 3 ? 3 : 1)
    })
    const { structured_content: items } = await call('paged', { per_page: 100, max_pages: 9 })
    expect(items).toEqual([10, 11, 12, 20, 21, 22, 30])
    expect(urls().at(-1)).toBe('/v1/paged?page=3&per_page=100')
    expect(urls()).toHaveLength(3)
  })

  it('starts to count where the document does', async () => {
    const { call, urls } = await open((request) =>
      parameter(request, 'page') === '2' ? [] : [urls().length],
    )
    await call('fromZero', { max_pages: 9 })
    expect(urls()).toEqual(['/v1/from-zero', '/v1/from-zero?page=1', '/v1/from-zero?page=2'])
  })

  it('takes a page that is not there as the end', async () => {
    const { call } = await open((request, response) => {
      if (parameter(request, 'page') === null) return [1, 2]
      response.writeHead(404).end()
      return undefined
    })
    expect(await call('paged', { max_pages: 9 })).toMatchObject({
      status: 'succeeded',
      structured_content: [1, 2],
    })
  })

  it('counts items', async () => {
    const { call, urls } = await open((request) => {
      const from = Number(parameter(request, 'offset') ?? 0)
      return { items: range(from, Math.max(0, Math.min(2, 5 - from))), total: 5 }
    })
    expect((await call('offset', { limit: 2, max_pages: 9 })).structured_content).toEqual({
      items: [0, 1, 2, 3, 4],
      total: 5,
    })
    expect(urls()).toEqual([
      '/v1/offset?limit=2',
      '/v1/offset?offset=2&limit=2',
      '/v1/offset?offset=4&limit=2',
    ])
  })

  it('follows addresses that are in the answers', async () => {
    const { call, urls } = await open((request) => {
      const number = Number(parameter(request, 'n') ?? 1)
      return { items: [number], next: number < 3 ? `/v1/addresses?n=${number + 1}` : null }
    })
    expect(await call('addresses', { max_pages: 9 })).toMatchObject({
      status: 'succeeded',
      structured_content: { items: [1, 2, 3], next: null },
    })
    expect(urls()).toEqual(['/v1/addresses', '/v1/addresses?n=2', '/v1/addresses?n=3'])
  })

  it('goes on after the last item', async () => {
    const { call, urls } = await open((request) => {
      const after = Number(parameter(request, 'starting_after') ?? 0)
      return { data: [{ id: String(after + 1) }], has_more: after < 2 }
    })
    const { structured_content: joined } = await call('after', { max_pages: 9 })
    expect(joined).toEqual({ data: [{ id: '1' }, { id: '2' }, { id: '3' }], has_more: false })
    expect(urls()).toHaveLength(3)
  })

  it('says that there may be more than it was asked for', async () => {
    const { call, api } = await open(() => ({ items: [1], next_cursor: String(Math.random()) }))
    const result = await call('cursor', { max_pages: 3 })
    expect(api.requests).toHaveLength(3)
    expect(result.structured_content).toMatchObject({ items: [1, 1, 1] })
    expect(result.model_facing_content?.at(-1)).toEqual({
      type: 'text',
      text: 'These are 3 pages, joined; there may be more.',
    })
  })

  it('leaves a parameter of the API with the same name alone', async () => {
    const { call, urls } = await open(() => [1])
    await call('own', { max_pages: 4 })
    expect(urls()).toEqual(['/v1/own?max_pages=4'])
  })
})

describe('an API that lies', () => {
  it('does not lead in circles', async () => {
    const next: Record<string, string> = { '': 'a', a: 'b', b: 'a' }
    const { call, api } = await open((request) => {
      const cursor = parameter(request, 'cursor') ?? ''
      return { items: [cursor], next_cursor: next[cursor] }
    })
    const result = await call('cursor', { max_pages: 50 })
    expect(api.requests).toHaveLength(3)
    expect(result).toMatchObject({
      status: 'partial_succeeded',
      structured_content: { items: ['', 'a', 'b'] },
      error: { error_class: 'partial_failure', message: expect.stringContaining('circle') },
    })
  })

  it('does not lead in circles by links', async () => {
    const { call, api } = await open((_, response) => {
      response.setHeader('link', '</v1/linked?page=2>; rel=next')
      return [1]
    })
    expect(await call('linked', { max_pages: 50 })).toMatchObject({
      status: 'partial_succeeded',
      structured_content: [1, 1],
    })
    expect(api.requests).toHaveLength(2)
  })

  it('does not give the same page again and again', async () => {
    const { call, api } = await open(() => [1, 2, 3])
    const result = await call('paged', { max_pages: 50 })
    expect(result).toMatchObject({ status: 'partial_succeeded', structured_content: [1, 2, 3] })
    expect(api.requests).toHaveLength(2)
    const other = await open(() => ({ data: [{ id: 'a' }], has_more: true }))
    expect((await other.call('after', { max_pages: 50 })).structured_content).toEqual({
      data: [{ id: 'a' }],
      has_more: true,
    })
    expect(other.api.requests).toHaveLength(2)
  })

  it.each([
    'http://127.0.0.1:1/v1/linked?page=2',
    '//other.example/linked',
    'https://user:pw@other.example/x',
  ])('does not lead to %s', async (target) => {
    const { call, api } = await open((_, response) => {
      response.setHeader('link', `<${target}>; rel="next"`)
      return [1]
    })
    expect(await call('linked', { max_pages: 5 })).toMatchObject({
      status: 'partial_succeeded',
      structured_content: [1],
      error: { message: expect.stringContaining('another address') },
    })
    expect(api.requests).toHaveLength(1)
  })

  it('does not make earlier pages useless by a page that is none', async () => {
    const { call } = await open((request, response) => {
      if (parameter(request, 'cursor') === null) return { items: [1], next_cursor: 'a' }
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Sign in</html>')
      return undefined
    })
    expect(await call('cursor', { max_pages: 5 })).toMatchObject({
      status: 'partial_succeeded',
      structured_content: { items: [1], next_cursor: 'a' },
      error: { message: expect.stringContaining('Page 2') },
    })
  })

  it('does not make earlier pages useless by a page that fails', async () => {
    const { call } = await open((request, response) => {
      if (parameter(request, 'cursor') === null) return { items: [1], next_cursor: 'a' }
      response.writeHead(500).end()
      return undefined
    })
    expect(await call('cursor', { max_pages: 5 })).toMatchObject({
      status: 'partial_succeeded',
      structured_content: { items: [1] },
      error: { message: 'Page 2 could not be read: shop answered 500 Internal Server Error.' },
    })
  })

  it('does not fill the memory', async () => {
    const text = 'x'.repeat(3_000_000)
    const { call, api } = await open(() => ({ items: [text], next_cursor: String(api.requests.length) }))
    const result = await call('cursor', { max_pages: 100 })
    expect(result.status).toBe('succeeded')
    // Eight megabytes, and the page that goes beyond.
    expect(api.requests).toHaveLength(3)
    expect(result.persisted_payload_ref?.size_bytes).toBeGreaterThan(9_000_000)
  })

  it('ends a call that is cancelled between two pages', async () => {
    let cancel = (): void => {}
    const { call } = await open((request) => {
      if (parameter(request, 'cursor') !== null) cancel()
      return { items: [1], next_cursor: String(Math.random()) }
    })
    const called = call('cursor', { max_pages: 100 })
    cancel = () => called.cancel()
    expect((await called).status).toBe('canceled')
  })
})
