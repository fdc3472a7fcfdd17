import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { hostileStrings } from './databases/hostile-strings.mjs'
import { call, failureOf, INTEGER, object, openTransport, TEXT } from './databases/open-tool.mjs'
import { startEndpoint } from './endpoint.mjs'

const CLUSTER = 'arn:aws:rds:eu-west-1:123456789012:cluster:shop'
const refuse = (__type, message) => ({ status: 400, json: { __type, message } })
const echoed = ({ parameters }) => ({
  json: {
    columnMetadata: [{ name: 'text', label: 'text', typeName: 'text' }],
    records: [[parameters[0].value]],
  },
})
const answers = {
  echo: echoed,
  types: () => ({
    json: {
      columnMetadata: [
        { label: 'n', typeName: 'int8' },
        { label: 'exact', typeName: 'numeric' },
        { label: 'at', typeName: 'timestamptz' },
        { label: 'list', typeName: '_int4' },
        { label: 'none', typeName: 'text' },
        { label: 'bytes', typeName: 'bytea' },
      ],
      records: [
        [
          { longValue: 5 },
          { stringValue: '12.50' },
          { stringValue: '2024-01-31 10:00:00' },
          { arrayValue: { longValues: [1, 2] } },
          { isNull: true },
          { blobValue: btoa('ab') },
        ],
      ],
    },
  }),
  written: () => ({ json: { numberOfRecordsUpdated: 2, generatedFields: [{ longValue: 9 }] } }),
  unique: () => refuse('DatabaseErrorException', 'ERROR: duplicate key value; SQLState: 23505'),
  absent: () => refuse('DatabaseErrorException', 'ERROR: relation "x" does not exist; SQLState: 42P01'),
  writes: () =>
    refuse(
      'DatabaseErrorException',
      'ERROR: cannot execute INSERT in a read-only transaction; SQLState: 25006',
    ),
  denied: () => ({ status: 403, json: { __type: 'AccessDeniedException', message: 'canary' } }),
  slow: () => refuse('StatementTimeoutException', 'too long'),
  hang: () => new Promise(() => {}),
}
let isMysql = false
let hanging = 0
const aws = await startEndpoint(({ url, body }) => {
  const request = JSON.parse(body)
  if (url === '/BeginTransaction') return { json: { transactionId: 'tx-1' } }
  if (url !== '/Execute') return { json: { transactionStatus: 'done' } }
  if (request.sql.startsWith('SET'))
    return isMysql
      ? refuse('DatabaseErrorException', 'Database error code: 1193. Message: Unknown variable')
      : { json: {} }
  const name = /^SELECT (\w+)/.exec(request.sql)[1]
  if (name === 'hang') hanging++
  return answers[name](request)
})
after(() => aws.close())
Object.assign(process.env, {
  AWS_ENDPOINT_URL_RDS_DATA: aws.url,
  AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
  AWS_SECRET_ACCESS_KEY: 'secret-of-the-process',
  AWS_MAX_ATTEMPTS: '1',
  AWS_CONFIG_FILE: '/nowhere',
  AWS_SHARED_CREDENTIALS_FILE: '/nowhere',
})

const credentials = {
  scheme: 'iam-role',
  settings: { kind: 'iam-role' },
  connection: { cluster_arn: CLUSTER, database: 'shop', secret_arn: 'prod/db' },
}
const transport = openTransport('rds-data-api', { credentials })
const { open } = transport
after(() => transport.close())
const since = () => {
  const from = aws.seen.length
  return () =>
    aws.seen
      .slice(from)
      .map(({ url, body }) => [url.slice(1), JSON.parse(body).sql].filter(Boolean).join(' '))
}

describe('RDS Data API (the real client, a stub of the service)', () => {
  test('a retrieval runs in a read-only transaction of Aurora PostgreSQL', async () => {
    const seen = since()
    const tool = open('SELECT types WHERE a = :a AND b = :b AND c = :c AND d = :a', {
      input: object({ b: { type: 'string', format: 'date-time' } }),
      output: object({ n: INTEGER, list: { type: 'array' } }),
    })
    assert.deepEqual(tool.hosts, ['rds-data.eu-west-1.amazonaws.com'])
    const { structured } = await call(tool, { a: "it's", b: '2024-01-31T12:00:00+02:00', c: { x: 1 } })
    assert.deepEqual(structured, {
      n: 5,
      exact: 12.5,
      at: '2024-01-31T10:00:00Z',
      list: [1, 2],
      none: null,
      bytes: 'YWI=',
    })
    assert.deepEqual(seen(), [
      'BeginTransaction',
      'Execute SET LOCAL statement_timeout = 5000',
      'Execute SET TRANSACTION READ ONLY',
      'Execute SELECT types WHERE a = :p1 AND b = :p2 AND c = :p3 AND d = :p1',
      'RollbackTransaction',
    ])
    const sent = JSON.parse(aws.seen.at(-2).body)
    assert.equal(sent.secretArn, 'prod/db')
    assert.equal(sent.transactionId, 'tx-1')
    assert.deepEqual(sent.parameters, [
      { name: 'p1', value: { stringValue: "it's" } },
      { name: 'p2', value: { stringValue: '2024-01-31 10:00:00.000' }, typeHint: 'TIMESTAMP' },
      { name: 'p3', value: { stringValue: '{"x":1}' }, typeHint: 'JSON' },
    ])
  })

  test('hostile strings are values', async () => {
    const tool = open('SELECT echo, :text', { output: object({ text: TEXT }) })
    for (const text of hostileStrings().filter((each, at) => at % 5 === 0 && each.length < 1000)) {
      assert.equal((await call(tool, { text })).structured.text, text)
      assert.equal(JSON.parse(aws.seen.at(-2).body).sql, 'SELECT echo, :p1')
    }
  })

  test('an action commits; on Aurora MySQL a retrieval is rolled back', async () => {
    let seen = since()
    const output = object({ affected_rows: INTEGER, insert_id: INTEGER })
    assert.deepEqual((await call(open('SELECT written', { type: 'action', output }))).structured, {
      affected_rows: 2,
      insert_id: 9,
    })
    assert.equal(seen().at(-1), 'CommitTransaction')
    isMysql = true
    const other = openTransport('rds-data-api', { credentials })
    const tool = other.open('SELECT echo, :text', { output: object({ text: TEXT }) })
    seen = since()
    await call(tool, { text: 'a' })
    await call(tool, { text: 'b' })
    assert.deepEqual(seen(), [
      'BeginTransaction',
      'Execute SET LOCAL statement_timeout = 5000',
      'RollbackTransaction',
      'BeginTransaction',
      'Execute SELECT echo, :p1',
      'RollbackTransaction',
      'BeginTransaction',
      'Execute SELECT echo, :p1',
      'RollbackTransaction',
    ])
    isMysql = false
    await other.close()
  })

  test('errors have the codes of the database or of the service', async () => {
    const found = {}
    for (const name of ['unique', 'absent', 'writes', 'denied', 'slow']) {
      const { errorClass, native, message } = await failureOf(call(open(`SELECT ${name}`)))
      found[name] = [errorClass, native]
      assert.doesNotMatch(message, /canary/)
    }
    assert.deepEqual(found, {
      unique: ['execution_failed', '23505'],
      absent: ['setup_required', '42P01'],
      writes: ['setup_required', '25006'],
      denied: ['credential_missing', 'AccessDeniedException'],
      slow: ['timeout', 'StatementTimeoutException'],
    })
  })

  test('a cancelled call is rolled back', async () => {
    const seen = since()
    const controller = new AbortController()
    const before = hanging
    const running = failureOf(
      call(open('SELECT hang', { type: 'action', timeoutMs: 30_000 }), {}, controller.signal),
    )
    while (hanging === before) await new Promise((resolve) => setTimeout(resolve, 5))
    controller.abort(new Error('no longer wanted'))
    assert.equal((await running).message, 'no longer wanted')
    assert.equal(seen().at(-1), 'RollbackTransaction')
  })

  test('the name of the secret is needed', async () => {
    const { connection } = credentials
    const { secret_arn: _, ...rest } = connection
    const without = openTransport('rds-data-api', { credentials: { ...credentials, connection: rest } })
    assert.match(without.open('SELECT echo').missing().message, /also needs "secret_arn"/)
    const inVariable = openTransport('rds-data-api', {
      connection: { ...rest, username: 'u', password: 'canary-pw' },
    })
    assert.match((await failureOf(call(inVariable.open('SELECT echo')))).message, /also needs "secret_arn"/)
  })
})
