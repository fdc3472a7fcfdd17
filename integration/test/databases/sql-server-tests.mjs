// What holds for every database server that is started for these tests. `db` has the names and types of the dialect.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hostileStrings } from './hostile-strings.mjs'
import { call, failureOf, INTEGER, object, rowsOf, TEXT } from './open-tool.mjs'

const NOTE = object({ id: INTEGER, text: TEXT })

/** `db.admin(sql)` runs a statement as the owner and returns its rows. */
export function sqlServerTests(db) {
  const { transport, admin } = db
  const { open } = transport
  const counted = async (table) => Number((await admin(`SELECT count(*) AS n FROM ${table}`))[0].n)

  test('500 hostile strings as arguments change nothing but the bound value', async () => {
    const texts = hostileStrings()
    assert.ok(texts.length >= 500, `there are ${texts.length}`)
    await admin('DELETE FROM notes')
    const insert = open(db.insertNote, {
      type: 'action',
      input: NOTE,
      output: object({ affected_rows: INTEGER }),
    })
    const find = open('SELECT id, text FROM notes WHERE text = :text AND id = :id -- :text', {
      input: NOTE,
      output: rowsOf({ id: INTEGER, text: TEXT }),
    })
    const refused = []
    await inGroups(texts, async (text, id) => {
      if (db.refuses?.(text)) {
        refused.push(text)
        const { errorClass, needsOtherArguments } = await failureOf(call(insert, { id, text }))
        assert.deepEqual(
          { errorClass, needsOtherArguments },
          { errorClass: 'execution_failed', needsOtherArguments: true },
        )
        return
      }
      assert.deepEqual(
        (await call(insert, { id, text })).structured,
        { affected_rows: 1 },
        JSON.stringify(text),
      )
      const { rows } = (await call(find, { id, text })).structured
      assert.deepEqual(rows, [{ id, text }], JSON.stringify(text))
    })
    const kept = texts.map((text, id) => ({ id, text })).filter(({ text }) => !refused.includes(text))
    const stored = await admin('SELECT id, text FROM notes ORDER BY id')
    assert.deepEqual(
      stored.map(({ id, text }) => ({ id: Number(id), text })),
      kept,
    )
    assert.equal(await counted('vault'), 1)
  })

  test('an argument binds as a value where the statement uses it as one', async () => {
    for (const text of ["1' OR '1'='1", 'id', '1; DELETE FROM notes', '(SELECT 1)'])
      assert.deepEqual(
        (await call(open('SELECT :text AS text', { input: NOTE, output: object({ text: TEXT }) }), { text }))
          .structured,
        { text },
      )
  })

  test('a statement that fails leaves nothing, and says why', async () => {
    await admin('DELETE FROM notes')
    const insert = open(db.insertNote, {
      type: 'action',
      input: NOTE,
      output: object({ affected_rows: INTEGER }),
    })
    await call(insert, { id: 1, text: 'one' })
    const { error: _, ...failure } = await failureOf(call(insert, { id: 1, text: 'two' }))
    assert.deepEqual(
      { ...failure, message: failure.message.split(':')[0] },
      {
        errorClass: 'execution_failed',
        code: 'toolcrib.database_error',
        message: `${db.title} refused the values of this call (${db.codes.unique})`,
        native: db.codes.unique,
        nothingHappened: true,
        needsOtherArguments: true,
      },
    )
    assert.deepEqual(
      (await admin('SELECT text FROM notes')).map(({ text }) => text),
      ['one'],
    )
  })

  test('wrong SQL is a matter of setup', async () => {
    for (const [sql, code] of [
      ['SELEC 1', db.codes.syntax],
      ['SELECT * FROM absent', db.codes.table],
    ]) {
      const { errorClass, native, nothingHappened } = await failureOf(call(open(sql)))
      assert.deepEqual(
        { errorClass, native, nothingHappened },
        { errorClass: 'setup_required', native: code, nothingHappened: true },
      )
    }
  })

  test('the output schema decides the shape of a result', async () => {
    await admin('DELETE FROM notes')
    await admin(`INSERT INTO notes (id, text) VALUES (1, 'one'), (2, 'two')`)
    const shape = async (sql, output) => (await call(open(sql, { output }))).structured
    const all = 'SELECT id, text FROM notes ORDER BY id'
    const rows = [
      { id: 1, text: 'one' },
      { id: 2, text: 'two' },
    ]
    assert.deepEqual(await shape(all, object({ rows: { type: 'array' } })), { rows })
    assert.deepEqual(
      await shape(all, object({ found: { type: 'array', items: NOTE }, row_count: INTEGER })),
      { found: rows, row_count: 2 },
    )
    assert.deepEqual(
      await shape('SELECT text FROM notes ORDER BY id', object({ texts: { type: 'array', items: TEXT } })),
      { texts: ['one', 'two'] },
    )
    assert.deepEqual(await shape(all, NOTE), { id: 1, text: 'one' })
    assert.deepEqual(
      await shape(
        'SELECT id, text, 7 AS total FROM notes WHERE id > 1',
        object({
          results: { type: 'array', items: { ...NOTE, additionalProperties: false } },
          total: INTEGER,
        }),
      ),
      { results: [{ id: 2, text: 'two' }], total: 7 },
    )
    assert.deepEqual(await shape('SELECT id FROM notes WHERE id > 9', object({ id: INTEGER })), {})
    assert.equal(
      (
        await failureOf(
          shape('SELECT id FROM notes WHERE id > 9', object({ id: INTEGER }, { required: ['id'] })),
        )
      ).code,
      'toolcrib.no_row',
    )
  })

  test('columns and their types are native facts', async () => {
    const { native } = await call(open('SELECT id, text FROM notes WHERE 1 = 0'))
    assert.deepEqual(native, { source: 'aml', columns: db.noteColumns, row_count: 0 })
  })

  test('a cancelled call ends its statement on the server and leaves nothing', async () => {
    const before = await counted('notes')
    const controller = new AbortController()
    const slow = open(db.slowInsert, { type: 'action', timeoutMs: 30_000, output: object({}) })
    const running = failureOf(call(slow, {}, controller.signal))
    await until(async () => (await db.running()) === 1)
    controller.abort(new Error('no longer wanted'))
    assert.equal((await running).message, 'no longer wanted')
    assert.equal(await db.running(), 0)
    assert.equal(await counted('notes'), before)
  })

  test('the server ends a statement that takes too long', async () => {
    const { errorClass, nothingHappened } = await failureOf(call(open(db.slowSelect, { timeoutMs: 100 })))
    assert.deepEqual({ errorClass, nothingHappened }, { errorClass: 'timeout', nothingHappened: true })
    assert.equal(await db.running(), 0)
  })

  test('a connection that breaks within an action may have left something', async () => {
    const slow = open(db.slowInsert, { type: 'action', timeoutMs: 30_000, output: object({}) })
    const running = failureOf(call(slow))
    await until(async () => (await db.running()) === 1)
    await db.killRunning()
    const { errorClass, code, nothingHappened } = await running
    assert.deepEqual(
      { errorClass, code, nothingHappened },
      { errorClass: 'execution_failed', code: 'toolcrib.server_lost', nothingHappened: false },
    )
  })

  test('a connection that broke while nobody used it is replaced', async () => {
    const tool = open('SELECT 1 AS one', { output: object({ one: INTEGER }) })
    await call(tool)
    await db.killIdle()
    assert.deepEqual((await call(tool)).structured, { one: 1 })
  })

  test('tools with the same credentials share at most ten connections', async () => {
    const tools = [
      open(db.shortSelect, { timeoutMs: 30_000, output: object({}) }),
      open(db.shortSelect, { timeoutMs: 30_000, output: object({}) }),
    ]
    let most = 0
    const watching = setInterval(async () => (most = Math.max(most, await db.connections())), 20)
    await Promise.all(Array.from({ length: 40 }, (_, at) => call(tools[at % 2])))
    clearInterval(watching)
    most = Math.max(most, await db.connections())
    assert.ok(most > 1 && most <= 10, `there were ${most}`)
    const blocked = Array.from({ length: 10 }, () =>
      call(open(db.slowSelect, { timeoutMs: 1000 })).catch(() => {}),
    )
    const { errorClass, code } = await failureOf(call(open('SELECT 1 AS one', { timeoutMs: 50 })))
    assert.deepEqual({ errorClass, code }, { errorClass: 'rate_limited', code: 'toolcrib.too_many_at_once' })
    await Promise.all(blocked)
  })

  test('a result over the limit fails instead of being cut', async () => {
    const limited = db.openLimited({ maxRows: 100, maxBytes: 50_000, inlineBytes: 1_000 })
    const many = (count) => call(limited.open(db.manyRows, { input: object({ count: INTEGER }) }), { count })
    assert.equal((await many(100)).structured.row_count, 100)
    const { code, message, needsOtherArguments } = await failureOf(many(101))
    assert.deepEqual(
      { code, needsOtherArguments },
      { code: 'toolcrib.answer_too_large', needsOtherArguments: true },
    )
    assert.equal(
      message,
      'The result of "work" has more than 100 rows; narrow the call, or add a LIMIT to its SQL.',
    )
    const long = limited.open(`SELECT repeat('x', 60000) AS text`)
    assert.match((await failureOf(call(long))).message, /more than 50000 bytes/)
    await limited.close()
  })

  test('large results arrive in parts, and the rest is not read where nobody wants it', async () => {
    const output = await open(db.manyRows, { input: object({ count: INTEGER }), timeoutMs: 30_000 }).call(
      { count: 90_000 },
      { stopSignal: new AbortController().signal },
    )
    assert.equal(output.mediaType, 'application/json')
    for await (const _ of output.stream) break
    await until(async () => (await db.running()) === 0)
    const { structured } = await call(
      open(db.manyRows, { input: object({ count: INTEGER }), timeoutMs: 30_000 }),
      { count: 90_000 },
    )
    assert.equal(structured.rows.length, 90_000)
    assert.equal(structured.row_count, 90_000)
  })
}

/** Ten at a time. */
async function inGroups(items, work) {
  for (let at = 0; at < items.length; at += 10)
    await Promise.all(items.slice(at, at + 10).map((item, index) => work(item, at + index)))
}

export async function until(holds) {
  for (const end = Date.now() + 15_000; !(await holds());) {
    if (Date.now() > end) throw new Error('It did not happen in time.')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
