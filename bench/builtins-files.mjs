// The cost of reading a file of 5 MB through the whole pipeline, compared with a bare readFile. Every read is of a file that was
// not read before, so that nothing is remembered. read_file reads all of the file (digest, encoding, number of lines) and gives
// its first page; the second figure pages through all of it.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCrib, memoryStore } from '../lib/index.js'
import { builtinSource } from '../lib/builtins.js'

const ROUNDS = Number(process.env.ROUNDS ?? 60)
const WARM_UP = 20
const BYTES = 5_000_000
const MOST = 3

const folder = mkdtempSync(join(tmpdir(), 'toolcrib-bench-'))
const crib = await createCrib({
  store: memoryStore(),
  workspace: folder,
  sources: [builtinSource('files', {}, { folder })],
})
const surface = await crib.surface()

const line = (index) =>
  `export const value${index} = describe('a line of code', { index: ${index} }) // and why it is so\n`
let text = ''
for (let index = 0; text.length < BYTES; index++) text += line(index)
text = text.slice(0, BYTES)

const read = async (path, more = {}) => {
  const result = await crib.call(surface, { name: 'read_file', input: { path, ...more } })
  if (result.is_error) throw new Error(result.error.message)
  return result.structured_content
}

const times = { bare: [], bytes: [], piped: [] }
const timed = async (list, work) => {
  const start = performance.now()
  await work()
  list.push(performance.now() - start)
}

try {
  for (let round = 0; round < WARM_UP + ROUNDS; round++) {
    const path = join(folder, `${round}.ts`)
    writeFileSync(path, text)
    const into = round < WARM_UP ? { bare: [], bytes: [], piped: [] } : times
    await timed(into.bare, () => readFile(path, 'utf8'))
    await timed(into.piped, () => read(path))
    await timed(into.bytes, () => readFile(path))
    rmSync(path)
  }
  const path = join(folder, 'pages.ts')
  writeFileSync(path, text)
  const start = performance.now()
  let pages = 0
  for (let next = 1; next !== undefined; pages++) next = (await read(path, { start_line: next })).next_line
  const paging = performance.now() - start
  const [bare, bytes, piped] = [times.bare, times.bytes, times.piped].map(median)
  console.log(`bare readFile of 5 MB as text    ${bare.toFixed(2)} ms`)
  console.log(`bare readFile of 5 MB as bytes   ${bytes.toFixed(2)} ms`)
  console.log(
    `read_file of 5 MB, first page    ${piped.toFixed(2)} ms   ${(piped / bare).toFixed(2)} times the text, ${(piped / bytes).toFixed(2)} times the bytes`,
  )
  console.log(`all of it in ${pages} pages            ${paging.toFixed(0)} ms`)
  if (piped / bare >= MOST) {
    console.error(`read_file takes ${MOST} times a bare readFile or more.`)
    process.exitCode = 1
  }
} finally {
  await crib.close()
  rmSync(folder, { recursive: true, force: true })
}

function median(list) {
  return list.toSorted((a, b) => a - b)[list.length >> 1]
}
