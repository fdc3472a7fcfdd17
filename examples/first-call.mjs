// The README's first example: one tool, one call, one result, and the story of it. The record is kept in a folder that is
// removed at the end.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCrib, defineTool, sqliteStore } from 'toolcrib'
import { z } from 'zod'

const folder = mkdtempSync(join(tmpdir(), 'toolcrib-example-'))

const add = defineTool({
  namespace: 'math',
  name: 'add',
  description: 'Add two numbers.',
  input: z.object({ a: z.number(), b: z.number() }),
  isReadOnly: true,
  isOpenWorld: false,
  isConcurrencySafe: true,
  execute: async ({ a, b }) => ({ sum: a + b }),
})

const crib = await createCrib({ tools: [add], store: sqliteStore({ path: join(folder, 'crib.db') }) })
const surface = await crib.surface()
const result = await crib.call(surface, { name: 'math.add', input: { a: 1, b: 2 }, nativeCallId: 'call_1' })
console.log(result.status, result.structured_content) // succeeded { sum: 3 }

const { invocation, decisions } = await crib.story(result.invocation_id)
assert.deepEqual(result.structured_content, { sum: 3 })
assert.equal(invocation.native_call_id, 'call_1')
assert.equal(decisions[0].behavior, 'allow')

const refused = await crib.call(surface, { name: 'math.add', input: { a: 1 } })
console.log(refused.error.message)
assert.equal(refused.is_error, true)

await crib.close()
rmSync(folder, { recursive: true })
