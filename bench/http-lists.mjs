// Lists of the HTTP API over a record of 100,000 calls in SQLite: pages from the newest, deep in the list, and filtered. Prints
// milliseconds, the median and the slowest of 20 requests.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCrib, defineTool, sqliteStore } from '../lib/index.js'
import { serveCrib } from '../lib/server.js'

const CALLS = Number(process.env.CALLS ?? 100_000)
const ROUNDS = 20

const folder = mkdtempSync(join(tmpdir(), 'toolcrib-bench-'))
process.env.TOOLCRIB_SEAL_KEY = Buffer.alloc(32, 7).toString('base64')
const toolOf = (name) =>
  defineTool({
    namespace: 'bench',
    name,
    description: 'Give the number back.',
    isReadOnly: true,
    isOpenWorld: false,
    input: { jsonSchema: { type: 'object', properties: { at: { type: 'integer' } }, required: ['at'] } },
    execute: async ({ at }) => ({ at }),
  })
const crib = await createCrib({
  store: sqliteStore({ path: join(folder, 'crib.db') }),
  tools: [toolOf('often'), toolOf('rarely')],
})
const surfaces = await Promise.all(
  Array.from({ length: 50 }, (_, at) => crib.surface({ actor: `agent-${at % 5}`, session: `s${at}` })),
)
for (let at = 0; at < CALLS; at++) {
  const name = at % 1000 === 0 ? 'bench.rarely' : 'bench.often'
  const input = at % 500 === 0 ? {} : { at }
  await crib.call(surfaces[at % surfaces.length], { name, input })
}
await crib.flush()
const token = 'a-token-of-the-bench'
const server = await serveCrib({ crib, tokens: [{ actor: 'reader', roles: ['auditor'], token }] })

async function get(path) {
  const response = await fetch(`${server.url}/api/v1${path}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  if (response.status !== 200) throw new Error(`${path}: ${response.status}`)
  return response.json()
}

async function measure(title, path) {
  const took = []
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now()
    await get(path)
    took.push(performance.now() - start)
  }
  took.sort((a, b) => a - b)
  console.log(
    `${title.padEnd(44)} ${took[ROUNDS / 2].toFixed(1).padStart(7)} ${took.at(-1).toFixed(1).padStart(7)}`,
  )
}

let cursor = ''
for (let page = 0; page < 150; page++)
  cursor = (await get(`/invocations?limit=500${cursor && `&cursor=${cursor}`}`)).next_cursor
console.log(`${CALLS} calls; milliseconds: median, slowest`)
await measure('the newest 100', '/invocations?limit=100')
await measure('100 after 75,000 others', `/invocations?limit=100&cursor=${cursor}`)
await measure('100 of one session', '/invocations?limit=100&session=s7')
await measure('100 of a tool that is called rarely', '/invocations?limit=100&tool=bench.rarely')
await measure('100 that failed', '/invocations?limit=100&status=schema_parse_failed')
await measure('100 of a result status', '/invocations?limit=100&result_status=failed')
await measure('the approvals that wait', '/approvals')
await server.close()
await crib.close()
rmSync(folder, { recursive: true, force: true })
