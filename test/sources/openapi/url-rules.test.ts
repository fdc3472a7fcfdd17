import { describe, expect, it } from 'vitest'
import { startApi } from './start-api.js'
import { bare, documentOf, openTools, writeDocument } from './open-tools.js'

const id = (more = {}) => ({ name: 'id', in: 'path', required: true, schema: { type: 'string' }, ...more })

describe('a rule about the path of a request', () => {
  it.each([
    ['/%61dmin/all', {}],
    ['/public/../admin/all', {}],
    ['/admin/../shop/all', {}],
    ['/public/%2e%2e/%61dmin/all', {}],
    ['/\\admin\\all', {}],
    ['/{id}/all', { id: 'admin' }],
    ['/adm{id}/all', { id: 'in' }],
    ['/r/{id}/all', { id: 'x/admin/y' }],
  ])('holds for %s with %j', async (path, input) => {
    const api = await startApi(() => ({ isCalled: true }))
    const parameters = path.includes('{id}') ? [id()] : []
    const document = writeDocument(documentOf({ [path]: { get: bare('read', { parameters }) } }))
    const tools = await openTools(
      { document, server: api.url },
      { permission: { allow: ['api.shop.*'], deny: ['api.shop.*(url:*/admin/*)'] } },
    )
    expect(await tools.call('read', input)).toMatchObject({ status: 'denied' })
    expect(api.requests).toEqual([])
  })

  it('holds where a caller writes an encoded value into a parameter that may be encoded already', async () => {
    const api = await startApi(() => ({ isCalled: true }))
    const get = bare('read', { parameters: [id({ allowReserved: true })] })
    const document = writeDocument({ ...documentOf({ '/r/{id}/all': { get } }), openapi: '3.2.0' })
    const tools = await openTools(
      { document, server: api.url },
      { permission: { allow: ['api.shop.*'], deny: ['api.shop.*(url:*/r/admin/*)'] } },
    )
    expect(await tools.call('read', { id: '%61dmin' })).toMatchObject({ status: 'denied' })
    expect(await tools.call('read', { id: 'others' })).toMatchObject({ status: 'succeeded' })
  })
})
