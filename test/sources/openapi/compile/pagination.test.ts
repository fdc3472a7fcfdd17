import { describe, expect, it } from 'vitest'
import type { Pagination } from '../../../../src/sources/openapi/compiled.js'
import { compile } from './compile.js'

type JsonObject = Readonly<Record<string, unknown>>

const INTEGER = { type: 'integer' }
const TEXT = { type: 'string' }
const LIST = { type: 'array', items: { type: 'object', properties: { id: TEXT } } }
const object = (properties: JsonObject): JsonObject => ({ type: 'object', properties })

interface Listing {
  readonly query?: JsonObject
  readonly schema?: JsonObject
  readonly headers?: JsonObject
  readonly method?: string
}

async function paginationOf({
  query = {},
  schema,
  headers,
  method = 'get',
}: Listing): Promise<Pagination | undefined> {
  const parameters = Object.entries(query).map(([name, given]) => {
    const { description, ...rest } = given as JsonObject
    return { name, in: 'query', description, schema: rest }
  })
  const response = {
    description: '',
    headers,
    ...(schema && { content: { 'application/json': { schema } } }),
  }
  const { operations } = await compile({
    openapi: '3.0.0',
    paths: { '/things': { [method]: { parameters, responses: { 200: response } } } },
  })
  const { pagination, input } = operations[0]!
  const members = Object.keys(input['properties'] as object)
  expect(members.includes('max_pages')).toBe(pagination !== undefined)
  return pagination
}

describe('pages that real APIs have', () => {
  it.each<[string, Listing, Pagination]>([
    [
      'GitHub: a Link header',
      { query: { page: INTEGER, per_page: INTEGER }, schema: LIST, headers: { Link: { schema: TEXT } } },
      { kind: 'link' },
    ],
    [
      'GitLab: a page number',
      { query: { page: { ...INTEGER, default: 1 }, per_page: { ...INTEGER, default: 20 } }, schema: LIST },
      { kind: 'page', field: 'page', first: 1, sizeField: 'per_page', items: [] },
    ],
    [
      'Slack: a cursor in the metadata',
      {
        query: { cursor: TEXT, limit: INTEGER },
        schema: object({
          ok: { type: 'boolean' },
          members: LIST,
          response_metadata: object({ next_cursor: TEXT }),
        }),
      },
      { kind: 'cursor', field: 'cursor', from: ['response_metadata', 'next_cursor'], items: ['members'] },
    ],
    [
      'Google: a page token',
      { query: { pageToken: TEXT, pageSize: INTEGER }, schema: object({ files: LIST, nextPageToken: TEXT }) },
      { kind: 'cursor', field: 'pageToken', from: ['nextPageToken'], items: ['files'] },
    ],
    [
      'Stripe: the last item',
      {
        query: { starting_after: TEXT, ending_before: TEXT, limit: INTEGER },
        schema: object({ object: TEXT, data: LIST, has_more: { type: 'boolean' }, url: TEXT }),
      },
      { kind: 'last_item', field: 'starting_after', from: ['id'], items: ['data'], more: ['has_more'] },
    ],
    [
      'JSON:API: a page number in brackets',
      {
        query: { 'page[number]': INTEGER, 'page[size]': INTEGER },
        schema: object({ data: LIST, included: LIST }),
      },
      { kind: 'page', field: 'page_number', first: 1, sizeField: 'page_size', items: ['data'] },
    ],
    [
      'JSON:API: links',
      { query: { 'page[cursor]': TEXT }, schema: object({ data: LIST, links: object({ next: TEXT }) }) },
      { kind: 'link', from: ['links', 'next'], items: ['data'] },
    ],
    [
      'HAL: links',
      {
        schema: object({
          _embedded: object({ orders: LIST }),
          _links: object({ next: object({ href: TEXT }) }),
        }),
      },
      { kind: 'link', from: ['_links', 'next', 'href'], items: ['_embedded', 'orders'] },
    ],
    [
      'OData: the address of the next page',
      { query: { $top: INTEGER, $skip: INTEGER }, schema: object({ value: LIST, '@odata.nextLink': TEXT }) },
      { kind: 'link', from: ['@odata.nextLink'], items: ['value'] },
    ],
    [
      'Django: the address of the next page',
      {
        query: { page: INTEGER },
        schema: object({ count: INTEGER, next: { ...TEXT, format: 'uri' }, previous: TEXT, results: LIST }),
      },
      { kind: 'link', from: ['next'], items: ['results'] },
    ],
    [
      'Facebook: cursors in the paging',
      {
        query: { after: TEXT, limit: INTEGER },
        schema: object({ data: LIST, paging: object({ cursors: object({ after: TEXT }) }) }),
      },
      { kind: 'cursor', field: 'after', from: ['paging', 'cursors', 'after'], items: ['data'] },
    ],
    [
      'HubSpot: the next page in the paging',
      {
        query: { after: TEXT },
        schema: object({ results: LIST, paging: object({ next: object({ after: TEXT, link: TEXT }) }) }),
      },
      { kind: 'cursor', field: 'after', from: ['paging', 'next', 'after'], items: ['results'] },
    ],
    [
      'AWS: a token',
      { query: { nextToken: TEXT, maxResults: INTEGER }, schema: object({ jobs: LIST, nextToken: TEXT }) },
      { kind: 'cursor', field: 'nextToken', from: ['nextToken'], items: ['jobs'] },
    ],
    [
      'Airtable: an offset that is a text',
      { query: { offset: TEXT, pageSize: INTEGER }, schema: object({ records: LIST, offset: TEXT }) },
      { kind: 'cursor', field: 'offset', from: ['offset'], items: ['records'] },
    ],
    [
      'Spring: pages from zero',
      {
        query: { page: { ...INTEGER, description: 'Zero-based page index (0..N)' }, size: INTEGER },
        schema: object({ content: LIST, totalPages: INTEGER }),
      },
      { kind: 'page', field: 'page', first: 0, sizeField: 'size', items: ['content'] },
    ],
    [
      'Jira: an offset',
      { query: { startAt: INTEGER, maxResults: INTEGER }, schema: object({ values: LIST, total: INTEGER }) },
      { kind: 'offset', field: 'startAt', first: 0, sizeField: 'maxResults', items: ['values'] },
    ],
    [
      'SCIM: an index from one',
      {
        query: {
          startIndex: { ...INTEGER, description: 'The 1-based index of the first result.' },
          count: INTEGER,
        },
        schema: object({ schemas: { type: 'array' }, Resources: LIST, totalResults: INTEGER }),
      },
      { kind: 'offset', field: 'startIndex', first: 1, sizeField: 'count', items: ['Resources'] },
    ],
    [
      'an offset with a limit',
      { query: { offset: INTEGER, limit: INTEGER }, schema: object({ items: LIST }) },
      { kind: 'offset', field: 'offset', first: 0, sizeField: 'limit', items: ['items'] },
    ],
    [
      'a list inside a wrapper',
      {
        query: { page: INTEGER, limit: INTEGER },
        schema: object({ data: object({ users: LIST }), status: TEXT }),
      },
      { kind: 'page', field: 'page', first: 1, sizeField: 'limit', items: ['data', 'users'] },
    ],
    [
      'members that come by allOf',
      {
        query: { cursor: TEXT },
        schema: { allOf: [object({ next_cursor: TEXT }), object({ items: LIST })] },
      },
      { kind: 'cursor', field: 'cursor', from: ['next_cursor'], items: ['items'] },
    ],
  ])('%s', async (_, listing, expected) => {
    expect(await paginationOf(listing)).toEqual(expected)
  })
})

describe('operations that only look paginated', () => {
  it.each<[string, Listing]>([
    ['the pages of a document to print', { query: { page: TEXT }, schema: object({ jobs: LIST }) }],
    [
      'a page of one document',
      { query: { page: INTEGER }, schema: object({ text: TEXT, words: { type: 'array' } }) },
    ],
    [
      'a page of an answer that is no list',
      { query: { page: INTEGER, size: INTEGER }, schema: object({ text: TEXT }) },
    ],
    ['a page of an answer without a schema', { query: { page: INTEGER, per_page: INTEGER } }],
    [
      'a start that is a date',
      { query: { start: { ...TEXT, format: 'date' }, limit: INTEGER }, schema: LIST },
    ],
    [
      'a start that is a time',
      { query: { start: { ...INTEGER, description: 'Unix timestamp' }, limit: INTEGER }, schema: LIST },
    ],
    ['a start with an end', { query: { start: INTEGER, end: INTEGER, limit: INTEGER }, schema: LIST }],
    ['a start without a size', { query: { start: INTEGER }, schema: LIST }],
    [
      'an offset of a time zone',
      { query: { offset: { ...INTEGER, description: 'The offset of the time zone.' } }, schema: LIST },
    ],
    [
      'an offset that is echoed',
      { query: { offset: TEXT }, schema: object({ items: { type: 'object' }, offset: INTEGER }) },
    ],
    [
      'after a date',
      { query: { after: { ...TEXT, format: 'date-time' } }, schema: object({ items: LIST, after: TEXT }) },
    ],
    [
      'after a date in words',
      {
        query: { after: { ...TEXT, description: 'An ISO 8601 date.' } },
        schema: object({ items: LIST, after: TEXT }),
      },
    ],
    ['a cursor that no answer gives', { query: { cursor: TEXT }, schema: object({ items: LIST }) }],
    [
      'a cursor that is an object',
      { query: { cursor: TEXT }, schema: object({ items: LIST, next_cursor: { type: 'object' } }) },
    ],
    [
      'a marker that is a switch',
      { query: { marker: { type: 'boolean' } }, schema: object({ items: LIST, marker: TEXT }) },
    ],
    ['a Link header of one thing', { schema: object({ id: TEXT }), headers: { Link: { schema: TEXT } } }],
    ['the letter p', { query: { p: INTEGER }, schema: LIST }],
    [
      'a list of errors',
      { query: { page: INTEGER, limit: INTEGER }, schema: object({ errors: LIST, id: TEXT }) },
    ],
    [
      'the last item of a list without ids',
      { query: { starting_after: TEXT }, schema: object({ data: { type: 'array', items: TEXT } }) },
    ],
    ['another method', { method: 'post', query: { page: INTEGER, per_page: INTEGER }, schema: LIST }],
  ])('%s is none', async (_, listing) => {
    expect(await paginationOf(listing)).toBeUndefined()
  })

  it('a parameter of the name that asks for pages keeps its meaning', async () => {
    const { operations } = await compile({
      openapi: '3.0.0',
      paths: {
        '/things': {
          get: {
            parameters: ['page', 'per_page', 'max_pages'].map((name) => ({
              name,
              in: 'query',
              schema: INTEGER,
            })),
            responses: { 200: { content: { 'application/json': { schema: LIST } } } },
          },
        },
      },
    })
    expect(operations[0]!.pagination).toBeUndefined()
    expect(operations[0]!.input).toMatchObject({ properties: { max_pages: INTEGER } })
  })
})
