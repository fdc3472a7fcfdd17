import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import pg from 'pg'
import { call, failureOf, INTEGER, object, openTransport, TEXT } from './databases/open-tool.mjs'
import { sqlServerTests, until } from './databases/sql-server-tests.mjs'
import { PASSWORD, startPostgres } from './databases/start-postgres.mjs'
import { databaseContract } from './databases/contract.mjs'
import { kyselyTests } from './databases/kysely-tests.mjs'
import { toolFolderTests } from './databases/tool-folder-tests.mjs'
import { startEndpoint } from './endpoint.mjs'

const server = await startPostgres()
const connection = {
  host: '127.0.0.1',
  port: server.port,
  database: 'postgres',
  username: 'owner',
  password: PASSWORD,
}
const owner = new pg.Client({ ...connection, user: 'owner', application_name: 'owner' })
await owner.connect()
const admin = async (sql) => (await owner.query(sql)).rows
await admin(`
  CREATE TABLE notes (id int PRIMARY KEY, text text);
  CREATE TABLE vault (secret text);
  INSERT INTO vault VALUES ('the secret');
  CREATE FUNCTION write_note() RETURNS int LANGUAGE sql AS $$ INSERT INTO notes VALUES (900, 'written') RETURNING id $$;
  CREATE FUNCTION write_dynamically() RETURNS int LANGUAGE plpgsql AS $$ BEGIN EXECUTE 'INSERT INTO notes VALUES (901, ''x'')'; RETURN 1; END $$;
  CREATE PROCEDURE write_after_commit() LANGUAGE plpgsql AS $$ BEGIN COMMIT; INSERT INTO notes VALUES (906, 'x'); END $$;
  CREATE SEQUENCE numbers;
  CREATE ROLE reader LOGIN PASSWORD 'canary-of-reader';
`)
const transport = openTransport('postgresql', { connection })
after(async () => {
  await transport.close()
  await owner.end()
  await server.stop()
})

const activity = `FROM pg_stat_activity WHERE application_name = 'toolcrib'`
// Not the statements around it, which are as short as they are.
const active = `${activity} AND state = 'active' AND query ~ '^(SELECT|INSERT)' AND query NOT LIKE '%pg_cancel_backend%'`
const count = async (what) => Number((await admin(`SELECT count(*) AS n ${what}`))[0].n)

describe('PostgreSQL', () => {
  sqlServerTests({
    title: 'PostgreSQL',
    transport,
    admin,
    openLimited: (limits) => openTransport('postgresql', { connection, limits }),
    insertNote: 'INSERT INTO notes (id, text) VALUES (:id, :text)',
    // PostgreSQL has no text with this character.
    refuses: (text) => text.includes('\u0000'),
    codes: { unique: '23505', syntax: '42601', table: '42P01' },
    noteColumns: [
      { name: 'id', type: 'int4' },
      { name: 'text', type: 'text' },
    ],
    slowInsert: `INSERT INTO notes SELECT 800, pg_sleep(60)::text`,
    slowSelect: 'SELECT pg_sleep(60)',
    shortSelect: 'SELECT pg_sleep(0.05)',
    manyRows: `SELECT n, 'some words' AS text FROM generate_series(1, :count) AS n`,
    running: () => count(active),
    connections: () => count(activity),
    killRunning: () => admin(`SELECT pg_terminate_backend(pid) ${active}`),
    killIdle: () => admin(`SELECT pg_terminate_backend(pid) ${activity}`),
  })

  test('[AML-FILE-10] a retrieval tool cannot write, whatever its SQL says', async () => {
    await admin('DELETE FROM notes')
    for (const sql of [
      'SELECT write_note()',
      'SELECT write_dynamically()',
      `INSERT INTO notes VALUES (902, 'x') RETURNING id`,
      `WITH new AS (INSERT INTO notes VALUES (903, 'x') RETURNING id) SELECT * FROM new`,
      'DELETE FROM vault',
      'CREATE TABLE other (id int)',
      `SELECT nextval('numbers')`,
      'SELECT * FROM vault FOR UPDATE',
      'DO $$ BEGIN PERFORM write_note(); END $$',
      'CALL absent()',
    ]) {
      const { errorClass, native } = await failureOf(call(transport.open(sql)))
      assert.equal(errorClass, 'setup_required', sql)
      assert.match(native, /^(?:25006|25001|42883)$/, sql)
    }
    for (const sql of [
      `COMMIT; INSERT INTO notes VALUES (904, 'x')`,
      `SELECT 1; INSERT INTO notes VALUES (905, 'x')`,
      `SELECT '; /* ' ; DELETE FROM vault /* ' */`,
    ]) {
      const tool = transport.open(sql)
      assert.equal(
        tool.missing().message,
        'tools/work.sql cannot be used: it has 2 statements instead of one.',
      )
      assert.equal((await failureOf(call(tool))).errorClass, 'setup_required')
    }
    // They end the transaction themselves; nothing comes after them.
    for (const sql of [
      'COMMIT',
      'ROLLBACK',
      'CALL write_after_commit()',
      'SET TRANSACTION READ WRITE',
      `SELECT set_config('transaction_read_only', 'off', true), write_note()`,
      'SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE',
    ])
      await call(transport.open(sql, { output: object({}) })).catch(() => {})
    assert.equal((await failureOf(call(transport.open('SELECT write_note()')))).native, '25006')
    assert.equal(await count('FROM notes'), 0)
    assert.equal(await count('FROM vault'), 1)
    assert.equal(
      (await failureOf(call(transport.open('SELECT write_note()')))).message.split(' (')[0],
      'The SQL of "work" writes, and a retrieval tool only reads; make it an action',
    )
  })

  test('the same function writes in an action', async () => {
    const { structured } = await call(
      transport.open('SELECT write_note() AS id', { type: 'action', output: object({ id: INTEGER }) }),
    )
    assert.deepEqual(structured, { id: 900 })
    assert.equal(await count('FROM notes WHERE id = 900'), 1)
    const returning = transport.open('INSERT INTO notes VALUES (:id, :text) RETURNING id, text', {
      type: 'action',
      input: object({ id: INTEGER, text: TEXT }),
      output: object({ id: INTEGER, text: TEXT, affected_rows: INTEGER }),
    })
    assert.deepEqual((await call(returning, { id: 7, text: 'seven' })).structured, {
      id: 7,
      text: 'seven',
      affected_rows: 1,
    })
  })

  test('values of every type come as JSON, as exact as it can hold them', async () => {
    const columns = {
      small: `1::int2`,
      big: '9007199254740993::int8',
      ok: `42::int8`,
      exact: '12.50::numeric',
      long: '0.12345678901234567890::numeric',
      float: '1.5::float8',
      nan: `'NaN'::float8`,
      yes: 'true',
      nothing: 'null::text',
      bytes: `'\\x00ff'::bytea`,
      day: `'2024-01-31'::date`,
      at: `'2024-01-31 10:00:00.25'::timestamp`,
      zoned: `'2024-01-31 10:00:00+02'::timestamptz`,
      times: `ARRAY['2024-01-31'::date]`,
      list: `ARRAY['a', NULL, 'b"c']`,
      bigs: 'ARRAY[1::int8]',
      object: `'{"a":[1]}'::jsonb`,
      uuid: `'0e37df36-f698-11e6-8dd4-cb9ced3df976'::uuid`,
      span: `'1 day'::interval`,
    }
    await admin(`ALTER ROLE owner SET timezone = 'Asia/Kolkata'`)
    const fresh = openTransport('postgresql', { connection })
    const sql = `SELECT ${Object.entries(columns)
      .map(([name, value]) => `${value} AS "${name}"`)
      .join(', ')}`
    const { structured } = await call(fresh.open(sql, { output: object({}) }))
    assert.deepEqual(structured, {
      small: 1,
      big: '9007199254740993',
      ok: 42,
      exact: 12.5,
      long: '0.12345678901234567890',
      float: 1.5,
      nan: 'NaN',
      yes: true,
      nothing: null,
      bytes: 'AP8=',
      day: '2024-01-31',
      at: '2024-01-31T10:00:00.25',
      zoned: '2024-01-31T13:30:00+05:30',
      times: ['2024-01-31'],
      list: ['a', null, 'b"c'],
      bigs: ['1'],
      object: { a: [1] },
      uuid: '0e37df36-f698-11e6-8dd4-cb9ced3df976',
      span: '1 day',
    })
    await fresh.close()
    await admin(`ALTER ROLE owner RESET timezone`)
  })

  test('arrays, objects, numbers, booleans, dates and null are bound', async () => {
    const input = object({
      ids: { type: 'array' },
      data: { type: 'object' },
      n: { type: 'number' },
      yes: { type: 'boolean' },
      at: TEXT,
    })
    const tool = transport.open(
      `SELECT :ids::int[] AS ids, :data::jsonb AS data, :n::numeric AS n, :yes::boolean AS yes, :at::timestamptz > '2020-01-01' AS later, :none::text AS none,
              (:list::jsonb) AS list, 5 = ANY(:ids::int[]) AS has`,
      { input, output: object({ ids: { type: 'array' }, list: { type: 'array' } }) },
    )
    const given = {
      ids: [1, 5],
      data: { a: "it's" },
      n: 1.25,
      yes: true,
      at: '2024-01-31T10:00:00Z',
      list: [{ a: 1 }],
    }
    assert.deepEqual((await call(tool, given)).structured, {
      ids: [1, 5],
      data: { a: "it's" },
      n: 1.25,
      yes: true,
      later: true,
      none: null,
      list: [{ a: 1 }],
      has: true,
    })
    const optional = transport.open(
      'SELECT id FROM notes WHERE (:text::text IS NULL OR text = :text) AND id = 7',
      {
        output: object({ id: INTEGER }),
      },
    )
    assert.deepEqual((await call(optional)).structured, { id: 7 })
  })

  test('an unprivileged role is refused what it has no right to', async () => {
    const reader = openTransport('postgresql', {
      connection: { ...connection, username: 'reader', password: 'canary-of-reader' },
    })
    const { errorClass, native, needsOtherArguments } = await failureOf(
      call(reader.open('SELECT * FROM vault')),
    )
    assert.deepEqual(
      { errorClass, native, needsOtherArguments },
      { errorClass: 'execution_failed', native: '42501', needsOtherArguments: true },
    )
    const program = await failureOf(call(reader.open(`COPY (SELECT 1) TO PROGRAM 'id'`)))
    assert.equal(program.native, '42501')
    await reader.close()
  })

  test('a wrong password is a missing credential, and is not shown', async () => {
    const wrong = openTransport('postgresql', {
      connection: { ...connection, password: 'canary-that-is-wrong' },
    })
    const { error, ...failure } = await failureOf(call(wrong.open('SELECT 1')))
    assert.deepEqual(failure, {
      errorClass: 'credential_missing',
      code: 'toolcrib.credential_missing',
      message: 'PostgreSQL refused the login of "work"; check its credential (28P01).',
      native: '28P01',
      nothingHappened: true,
      needsOtherArguments: undefined,
    })
    assert.doesNotMatch(JSON.stringify({ ...error, stack: error.stack }), /canary-that-is-wrong/)
    await wrong.close()
    const closed = openTransport('postgresql', { connection: { ...connection, port: 1 } })
    const unreachable = await failureOf(call(closed.open('SELECT 1')))
    assert.deepEqual(
      [unreachable.errorClass, unreachable.code, unreachable.message],
      [
        'dependency_unavailable',
        'toolcrib.server_unavailable',
        'The database of "work" cannot be reached (ECONNREFUSED).',
      ],
    )
  })

  test('a rotated password is read again after the login is refused', async () => {
    await admin(`CREATE ROLE rotated LOGIN PASSWORD 'canary-before'`)
    let password = 'canary-before'
    const aws = await startEndpoint(() => ({
      json: { Name: 'db', SecretString: JSON.stringify({ ...connection, username: 'rotated', password }) },
    }))
    Object.assign(process.env, {
      AWS_ENDPOINT_URL_SECRETS_MANAGER: aws.url,
      AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
      AWS_SECRET_ACCESS_KEY: 'secret-of-the-process',
      AWS_REGION: 'eu-central-1',
    })
    const secret = { source: 'aws_secrets_manager', secret_id: 'db' }
    const credentials = {
      scheme: 'service-account',
      settings: { kind: 'secret', scheme: 'service-account', secret },
    }
    const rotating = openTransport('postgresql', { credentials })
    const tool = rotating.open('SELECT current_user AS who', { output: object({ who: TEXT }) })
    assert.deepEqual((await call(tool)).structured, { who: 'rotated' })
    password = 'canary-after'
    await admin(`ALTER ROLE rotated PASSWORD 'canary-after'`)
    await admin(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'rotated'`)
    await until(async () => (await count(`FROM pg_stat_activity WHERE usename = 'rotated'`)) === 0)
    assert.deepEqual((await call(tool)).structured, { who: 'rotated' })
    assert.equal(aws.seen.length, 2)
    assert.ok(rotating.live.list.includes('canary-after'))
    await rotating.close()
    await aws.close()
  })

  test('TLS is checked where the connection asks for it', async () => {
    const at = (more) => {
      const secure = openTransport('postgresql', { connection: { ...connection, ...more } })
      const tool = secure.open('SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()', {
        output: object({ ssl: { type: 'boolean' } }),
      })
      return call(tool).finally(() => secure.close())
    }
    assert.deepEqual((await at({})).structured, { ssl: false })
    assert.deepEqual((await at({ sslmode: 'require' })).structured, { ssl: true })
    const { errorClass, code, message } = await failureOf(at({ sslmode: 'verify-full' }))
    assert.deepEqual({ errorClass, code }, { errorClass: 'setup_required', code: 'toolcrib.setup_required' })
    assert.match(
      message,
      /^The database of "work" has no TLS or a certificate that is not trusted; set "ssl_ca" or "sslmode"/,
    )
    assert.deepEqual((await at({ sslmode: 'verify-full', ssl_ca: server.certificate })).structured, {
      ssl: true,
    })
  })

  kyselyTests({
    transportWith: (code) => openTransport('postgresql', { connection, code }),
    admin,
    readOnlyCode: '25006',
    uniqueCode: '23505',
  })

  toolFolderTests({ connection, admin })

  databaseContract({
    engine: 'postgresql',
    connection,
    sql: {
      answer: `SELECT CASE :text::text WHEN 'say it' THEN '${PASSWORD}' ELSE :text END AS text`,
      mismatch: 'SELECT 5 AS other',
      refuse: `SELECT (:text || '${PASSWORD}')::int AS text`,
      hang: `SELECT pg_sleep(60)::text AS text`,
      large: `SELECT repeat('x', 3000000) AS text`,
    },
    refusal: { code: '22P02', errorClass: 'execution_failed' },
    running: () => count(active),
    connections: () => count(activity),
    before: () => transport.close(),
  })
})
