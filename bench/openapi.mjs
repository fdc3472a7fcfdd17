// The cost of a call of an API through its OpenAPI document: a GET of 1 KB, compared with a bare undici request over the
// same number of connections. The API runs in a process of its own; rounds are interleaved, figures are medians.
import { fork } from 'node:child_process'
import { createServer } from 'node:http'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Pool } from 'undici'
import { createCrib, memoryStore } from 'toolcrib'
import { openapiSource } from 'toolcrib/openapi'

if (process.argv[2] === 'serve') serve()
else await compare()

function serve() {
  const body = JSON.stringify({ id: 1, text: 'a'.repeat(1000) })
  const server = createServer((request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length })
    response.end(body)
  })
  server.keepAliveTimeout = 60_000
  server.listen(0, '127.0.0.1', () => process.send(server.address().port))
}

async function compare() {
  const ROUNDS = Number(process.env.ROUNDS ?? 15)
  const REQUESTS = { 1: 400, 16: 1600 }
  const api = fork(fileURLToPath(import.meta.url), ['serve'])
  const port = await new Promise((resolve) => api.once('message', resolve))
  const folder = mkdtempSync(join(tmpdir(), 'toolcrib-bench-'))
  const server = `http://127.0.0.1:${port}`
  writeFileSync(join(folder, 'api.json'), JSON.stringify(documentOf()))
  const crib = await createCrib({
    store: memoryStore(),
    sources: [openapiSource({ name: 'items', document: join(folder, 'api.json'), server })],
    permission: { allow: ['api.items.*'] },
  })
  const surface = await crib.surface()
  try {
    for (const connections of [1, 16]) {
      const pool = new Pool(server, { connections })
      const bare = async (id) => {
        const { body } = await pool.request({ method: 'GET', path: `/items/${id}?view=full` })
        return body.json()
      }
      const governed = async (id) => {
        const input = { id: String(id), view: 'full' }
        const result = await crib.call(surface, { name: 'api.items.getItem', input })
        if (result.is_error) throw new Error(result.error.message)
      }
      const times = { bare: [], governed: [] }
      const cpu = { bare: [], governed: [] }
      for (let round = -3; round < ROUNDS; round++)
        for (const [name, request] of Object.entries({ bare, governed })) {
          const started = performance.now()
          const before = process.cpuUsage()
          await inParallel(connections, REQUESTS[connections], request)
          if (round < 0) continue
          const { user, system } = process.cpuUsage(before)
          times[name].push((performance.now() - started) / REQUESTS[connections])
          cpu[name].push((user + system) / REQUESTS[connections])
        }
      const [before, after] = [median(times.bare), median(times.governed)]
      console.log(
        `${connections} at a time: bare ${before.toFixed(3)} ms, governed ${after.toFixed(3)} ms per request; added ${(after - before).toFixed(3)} ms, throughput ${(before / after).toFixed(2)} of bare; CPU ${median(cpu.bare).toFixed(0)} and ${median(cpu.governed).toFixed(0)} µs`,
      )
      await pool.close()
    }
  } finally {
    await crib.close()
    api.kill()
    rmSync(folder, { recursive: true })
  }
}

async function inParallel(count, total, request) {
  let next = 0
  const work = async () => {
    while (next < total) await request(next++)
  }
  await Promise.all(Array.from({ length: count }, work))
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]
}

function documentOf() {
  const text = { type: 'string' }
  return {
    openapi: '3.1.0',
    info: { title: 'Items', version: '1' },
    paths: {
      '/items/{id}': {
        get: {
          operationId: 'getItem',
          summary: 'Get an item',
          parameters: [
            { name: 'id', in: 'path', required: true, schema: text },
            { name: 'view', in: 'query', schema: text },
          ],
          responses: {
            200: {
              description: 'The item',
              content: {
                'application/json': {
                  schema: { type: 'object', properties: { id: { type: 'integer' }, text }, required: ['id'] },
                },
              },
            },
          },
        },
      },
    },
  }
}
