import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCrib, defineTool, memoryStore, sqliteStore } from '../../dist/index.js'
import { perCall } from './per-call.mjs'
import { recordWork } from './record.mjs'

const CALLS = Number(process.env.CALLS ?? 100_000)

const describe = {
  namespace: 'math',
  description: 'Add two numbers.',
  input: {
    jsonSchema: {
      type: 'object',
      properties: { a: { type: 'number' }, b: { type: 'number' } },
      required: ['a', 'b'],
      additionalProperties: false,
    },
  },
  isOpenWorld: false,
}
const page = 'A short text that tells what the page is about, in a few words. '.repeat(16)
const reading = { isReadOnly: true, isConcurrencySafe: true }
const tools = [
  defineTool({ ...describe, ...reading, name: 'add', execute: async ({ a, b }) => ({ sum: a + b }) }),
  defineTool({ ...describe, ...reading, name: 'read_page', execute: async ({ b }) => `${page}${b}` }),
  defineTool({
    ...describe,
    name: 'write',
    isReadOnly: false,
    execute: async ({ a, b }) => ({ sum: a + b }),
  }),
]

/** Calls of one tool, per call. */
export async function profileCalls() {
  const folder = mkdtempSync(join(tmpdir(), 'toolcrib-profile-'))
  const inFile = (name) => () => sqliteStore({ path: join(folder, `${name}.db`) })
  try {
    return {
      'in memory': await profile({ store: memoryStore, name: 'math.add', calls: CALLS }),
      '1 KB of text': await profile({ store: memoryStore, name: 'math.read_page', calls: CALLS }),
      'SQLite, reads': await profile({ store: inFile('read'), name: 'math.add', calls: CALLS }),
      'SQLite, writes, 16 at once': await profile({
        store: inFile('write'),
        name: 'math.write',
        calls: CALLS / 5,
        width: 16,
      }),
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const allowAll = () => ({ behavior: 'allow' })

async function profile({ store, name, calls, width = 1 }) {
  const isWriting = width > 1
  const run = async (count) => {
    const crib = await createCrib({ tools, store: store(), ...(isWriting && { decider: allowAll }) })
    const lanes = Array.from({ length: width }, async (_, lane) => {
      const surface = await crib.surface({ scope: 'session', session: `s${lane}` })
      for (let index = 0; index < count / width; index++) {
        const { is_error: isError } = await crib.call(surface, { name, input: { a: 1, b: index } })
        if (isError) throw new Error('the call failed')
      }
    })
    await Promise.all(lanes)
    await crib.close()
  }
  await run(Math.min(20_000, calls))
  const { cpu, memory } = await recordWork(() => run(calls))
  return { cpu: perCall(cpu, calls), memory: perCall(memory, calls) }
}
