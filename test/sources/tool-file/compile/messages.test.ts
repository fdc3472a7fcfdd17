import { describe, expect, it } from 'vitest'
import { AGENT, TOOL } from './broken/make-cases.js'
import { compileFiles } from './compile-files.js'

interface Mistake {
  /** A part of the file, and what is written in its place. */
  readonly was: string
  readonly is: string
  readonly message: string
  /** What is written in the place of the problem; absent: there is no fix. */
  readonly fix?: string
}

const mistakes: readonly Mistake[] = [
  {
    was: 'status: active',
    is: 'status:',
    message: 'Write a value for "status".',
  },
  {
    was: 'type: retrieval',
    is: 'type: rest-api',
    message:
      '"type" must be one of retrieval, action, function, human; rest-api belongs into "transport.type".',
  },
  {
    was: 'type: rest-api',
    is: 'type: rest',
    message:
      '"transport.type" must be one of rest-api, lambda, mcp, message-queue, database; did you mean "rest-api"?',
    fix: 'rest-api',
  },
  {
    was: 'scheme: none',
    is: 'scheme: iam-role',
    message:
      'The scheme iam-role does not go with the transport rest-api; use one of none, api-key, bearer-token, oauth2.',
  },
  {
    was: '  input:\n    type: object',
    is: '  input:\n    type: obj',
    message: 'The type of "interface.input" must be object.',
    fix: 'object',
  },
  {
    was: '  input:\n    type: object',
    is: '  input:\n    type: [str]',
    message: 'The type of "interface.input" must be object.',
  },
  {
    was: 'query: { type: string }',
    is: 'query: { type: str }',
    message:
      '"interface.input.properties.query.type" must be one of string, number, integer, boolean, object, array, null; did you mean "string"?',
    fix: 'string',
  },
  {
    was: 'query: { type: string }',
    is: 'query: { type: [string, null] }',
    message: 'Put null in quotes in "interface.input.properties.query.type".',
    fix: '"null"',
  },
  {
    was: 'required: [query]',
    is: 'required: query',
    message: '"interface.input.required" must be a list of names of fields.',
    fix: '[query]',
  },
  {
    was: 'required: [query]',
    is: 'required: [qeury]',
    message:
      '"interface.input.required" names "qeury", which properties does not describe; did you mean "query"?',
    fix: 'query',
  },
  {
    was: 'owner: platform',
    is: 'owner: platform\n  tags: mail, send',
    message: '"meta.tags" must be a list of texts.',
    fix: '["mail, send"]',
  },
  {
    was: '  description: Finds articles. Use it for questions.\n  owner',
    is: 'description: Finds articles. Use it for questions.\nowner',
    message: 'Indent "description", "owner" further: they are fields of "meta".',
  },
  {
    was: '  credentials:',
    is: 'credentials:',
    message: 'Indent "credentials" further: it is a field of "transport".',
  },
  {
    was: 'owner: platform',
    is: 'owner: @platform',
    message: 'A value cannot begin with "@"; put it in quotes.',
  },
  {
    was: 'owner: platform',
    is: 'owner: {{ team }}',
    message: 'Write a value in place of {{ team }}, or put it in quotes; templates are not filled in.',
  },
  {
    was: 'endpoint: GET /search',
    is: 'endpoint: GET /search/:query/all',
    message: 'Write {query} for :query in the path; a colon is sent as it is.',
    fix: '"GET /search/{query}/all"',
  },
  {
    was: 'endpoint: GET /search',
    is: 'endpoint: GET /search/:query-:id',
    message:
      'Write {query} for :query and {id} for :id in the path, and add "id" to properties and required of interface.input; a colon is sent as it is.',
  },
  {
    was: 'endpoint: GET /search',
    is: 'endpoint: GET /search\n  timeout_ms: "5000"',
    message: '"transport.timeout_ms" must be a whole number, from 1 to 2147483647.',
    fix: '5000',
  },
  {
    was: 'endpoint: GET /search',
    is: 'endpoint: GET /search\n  timeout_ms: "0"',
    message: '"transport.timeout_ms" must be a whole number, from 1 to 2147483647.',
  },
]

describe('frequent mistakes', () => {
  it.each(mistakes)('$is', async ({ was, is, message, fix }) => {
    expect(TOOL).toContain(was)
    const { problems } = await compileFiles({ 'tools/search-kb.tool.md': TOOL.replace(was, is) })
    expect(problems.map((problem) => [problem.message, problem.fix?.text])).toEqual([[message, fix]])
  })

  it('a colon behind a word belongs to the address', async () => {
    const text = TOOL.replace('GET /search', 'GET /search/{query}:run?at=12:30')
    expect((await compileFiles({ 'tools/search-kb.tool.md': text })).problems).toEqual([])
  })

  it('a misspelled ref is mended, unless the agent has the tool already', async () => {
    const misspelled = AGENT.replace('ref: search-kb', 'ref: serch-kb')
    const both = misspelled.replace('  refs:', '  refs:\n    - ref: search-kb')
    for (const [text, fix] of [
      [misspelled, '"search-kb"'],
      [both, undefined],
    ] as const) {
      const { problems } = await compileFiles({
        'tools/search-kb.tool.md': TOOL,
        'agents/helper.agent.md': text,
      })
      expect(problems.map((problem) => [problem.message, problem.fix?.text])).toEqual([
        ['There is no tool "serch-kb"; did you mean "search-kb"?', fix],
      ])
    }
  })

  it('a ref to a draft says how the tool becomes callable', async () => {
    const { problems } = await compileFiles({
      'tools/search-kb.tool.md': TOOL.replace('status: active', 'status: draft'),
      'agents/helper.agent.md': AGENT,
    })
    expect(problems.map(({ message }) => message)).toEqual([
      'The tool search-kb is a draft and cannot be called; set its status to active.',
    ])
  })
})
