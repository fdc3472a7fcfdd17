import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import mysql from 'mysql2/promise'
import { databaseContract } from './databases/contract.mjs'
import { kyselyTests } from './databases/kysely-tests.mjs'
import { call, failureOf, INTEGER, object, openTransport, TEXT } from './databases/open-tool.mjs'
import { sqlServerTests } from './databases/sql-server-tests.mjs'
import { PASSWORD, startMariadb, whyNoMariadb } from './databases/start-mariadb.mjs'

const whyNot = whyNoMariadb()
if (whyNot !== undefined) {
  console.log(`The tests with MariaDB are skipped: ${whyNot}.`)
  test('MariaDB', { skip: whyNot }, () => {})
} else await testMariadb()

async function testMariadb() {
  const server = await startMariadb()
  const connection = {
    host: '127.0.0.1',
    port: server.port,
    database: 'shop',
    username: 'owner',
    password: PASSWORD,
  }
  const { username: user, ...rest } = connection
  const owner = await mysql.createConnection({ ...rest, user })
  const admin = async (sql) => (await owner.query(sql))[0]
  await admin('CREATE TABLE notes (id int PRIMARY KEY, text longtext)')
  await admin('CREATE TABLE vault (secret text)')
  await admin(`INSERT INTO vault VALUES ('the secret')`)
  await admin(
    `CREATE FUNCTION write_note() RETURNS int MODIFIES SQL DATA BEGIN INSERT INTO notes VALUES (900, 'written'); RETURN 900; END`,
  )
  await admin(`CREATE PROCEDURE write_by_call() BEGIN INSERT INTO notes VALUES (901, 'x'); END`)
  await admin(`CREATE PROCEDURE write_after_commit() BEGIN COMMIT; INSERT INTO notes VALUES (902, 'x'); END`)
  await admin(`CREATE USER reader@'%' IDENTIFIED BY 'canary-of-reader'`)
  await admin(`GRANT SELECT ON shop.notes TO reader@'%'`)
  const transport = openTransport('mysql', { connection })
  after(async () => {
    await transport.close()
    await owner.end()
    await server.stop()
  })
  const others = `FROM information_schema.processlist WHERE user = 'owner' AND id <> connection_id()`
  const count = async (what) => Number((await admin(`SELECT count(*) AS n ${what}`))[0].n)
  // Not the statements around it, which are as short as they are.
  const active = `${others} AND command IN ('Execute', 'Query') AND info REGEXP '^(SELECT|INSERT)' AND info NOT LIKE 'SELECT VERSION%'`
  const kill = async (which) => {
    for (const { id } of await admin(`SELECT id ${which}`)) await admin(`KILL ${id}`).catch(() => {})
  }

  describe('MariaDB', () => {
    sqlServerTests({
      title: 'MySQL',
      transport,
      admin,
      openLimited: (limits) => openTransport('mysql', { connection, limits }),
      insertNote: 'INSERT INTO notes (id, text) VALUES (:id, :text)',
      codes: { unique: '1062', syntax: '1064', table: '1146' },
      noteColumns: [
        { name: 'id', type: 'long' },
        { name: 'text', type: 'blob' },
      ],
      slowInsert: 'INSERT INTO notes SELECT 800, SLEEP(60)',
      slowSelect: 'SELECT SLEEP(60)',
      shortSelect: 'SELECT SLEEP(0.05)',
      manyRows: `SELECT seq AS n, 'some words' AS text FROM seq_1_to_100000 LIMIT :count`,
      running: () => count(active),
      connections: () => count(others),
      killRunning: () => kill(active),
      killIdle: () => kill(others),
    })

    test('[AML-FILE-10] a retrieval tool cannot write, whatever its SQL says', async () => {
      await admin('DELETE FROM notes')
      for (const sql of [
        'SELECT write_note()',
        `INSERT INTO notes VALUES (902, 'x')`,
        'DELETE FROM vault',
        'UPDATE vault SET secret = 1',
        'CALL write_by_call()',
        'CALL write_after_commit()',
        'CREATE TABLE other (id int)',
        'DROP TABLE vault',
        'TRUNCATE vault',
      ]) {
        const { errorClass, native } = await failureOf(call(transport.open(sql)))
        assert.deepEqual([errorClass, native], ['setup_required', '1792'], sql)
      }
      for (const sql of [`COMMIT; DELETE FROM vault`, `SELECT 1; DELETE FROM vault`]) {
        assert.match(transport.open(sql).missing().message, /it has 2 statements instead of one\.$/)
        assert.equal((await failureOf(call(transport.open(sql)))).errorClass, 'setup_required')
      }
      for (const sql of ['COMMIT', 'ROLLBACK', 'START TRANSACTION READ WRITE', 'SET autocommit = 1'])
        await call(transport.open(sql, { output: object({}) })).catch(() => {})
      assert.equal((await failureOf(call(transport.open('SELECT write_note()')))).native, '1792')
      assert.equal(await count('FROM notes'), 0)
      assert.equal(await count('FROM vault'), 1)
    })

    test('the same function writes in an action', async () => {
      const tool = transport.open('SELECT write_note() AS id', {
        type: 'action',
        output: object({ id: INTEGER }),
      })
      assert.deepEqual((await call(tool)).structured, { id: 900 })
      assert.equal(await count('FROM notes WHERE id = 900'), 1)
    })

    test('the id of a new row is in the result', async () => {
      await admin('CREATE TABLE IF NOT EXISTS counted (id int AUTO_INCREMENT PRIMARY KEY, text text)')
      const add = transport.open('INSERT INTO counted (text) VALUES (:text)', {
        type: 'action',
        input: object({ text: TEXT }),
        output: object({ insert_id: INTEGER, affected_rows: INTEGER }),
      })
      assert.deepEqual((await call(add, { text: 'a' })).structured, { insert_id: 1, affected_rows: 1 })
      const returning = transport.open('INSERT INTO counted (text) VALUES (:text) RETURNING id, text', {
        type: 'action',
        output: object({ id: INTEGER, text: TEXT }),
      })
      assert.deepEqual((await call(returning, { text: 'b' })).structured, { id: 2, text: 'b' })
    })

    test('values of every type come as JSON, as exact as it can hold them', async () => {
      const columns = {
        small: '1',
        big: '9007199254740993',
        exact: 'CAST(12.50 AS DECIMAL(10,2))',
        long: 'CAST(0.12345678901234567890 AS DECIMAL(30,20))',
        float: '1.5e0',
        nothing: 'NULL',
        bytes: `x'00ff'`,
        day: `CAST('2024-01-31' AS DATE)`,
        at: `CAST('2024-01-31 10:00:00.25' AS DATETIME(2))`,
        yes: 'TRUE',
        list: `JSON_ARRAY(1, 'a')`,
      }
      const sql = `SELECT ${Object.entries(columns)
        .map(([name, value]) => `${value} AS \`${name}\``)
        .join(', ')}`
      const output = object({ yes: { type: 'boolean' }, list: { type: 'object' } })
      const { structured } = await call(transport.open(sql, { output }))
      assert.deepEqual(structured, {
        small: 1,
        big: '9007199254740993',
        exact: 12.5,
        long: '0.12345678901234567890',
        float: 1.5,
        nothing: null,
        bytes: 'AP8=',
        day: '2024-01-31',
        at: '2024-01-31T10:00:00.25',
        yes: true,
        list: [1, 'a'],
      })
    })

    test('arrays, objects, numbers, booleans and null are bound', async () => {
      const tool = transport.open(
        `SELECT JSON_VALUE(:ids, '$[1]') AS second, JSON_VALUE(:data, '$.a') AS a, :n + 1 AS n, :yes = TRUE AS yes, :none IS NULL AS none`,
        {
          output: object({
            second: INTEGER,
            n: { type: 'number' },
            yes: { type: 'boolean' },
            none: { type: 'boolean' },
          }),
        },
      )
      assert.deepEqual(
        (await call(tool, { ids: [4, 5], data: { a: "it's" }, n: 1.5, yes: true })).structured,
        {
          second: 5,
          a: "it's",
          n: 2.5,
          yes: true,
          none: true,
        },
      )
    })

    test('an unprivileged user is refused what it has no right to', async () => {
      const reader = openTransport('mysql', {
        connection: { ...connection, username: 'reader', password: 'canary-of-reader' },
      })
      const { errorClass, native, needsOtherArguments } = await failureOf(
        call(reader.open('SELECT * FROM vault')),
      )
      assert.deepEqual(
        { errorClass, native, needsOtherArguments },
        { errorClass: 'execution_failed', native: '1142', needsOtherArguments: true },
      )
      const file = await failureOf(
        call(reader.open(`SELECT id FROM notes INTO OUTFILE '/tmp/toolcrib-notes'`)),
      )
      assert.equal(file.errorClass, 'execution_failed')
      await reader.close()
    })

    test('a wrong password is a missing credential, and is not shown', async () => {
      const wrong = openTransport('mysql', {
        connection: { ...connection, password: 'canary-that-is-wrong' },
      })
      const { errorClass, message, error } = await failureOf(call(wrong.open('SELECT 1')))
      assert.equal(errorClass, 'credential_missing')
      assert.equal(message, 'MySQL refused the login of "work"; check its credential (1045).')
      assert.doesNotMatch(JSON.stringify({ ...error, stack: error.stack }), /canary-that-is-wrong/)
      const secure = openTransport('mysql', { connection: { ...connection, sslmode: 'verify-full' } })
      assert.equal((await failureOf(call(secure.open('SELECT 1')))).errorClass, 'setup_required')
    })

    kyselyTests({
      transportWith: (code) => openTransport('mysql', { connection, code }),
      admin,
      readOnlyCode: '1792',
      uniqueCode: '1062',
    })

    databaseContract({
      engine: 'mysql',
      connection,
      sql: {
        answer: `SELECT CASE :text WHEN 'say it' THEN '${PASSWORD}' ELSE :text END AS text`,
        mismatch: 'SELECT 5 AS other',
        refuse: `SELECT id + CAST('${PASSWORD}' AS INT) AS text FROM notes WHERE EXTRACTVALUE('<a/>', :text) = EXTRACTVALUE('${PASSWORD}', '!${PASSWORD}')`,
        hang: 'SELECT SLEEP(60) AS text',
        large: `SELECT repeat('x', 3000000) AS text`,
      },
      refusal: { code: '1105', errorClass: 'execution_failed' },
      running: () => count(active),
      connections: () => count(others),
      before: () => transport.close(),
    })
  })
}
