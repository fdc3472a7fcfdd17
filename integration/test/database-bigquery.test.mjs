import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { hostileStrings } from './databases/hostile-strings.mjs'
import { call, failureOf, INTEGER, object, openTransport, rowsOf, TEXT } from './databases/open-tool.mjs'
import { startEndpoint } from './endpoint.mjs'
import { startMetadata } from './gcp-metadata.mjs'

const jobs = new Map()
const canceled = []
const problem = (status, reason, message) => ({
  status,
  json: { error: { code: status, message, errors: [{ reason, message }] } },
})
const rows = (fields, ...values) => ({
  schema: { fields },
  rows: values.map((row) => ({ f: row.map((v) => ({ v })) })),
})
const answers = {
  echo: ({ queryParameters: [{ parameterValue }] }) =>
    rows([{ name: 'text', type: 'STRING' }], [parameterValue.value]),
  types: () =>
    rows(
      [
        { name: 'n', type: 'INTEGER' },
        { name: 'big', type: 'INTEGER' },
        { name: 'exact', type: 'NUMERIC' },
        { name: 'float', type: 'FLOAT' },
        { name: 'yes', type: 'BOOLEAN' },
        { name: 'at', type: 'TIMESTAMP' },
        { name: 'day', type: 'DATE' },
        { name: 'tags', type: 'STRING', mode: 'REPEATED' },
        {
          name: 'who',
          type: 'RECORD',
          fields: [
            { name: 'age', type: 'INTEGER' },
            { name: 'name', type: 'STRING' },
          ],
        },
        { name: 'data', type: 'JSON' },
        { name: 'none', type: 'STRING' },
      ],
      [
        '5',
        '9007199254740993',
        '12.50',
        '1.5',
        'true',
        '1706695200500000',
        '2024-01-31',
        [{ v: 'a' }, { v: 'b' }],
        { f: [{ v: '7' }, { v: 'Ada' }] },
        '{"a":[1]}',
        null,
      ],
    ),
  written: () => ({ numDmlAffectedRows: '3' }),
  many: (_, pageToken = '0') => ({
    ...rows([{ name: 'n', type: 'INTEGER' }], [pageToken]),
    ...(pageToken !== '4' && { pageToken: String(Number(pageToken) + 1) }),
  }),
  hang: () => ({ jobComplete: false }),
}
const google = await startEndpoint(async ({ method, url, body }) => {
  const { pathname, searchParams } = new URL(url, 'http://x')
  const id = pathname.split('/')[4]
  if (pathname.endsWith('/cancel')) {
    canceled.push(id)
    return { json: {} }
  }
  if (method === 'POST') {
    const { configuration, jobReference } = JSON.parse(body)
    const { query } = configuration.query
    if (query.startsWith('SELEC ')) return problem(400, 'invalidQuery', 'Syntax error')
    if (query.includes('denied')) return problem(403, 'accessDenied', 'Access Denied')
    jobs.set(jobReference.jobId, configuration.query)
    const statementType = query.includes(';') ? 'SCRIPT' : query.split(' ')[0]
    return {
      json: {
        jobReference,
        configuration,
        status: { state: 'DONE' },
        statistics: { query: { statementType } },
      },
    }
  }
  const job = jobs.get(id)
  if (canceled.includes(id)) return problem(400, 'stopped', 'Job execution was cancelled')
  const name = /^\w+ (\w+)/.exec(job.query)[1]
  if (name === 'hang') await new Promise((resolve) => setTimeout(resolve, 20))
  return { json: { jobComplete: true, ...answers[name](job, searchParams.get('pageToken') ?? undefined) } }
})
const metadata = await startMetadata()
process.env.BIGQUERY_EMULATOR_HOST = google.url
after(() => Promise.all([google.close(), metadata.close()]))

const credentials = {
  scheme: 'iam-role',
  settings: { kind: 'iam-role' },
  connection: { project: 'p1', dataset: 'shop' },
}
const transport = openTransport('bigquery', { credentials })
const { open } = transport
after(() => transport.close())
const posted = () =>
  google.seen
    .filter(({ url, method }) => method === 'POST' && url.split('?')[0].endsWith('/jobs'))
    .map(({ body }) => JSON.parse(body).configuration)

describe('BigQuery (the real client, a stub of the service)', () => {
  test('a dry run must say SELECT before a retrieval runs', async () => {
    const tool = open(
      'SELECT types FROM t WHERE a = :a AND b = :b AND c = :a AND d IN UNNEST(:d) AND e = :e AND f = :f',
      {
        input: object({ b: INTEGER, e: { type: 'integer' }, d: { type: 'array', items: INTEGER } }),
        output: object({ n: INTEGER, tags: { type: 'array' } }),
      },
    )
    assert.deepEqual(tool.hosts, ['bigquery.googleapis.com'])
    const { structured, native } = await call(tool, { a: "it's", b: 5, d: [1, 2], f: { x: 1 } })
    assert.deepEqual(structured, {
      n: 5,
      big: '9007199254740993',
      exact: 12.5,
      float: 1.5,
      yes: true,
      at: '2024-01-31T10:00:00.5Z',
      day: '2024-01-31',
      tags: ['a', 'b'],
      who: { age: 7, name: 'Ada' },
      data: { a: [1] },
      none: null,
    })
    const [dry, real] = posted()
    assert.equal(dry.dryRun, true)
    assert.equal(real.dryRun, undefined)
    assert.equal(real.jobTimeoutMs, '5000')
    assert.deepEqual(real.query, {
      query:
        'SELECT types FROM t WHERE a = @p1 AND b = @p2 AND c = @p1 AND d IN UNNEST(@p3) AND e = @p4 AND f = @p5',
      useLegacySql: false,
      parameterMode: 'NAMED',
      queryParameters: [
        { name: 'p1', parameterType: { type: 'STRING' }, parameterValue: { value: "it's" } },
        { name: 'p2', parameterType: { type: 'INT64' }, parameterValue: { value: '5' } },
        {
          name: 'p3',
          parameterType: { type: 'ARRAY', arrayType: { type: 'INT64' } },
          parameterValue: { arrayValues: [{ value: '1' }, { value: '2' }] },
        },
        { name: 'p4', parameterType: { type: 'INT64' }, parameterValue: { value: null } },
        { name: 'p5', parameterType: { type: 'STRING' }, parameterValue: { value: '{"x":1}' } },
      ],
      defaultDataset: { datasetId: 'shop' },
    })
    assert.equal(native.query_id, [...jobs.keys()].at(-1))
    const before = posted().length
    await call(tool, { a: 'again' })
    assert.equal(posted().length, before + 1)
  })

  test('a retrieval that is no SELECT does not run', async () => {
    const before = posted().length
    for (const sql of ['DELETE echo', 'UPDATE echo', 'CALL echo', 'EXPORT echo']) {
      const { errorClass, native } = await failureOf(call(open(sql)))
      assert.deepEqual([errorClass, native], ['setup_required', sql.split(' ')[0]])
    }
    assert.ok(
      posted()
        .slice(before)
        .every(({ dryRun }) => dryRun),
    )
    assert.match(open('SELECT 1; DELETE echo').missing().message, /2 statements/)
    const written = await call(
      open('DELETE written', { type: 'action', output: object({ affected_rows: INTEGER }) }),
    )
    assert.deepEqual(written.structured, { affected_rows: 3 })
  })

  test('hostile strings are values', async () => {
    const tool = open('SELECT echo, :text', { output: object({ text: TEXT }) })
    for (const text of hostileStrings().filter((each, at) => at % 5 === 0 && each.length < 1000)) {
      assert.equal((await call(tool, { text })).structured.text, text)
      assert.equal(posted().at(-1).query.query, 'SELECT echo, @p1')
    }
  })

  test('all pages are read', async () => {
    const { structured } = await call(open('SELECT many', { output: rowsOf({ n: INTEGER }) }))
    assert.deepEqual(structured, { rows: [0, 1, 2, 3, 4].map((n) => ({ n })), row_count: 5 })
  })

  test('a cancelled call cancels its job', async () => {
    const controller = new AbortController()
    const running = failureOf(call(open('SELECT hang', { timeoutMs: 30_000 }), {}, controller.signal))
    while (![...jobs.values()].some(({ query }) => query === 'SELECT hang'))
      await new Promise((resolve) => setTimeout(resolve, 5))
    while (!google.seen.at(-1).url.includes('/queries/'))
      await new Promise((resolve) => setTimeout(resolve, 5))
    controller.abort(new Error('no longer wanted'))
    assert.equal((await running).message, 'no longer wanted')
    assert.equal(canceled.length, 1)
  })

  test('errors have the reasons of BigQuery', async () => {
    const syntax = await failureOf(call(open('SELEC echo')))
    assert.deepEqual([syntax.errorClass, syntax.native], ['setup_required', 'invalidQuery'])
    const denied = await failureOf(call(open('SELECT denied')))
    assert.deepEqual(
      [denied.errorClass, denied.native, denied.needsOtherArguments],
      ['execution_failed', 'accessDenied', true],
    )
  })
})
