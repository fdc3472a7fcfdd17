import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { hostileStrings } from './databases/hostile-strings.mjs'
import { call, failureOf, INTEGER, object, openTransport, TEXT } from './databases/open-tool.mjs'
import { startEndpoint } from './endpoint.mjs'

const PASSWORD = 'canary-of-snowflake-90e3'
const column = (name, type, more = {}) => ({ name, type, nullable: true, scale: 0, precision: 38, ...more })
const table = (rowtype, ...rowset) => ({
  rowtype,
  rowset,
  total: rowset.length,
  returned: rowset.length,
  statementTypeId: 4096,
})
const refuse = (code, sqlState, message) => ({
  success: false,
  code,
  message,
  data: { sqlState, errorCode: code },
})
let release
const answers = {
  echo: ({ bindings }) => table([column('TEXT', 'text')], [bindings['1'].value]),
  types: () =>
    table(
      [
        column('N', 'fixed'),
        column('BIG', 'fixed'),
        column('EXACT', 'fixed', { scale: 2 }),
        column('YES', 'boolean'),
        column('DAY', 'date'),
        column('AT', 'timestamp_ntz', { scale: 3 }),
        column('DATA', 'variant'),
        column('NONE', 'text'),
      ],
      ['5', '9007199254740993', '12.50', '1', '19753', '1706695200.500', '{"a":[1]}', null],
    ),
  written: () => ({ ...table([column('number of rows inserted', 'fixed')], ['3']), statementTypeId: 12544 }),
  unique: () => refuse('100072', '22000', 'NULL result in a non-nullable column'),
  absent: () => refuse('002003', '42S02', `Object 'X' does not exist or not authorized.`),
  denied: () => refuse('003001', '42501', 'Insufficient privileges'),
  hang: () =>
    new Promise((resolve) => (release = () => resolve(refuse('000604', '57014', 'SQL execution canceled')))),
}
const statements = []
let logins = 0
const snowflake = await startEndpoint(async ({ url, body }) => {
  const { pathname } = new URL(url, 'http://x')
  if (pathname === '/session/v1/login-request') {
    logins++
    const { data } = JSON.parse(body)
    if (data.PASSWORD !== PASSWORD)
      return {
        json: {
          success: false,
          code: '390100',
          message: `Incorrect username or password: ${data.PASSWORD}`,
          data: {},
        },
      }
    const session = {
      token: 'token-of-session',
      masterToken: 'token-of-master',
      sessionId: 1,
      parameters: [],
    }
    return { json: { success: true, data: { ...session, sessionInfo: {} } } }
  }
  if (pathname === '/queries/v1/abort-request') {
    statements.push('abort')
    release?.()
    return { json: { success: true, data: {} } }
  }
  if (pathname !== '/queries/v1/query-request') return { json: { success: true, data: {} } }
  const request = JSON.parse(body)
  statements.push(request.sqlText)
  const name = /^SELECT (\w+)/.exec(request.sqlText)?.[1]
  const data = name === undefined ? table([column('status', 'text')], ['ok']) : await answers[name](request)
  if (data.success === false) return { json: data }
  return {
    json: {
      success: true,
      data: {
        queryId: `query-${statements.length}`,
        parameters: [],
        queryResultFormat: 'json',
        version: 1,
        ...data,
      },
    },
  }
})
after(() => snowflake.close())

const connection = {
  account: 'shop',
  warehouse: 'small',
  username: 'reader',
  password: PASSWORD,
  database: 'SHOP',
  access_url: snowflake.url,
}
const transport = openTransport('snowflake', { connection })
const { open } = transport
after(() => transport.close())
const bodies = () =>
  snowflake.seen.filter(({ url }) => url.startsWith('/queries/v1/query')).map(({ body }) => JSON.parse(body))

describe('Snowflake (the real client, a stub of the service)', () => {
  test('values are bound, and a retrieval is rolled back', async () => {
    const from = statements.length
    const tool = open('SELECT types WHERE a = :a AND b = :b AND c = :a AND d = :d AND e = :e', {
      output: object({ n: INTEGER, big: TEXT, data: { type: 'object' } }),
    })
    const { structured, native } = await call(tool, { a: "it's", b: 5, d: ['x', 'y'] })
    assert.deepEqual(structured, {
      n: 5,
      big: '9007199254740993',
      EXACT: 12.5,
      YES: true,
      DAY: '2024-01-31',
      AT: '2024-01-31T10:00:00.500',
      data: { a: [1] },
      NONE: null,
    })
    assert.deepEqual(statements.slice(from), [
      'BEGIN',
      'SELECT types WHERE a = ? AND b = ? AND c = ? AND d = ? AND e = ?',
      'ROLLBACK',
    ])
    const { bindings, parameters } = bodies().at(-2)
    assert.deepEqual(
      Object.values(bindings).map(({ value }) => value),
      ["it's", '5', "it's", '["x","y"]', null],
    )
    assert.deepEqual(parameters, { MULTI_STATEMENT_COUNT: 1, STATEMENT_TIMEOUT_IN_SECONDS: 5 })
    assert.match(native.query_id, /^query-/)
  })

  test('hostile strings are values', async () => {
    const tool = open('SELECT echo, :text', { output: object({ text: TEXT }) })
    for (const text of hostileStrings().filter((each, at) => at % 5 === 0 && each.length < 1000)) {
      assert.equal((await call(tool, { text })).structured.text, text)
      assert.equal(bodies().at(-2).sqlText, 'SELECT echo, ?')
    }
  })

  test('an action commits', async () => {
    const from = statements.length
    const tool = open('SELECT written', { type: 'action', output: object({ affected_rows: INTEGER }) })
    assert.deepEqual((await call(tool)).structured, { affected_rows: 3 })
    assert.deepEqual(statements.slice(from), ['BEGIN', 'SELECT written', 'COMMIT'])
  })

  test('errors have the numbers of Snowflake', async () => {
    const found = {}
    for (const name of ['unique', 'absent', 'denied']) {
      const { errorClass, native } = await failureOf(call(open(`SELECT ${name}`)))
      found[name] = [errorClass, native]
    }
    assert.deepEqual(found, {
      unique: ['execution_failed', '100072'],
      absent: ['setup_required', '2003'],
      denied: ['execution_failed', '3001'],
    })
    const wrong = openTransport('snowflake', {
      connection: { ...connection, password: 'canary-that-is-wrong' },
    })
    const { errorClass, message } = await failureOf(call(wrong.open('SELECT echo, :text')))
    assert.equal(errorClass, 'credential_missing')
    assert.equal(message, 'Snowflake refused the login of "work"; check its credential (390100).')
  })

  test('a cancelled call aborts its statement', async () => {
    const from = statements.length
    const controller = new AbortController()
    const running = failureOf(
      call(open('SELECT hang', { type: 'action', timeoutMs: 30_000 }), {}, controller.signal),
    )
    while (!statements.slice(from).includes('SELECT hang'))
      await new Promise((resolve) => setTimeout(resolve, 5))
    controller.abort(new Error('no longer wanted'))
    assert.equal((await running).message, 'no longer wanted')
    assert.deepEqual(statements.slice(from), ['BEGIN', 'SELECT hang', 'abort', 'ROLLBACK'])
    assert.ok(logins > 0)
  })
})
