import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createCrib, memoryStore } from '../../build/index.js'
import { toolFileSource } from '../../build/tool-files.js'

const toolFile = ({ id, type, input, output, method = 'parameterised-sql' }) => `---
spec_version: "1.2"
tool_id: "${id}"
version: "1.0.0"
status: "active"
meta:
  name: "${id}"
  description: "Works with notes."
  owner: "tests"
type: "${type}"
interface:
  input: ${JSON.stringify({ type: 'object', properties: input })}
  output: ${JSON.stringify({ type: 'object', ...output })}
transport:
  type: "database"
  engine: "postgresql"
  query_method: "${method}"
  credentials: { scheme: "service-account", source: "env", name: "DB" }
use_guidance:
  use_when: ["a test runs"]
  avoid_when: ["no test runs"]
  side_effects: ["Writes a note."]
---
`

const TEXT = { type: 'string' }
const ID = { type: 'integer' }
const NOTES = { type: 'array', items: { type: 'object', properties: { id: ID, text: TEXT } } }

/** From files on disk to a real server, through a crib. */
export function toolFolderTests({ connection, admin }) {
  test('tool files with their SQL beside them are called through a crib', async () => {
    await admin('DELETE FROM notes')
    const folder = mkdtempSync(join(tmpdir(), 'toolcrib-folder-'))
    mkdirSync(join(folder, 'tools'))
    const write = (name, text) => writeFileSync(join(folder, 'tools', name), text)
    const found = { properties: { notes: NOTES, row_count: ID }, required: ['notes', 'row_count'] }
    const added = { properties: { id: ID }, required: ['id'] }
    write(
      'find-notes.tool.md',
      toolFile({ id: 'find-notes', type: 'retrieval', input: { text: TEXT }, output: found }),
    )
    write('find-notes.sql', `SELECT id, text FROM notes WHERE text = :text -- not ':id'\n`)
    write(
      'add-note.tool.md',
      toolFile({ id: 'add-note', type: 'action', input: { id: ID, text: TEXT }, output: added }),
    )
    write('add-note.sql', 'INSERT INTO notes (id, text) VALUES (:id, :text) RETURNING id;\n')
    write(
      'count-notes.tool.md',
      toolFile({ id: 'count-notes', type: 'retrieval', input: {}, output: added, method: 'orm' }),
    )
    const problems = []
    const source = toolFileSource({
      name: 'shop',
      folder,
      env: { DB: JSON.stringify(connection) },
      code: {
        'count-notes': async (input, { db }) => {
          const { n } = await db
            .selectFrom('notes')
            .select((of) => of.fn.countAll().as('n'))
            .executeTakeFirstOrThrow()
          return { id: Number(n) }
        },
      },
      onProblem: (message) => problems.push(message),
    })
    const crib = await createCrib({
      store: memoryStore(),
      sources: [source],
      decider: () => ({ behavior: 'allow' }),
    })
    try {
      const surface = await crib.surface()
      const called = async (name, input) => {
        const { structured_content: output, error } = await crib.call(surface, {
          name: `aml.shop.${name}`,
          input,
        })
        return output ?? error?.message
      }
      const text = `it's; DROP TABLE notes; --`
      assert.deepEqual(await called('add-note', { id: 1, text }), { id: 1 }, problems.join())
      assert.match(
        await called('add-note', { id: 1, text }),
        /^PostgreSQL refused the values of this call \(23505\)/,
      )
      assert.deepEqual(await called('find-notes', { text }), { notes: [{ id: 1, text }], row_count: 1 })
      assert.deepEqual(await called('count-notes', {}), { id: 1 })
    } finally {
      await crib.close()
      rmSync(folder, { recursive: true, force: true })
    }
  })
}
