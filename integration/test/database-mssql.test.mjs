import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { databaseContract } from './databases/contract.mjs'
import { hostileStrings } from './databases/hostile-strings.mjs'
import { call, failureOf, INTEGER, object, openTransport, TEXT } from './databases/open-tool.mjs'
import { PASSWORD, startTds } from './databases/start-tds.mjs'

const answers = {
  echo: ({ values: [text] }) => ({ columns: { text: 'nvarchar' }, rows: [[text]] }),
  types: () => ({
    columns: { small: 'int', big: 'bigint', yes: 'bit', day: 'date', text: 'nvarchar', none: 'nvarchar' },
    rows: [[7, '9007199254740993', true, '2024-01-31', 'a', null]],
  }),
  many: () => ({ columns: { n: 'int' }, rows: Array.from({ length: 3000 }, (_, n) => [n]) }),
  written: () => ({ affected: 3 }),
  unique: () => ({ error: { number: 2627, message: 'Violation of PRIMARY KEY constraint' } }),
  denied: () => ({ error: { number: 229, message: 'The SELECT permission was denied' } }),
  absent: () => ({ error: { number: 208, message: `Invalid object name 'x'` } }),
  deadlock: () => ({ error: { number: 1205, message: 'Transaction was deadlocked' } }),
  hang: () => 'hang',
  wrong: () => ({ columns: { other: 'int' }, rows: [[5]] }),
  large: () => ({ columns: { text: 'nvarchar' }, rows: [['x'.repeat(3_000_000)]] }),
  refuse: () => ({ error: { number: 245, message: `Conversion failed for ${PASSWORD}` } }),
}
const server = await startTds((request) => answers[/^SELECT (\w+)/.exec(request.sql)?.[1] ?? 'echo'](request))
const connection = {
  host: '127.0.0.1',
  port: server.port,
  database: 'shop',
  username: 'owner',
  password: PASSWORD,
}
const transport = openTransport('mssql', { connection })
const { open } = transport
after(async () => {
  await transport.close()
  await server.stop()
})
const since = () => {
  const from = server.seen.length
  return () => server.seen.slice(from)
}

describe('SQL Server (the wire of a stub)', () => {
  test('values are bound, and a retrieval is rolled back', async () => {
    const seen = since()
    const tool = open(
      `SELECT types FROM t WHERE a = :a AND b = :b AND c = :a AND d = ':a' AND e = :e AND f = :f AND g = :g AND h = :h`,
      {
        output: object({ small: INTEGER }),
      },
    )
    const input = { a: "it's", b: 5, e: 2 ** 40, f: 1.5, g: true, h: [1, { a: 2 }] }
    const { structured, native } = await call(tool, input)
    assert.deepEqual(structured, {
      small: 7,
      big: '9007199254740993',
      yes: true,
      day: '2024-01-31',
      text: 'a',
      none: null,
    })
    assert.deepEqual(seen(), [
      'begin',
      {
        sql: `SELECT types FROM t WHERE a = @1 AND b = @2 AND c = @1 AND d = ':a' AND e = @3 AND f = @4 AND g = @5 AND h = @6`,
        values: ["it's", 5, BigInt(2 ** 40), 1.5, true, '[1,{"a":2}]'],
      },
      'rollback',
    ])
    assert.deepEqual(native.columns[1], { name: 'big', type: 'intn' })
  })

  test('hostile strings are values', async () => {
    const tool = open('SELECT echo, :text', { output: object({ text: TEXT }) })
    for (const text of hostileStrings()) {
      const seen = since()
      assert.equal((await call(tool, { text })).structured.text, text)
      assert.deepEqual(seen()[1], { sql: 'SELECT echo, @1', values: [text] })
    }
  })

  test('an action commits, and rolls back where it fails', async () => {
    const seen = since()
    const output = object({ affected_rows: INTEGER })
    assert.deepEqual((await call(open('SELECT written', { type: 'action', output }))).structured, {
      affected_rows: 3,
    })
    await failureOf(call(open('SELECT unique', { type: 'action', output })))
    assert.deepEqual(
      seen().filter((each) => typeof each === 'string'),
      ['begin', 'commit', 'begin', 'rollback'],
    )
  })

  test('errors have the numbers of SQL Server', async () => {
    const classes = {}
    for (const name of ['unique', 'denied', 'absent', 'deadlock']) {
      const {
        errorClass,
        native,
        needsOtherArguments = false,
      } = await failureOf(call(open(`SELECT ${name}`)))
      classes[name] = [errorClass, native, needsOtherArguments]
    }
    assert.deepEqual(classes, {
      unique: ['execution_failed', '2627', true],
      denied: ['execution_failed', '229', true],
      absent: ['setup_required', '208', false],
      deadlock: ['execution_failed', '1205', false],
    })
  })

  test('a cancelled or late statement gets an attention signal', async () => {
    const seen = since()
    const controller = new AbortController()
    const running = failureOf(
      call(open('SELECT hang', { type: 'action', timeoutMs: 30_000 }), {}, controller.signal),
    )
    while (server.running() === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    controller.abort(new Error('no longer wanted'))
    assert.equal((await running).message, 'no longer wanted')
    assert.equal((await failureOf(call(open('SELECT hang', { timeoutMs: 50 })))).errorClass, 'timeout')
    assert.deepEqual(
      seen().filter((each) => typeof each === 'string'),
      ['begin', 'attention', 'rollback', 'begin', 'attention', 'rollback'],
    )
  })

  test('a lost connection, a refused login, several statements', async () => {
    const running = failureOf(call(open('SELECT hang', { type: 'action', timeoutMs: 30_000 })))
    while (server.running() === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    server.dropConnections()
    const lost = await running
    assert.deepEqual(
      [lost.errorClass, lost.code, lost.nothingHappened],
      ['execution_failed', 'toolcrib.server_lost', false],
    )
    const wrong = openTransport('mssql', { connection: { ...connection, password: 'canary-that-is-wrong' } })
    const login = await failureOf(call(wrong.open('SELECT echo')))
    assert.equal(login.errorClass, 'credential_missing')
    assert.doesNotMatch(login.message, /canary/)
    assert.match(open('SELECT 1; DELETE FROM t').missing().message, /2 statements/)
  })

  test('query_method orm: Kysely writes T-SQL, in one transaction', async () => {
    const seen = since()
    const work = async ({ text }, { db }) => ({
      rows: await db
        .selectFrom('notes')
        .select('text')
        .where('text', '=', text)
        .orderBy('id')
        .fetch(1)
        .execute(),
    })
    const typed = openTransport('mssql', { connection, code: { work } })
    await call(typed.open(undefined, { output: object({ rows: { type: 'array' } }) }), { text: "it's" })
    assert.deepEqual(seen(), [
      'begin',
      {
        sql: 'select "text" from "notes" where "text" = @1 order by "id" fetch next @2 rows only',
        values: ["it's", 1],
      },
      'rollback',
    ])
    await typed.close()
  })

  databaseContract({
    engine: 'mssql',
    connection,
    sql: {
      answer: 'SELECT echo, :text',
      mismatch: 'SELECT wrong',
      refuse: 'SELECT refuse, :text',
      hang: 'SELECT hang',
      large: 'SELECT large',
    },
    refusal: { code: '245', errorClass: 'execution_failed' },
    running: () => server.running(),
    connections: () => server.connections(),
    before: () => transport.close(),
  })
})
