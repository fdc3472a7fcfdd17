import assert from 'node:assert/strict'
import { test } from 'node:test'
import { call, failureOf, INTEGER, object, TEXT } from './open-tool.mjs'

/** Code that is registered for a tool gets a query builder in the transaction of the call. */
export function kyselyTests({ transportWith, admin, readOnlyCode, uniqueCode }) {
  const NOTE = object({ id: INTEGER, text: TEXT })
  const output = object({ rows: { type: 'array' }, count: INTEGER })

  async function calling(work, { type = 'retrieval', input = {} } = {}) {
    const transport = transportWith({ work })
    try {
      return (await call(transport.open(undefined, { type, input: NOTE, output }), input)).structured
    } finally {
      await transport.close()
    }
  }

  test('query_method orm: code reads with a query builder', async () => {
    await admin('DELETE FROM notes')
    await admin(`INSERT INTO notes (id, text) VALUES (1, 'one'), (2, 'it''s')`)
    const found = await calling(
      async ({ text }, { db }) => ({
        rows: await db.selectFrom('notes').select(['id', 'text']).where('text', '=', text).execute(),
        count: Number(
          (
            await db
              .selectFrom('notes')
              .select((of) => of.fn.countAll().as('n'))
              .executeTakeFirstOrThrow()
          ).n,
        ),
      }),
      { input: { text: "it's" } },
    )
    assert.deepEqual(found, { rows: [{ id: 2, text: "it's" }], count: 2 })
  })

  test('query_method orm: an action commits, and its failure leaves nothing', async () => {
    await admin('DELETE FROM notes')
    const add = async ({ id, text }, { db }) => {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('notes')
        .values({ id, text })
        .executeTakeFirst()
      if (text === 'wrong') throw new Error('the code does not like it')
      return { count: Number(numInsertedOrUpdatedRows) }
    }
    assert.deepEqual(await calling(add, { type: 'action', input: { id: 1, text: 'one' } }), { count: 1 })
    assert.equal(
      (await failureOf(calling(add, { type: 'action', input: { id: 2, text: 'wrong' } }))).message,
      'the code does not like it',
    )
    const unique = await failureOf(calling(add, { type: 'action', input: { id: 1, text: 'two' } }))
    assert.deepEqual([unique.native, unique.needsOtherArguments], [uniqueCode, true])
    assert.deepEqual(
      (await admin('SELECT id, text FROM notes')).map(({ id, text }) => [Number(id), text]),
      [[1, 'one']],
    )
  })

  test('query_method orm: code of a retrieval tool cannot write, nor use the database after its end', async () => {
    const write = (input, { db }) => db.insertInto('notes').values({ id: 5, text: 'x' }).execute()
    assert.equal((await failureOf(calling(write))).native, readOnlyCode)
    let kept
    await calling(async (input, { db }) => ((kept = db), {}))
    await assert.rejects(kept.selectFrom('notes').selectAll().execute(), /The call has ended/)
    const nested = (input, { db }) =>
      db.transaction().execute((inner) => inner.selectFrom('notes').selectAll().execute())
    assert.match((await failureOf(calling(nested))).message, /one transaction already/)
    const transport = transportWith({})
    assert.match((await failureOf(call(transport.open(undefined)))).message, /export a function under its id/)
  })
}
