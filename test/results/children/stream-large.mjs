import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { createCrib, defineTool, sqliteStore } from 'toolcrib'
import { fileBlobs } from 'toolcrib/blobs'

/**
 * Streams a text of this many megabytes through a tool, into files beside a real store, and reads in it. Prints the
 * measurements as one line of JSON: what the generator knows about its text, what the crib reports about it, and the
 * cost.
 */
const [folder, megabytes] = [process.argv[2], Number(process.argv[3])]

const LINE_BYTES = 100
const BLOCK_LINES = 10_000
const BLOCKS = megabytes
const NUMBER_DIGITS = 10
const SAMPLE_MS = 10

const WORDS = [
  'INFO  worker took a job from the queue and has begun to work on it without any haste',
  'INFO  GET /api/items?page=3&size=50 answered 200 with 5120 bytes after 12 ms here',
  'DEBUG cache held the entry, so nothing was asked of the store behind it this time',
  'INFO  {"step":"convert","state":"done","items":250,"skipped":0,"note":"as it was"}',
]

function lineOf(number) {
  const head = `${String(number).padStart(NUMBER_DIGITS, '0')} `
  const said = number % BLOCK_LINES === 0 ? errorOf(number / BLOCK_LINES) : WORDS[number % WORDS.length]
  return `${(head + said).padEnd(LINE_BYTES - 1, '.')}\n`
}

/** One in each block, each of another kind: previews collect them, and must not hold on to the text around them. */
function errorOf(index) {
  const letters = [676, 26, 1].map((worth) => String.fromCharCode(97 + (Math.floor(index / worth) % 26)))
  return `ERROR failed to read the part ${letters.join('')}`
}

/** One block of lines; for the next ones only the numbers are rewritten. */
function* blocks(onBlock) {
  const block = Buffer.from(Array.from({ length: BLOCK_LINES }, (_, line) => lineOf(line)).join(''))
  for (let index = 0; index < BLOCKS; index++) {
    block.write(lineOf(index * BLOCK_LINES))
    for (let line = 1; line < BLOCK_LINES; line++) {
      let left = index * BLOCK_LINES + line
      for (let digit = NUMBER_DIGITS - 1; digit >= 0; digit--) {
        block[line * LINE_BYTES + digit] = 48 + (left % 10)
        left = Math.floor(left / 10)
      }
    }
    onBlock(block)
    yield Buffer.from(block)
  }
}

const files = fileBlobs({ path: `${folder}/blobs` })
const cost = { bytes: 0 }
const counted = {
  ...files,
  async *read(...given) {
    for await (const chunk of files.read(...given)) {
      cost.bytes += chunk.length
      yield chunk
    }
  },
}

const hash = createHash('sha256')
let peakBytes = 0
const sample = () => (peakBytes = Math.max(peakBytes, process.memoryUsage.rss()))

const crib = await createCrib({
  store: sqliteStore({ path: `${folder}/crib.db` }),
  blobs: counted,
  results: { maxBytes: 20 * 1024 ** 3, readTool: true },
  timeoutMs: 3_600_000,
  tools: [
    defineTool({
      name: 'pour',
      description: 'Pours.',
      isReadOnly: true,
      isOpenWorld: false,
      mediaType: 'text/plain',
      execute: () =>
        Readable.from(
          blocks((block) => {
            hash.update(block)
            sample()
          }),
          { objectMode: false },
        ),
    }),
  ],
})
const surface = await crib.surface({ scope: 'turn' })
await crib.call(surface, { name: 'result.read', input: { ref: 'toolcrib://invocations/inv_0/output' } })

globalThis.gc?.()
const beforeBytes = process.memoryUsage.rss()
const sampling = setInterval(sample, SAMPLE_MS)
const startedAt = performance.now()
const call = crib.call(surface, { name: 'pour' })
const result = await call
await crib.flush()
const tookMs = performance.now() - startedAt
sample()
clearInterval(sampling)

const lines = BLOCKS * BLOCK_LINES
const ref = `toolcrib://invocations/${call.invocationId}/output`
const middle = Math.floor(lines / 2)

/** The cost of one page, and its content. */
async function measure(input) {
  cost.bytes = 0
  const from = performance.now()
  const page = await crib.call(surface, { name: 'result.read', input: { ref, ...input } })
  return {
    tookMs: performance.now() - from,
    readBytes: cost.bytes,
    status: page.status,
    text: page.model_facing_content[0].text,
  }
}

const pages = {
  first: await measure({ line: 1, lines: 3 }),
  middle: await measure({ line: middle, lines: 3 }),
  last: await measure({ line: -2 }),
  bytes: await measure({ offset: middle * LINE_BYTES, length: LINE_BYTES }),
  search: await measure({
    search: String(middle + 7).padStart(NUMBER_DIGITS, '0'),
    after: (middle - 1000) * LINE_BYTES,
  }),
}
const story = await crib.story(call.invocationId)
await crib.close()

process.stdout.write(
  `${JSON.stringify({
    generated: {
      bytes: lines * LINE_BYTES,
      lines,
      digest: `sha256:${hash.digest('hex')}`,
      middle,
      first: lineOf(0),
      middleLine: lineOf(middle - 1),
      lastLine: lineOf(lines - 1),
      foundLine: lineOf(middle + 7),
    },
    result,
    persistence: story.persistence,
    growthBytes: peakBytes - beforeBytes,
    tookMs,
    pages,
  })}\n`,
)
