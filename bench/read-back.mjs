// The cost of reading a stored payload back: a page of lines in the middle of 200 MB, a JSON pointer at the end of 60
// MB, and searches through 200 MB. Files are made for the run and removed.
import {
  createReadStream,
  closeSync,
  mkdtempSync,
  openSync,
  readSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readPage } from '../dist/results/read-back/read-page.js'

const MEGABYTE = 1024 * 1024
const limits = { maxChars: 20_000, maxSearchMs: Infinity }
const folder = mkdtempSync(join(tmpdir(), 'toolcrib-bench-read-back-'))

try {
  await benchLog(join(folder, 'large.log'))
  await benchDocument(join(folder, 'large.json'))
} finally {
  rmSync(folder, { recursive: true })
}

async function benchLog(path) {
  write(
    path,
    200 * MEGABYTE,
    (n) => `${String(n).padStart(9, '0')} GET /orders/${n % 977} answered 200 in ${n % 89} ms\n`,
  )
  const source = fileSource(path, { lines: indexOf(path, 64 * 1024) })
  const from = Math.floor(source.lines.lineCount / 2)
  await measure('page of lines in the middle', source, () => readPage(source, { by: 'lines', from }, limits))
  await measure('page of bytes in the middle', source, () =>
    readPage(source, { by: 'bytes', offset: 100 * MEGABYTE }, limits),
  )
  const searches = {
    'search, plain text': { text: 'not in there' },
    'search, any case': { text: 'NOT in there', ignoreCase: true },
    'search, regular expression': { text: String.raw`GET /orders/\d+ refused`, isRegex: true },
  }
  for (const [name, search] of Object.entries(searches))
    await measure(name, source, () => readPage(source, { by: 'search', ...search }, limits))
}

async function benchDocument(path) {
  write(path, 60 * MEGABYTE, (n, isLast) => {
    const record = JSON.stringify({
      id: n,
      name: `record "${n}"`,
      price: n / 7,
      tags: ['a', 'é'],
      open: n % 2 === 0,
    })
    return `${n === 0 ? '{"records":[' : ','}${record}${isLast ? '],"last":{"value":"here"}}' : ''}`
  })
  const source = fileSource(path, {})
  await measure('JSON pointer to the end of 60 MB', source, async () => {
    const page = await readPage(source, { by: 'pointer', pointer: '/last/value' }, limits)
    if (page.text !== '"here"') throw new Error(JSON.stringify(page))
  })
  await measure('outline of 60 MB', source, () => readPage(source, { by: 'pointer', pointer: '' }, limits))
  await measure('slice near the end of 60 MB', source, () =>
    readPage(source, { by: 'pointer', pointer: '/records', from: 500_000, count: 20 }, limits),
  )
}

async function measure(name, source, read) {
  source.bytesRead = 0
  globalThis.gc?.()
  const before = process.memoryUsage().rss
  let peak = before
  const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 5)
  const start = performance.now()
  await read()
  const ms = performance.now() - start
  clearInterval(watch)
  peak = Math.max(peak, process.memoryUsage().rss)
  const speed =
    source.bytesRead > MEGABYTE ? `, ${Math.round(source.bytesRead / MEGABYTE / (ms / 1000))} MB/s` : ''
  const growth = Math.round((peak - before) / MEGABYTE)
  console.log(
    `${name}: ${ms.toFixed(1)} ms, ${source.bytesRead} bytes read${speed}, memory grew by ${growth} MB`,
  )
}

function write(path, size, lineOf) {
  const file = openSync(path, 'w')
  let written = 0
  for (let n = 0; written < size;) {
    let block = ''
    while (block.length < MEGABYTE && written + block.length < size) {
      const line = lineOf(n, false)
      block += written + block.length + line.length >= size ? lineOf(n, true) : line
      n++
    }
    written += writeSync(file, block)
  }
  closeSync(file)
}

function fileSource(path, { lines }) {
  const source = {
    sizeBytes: statSync(path).size,
    mediaType: undefined,
    lines,
    bytesRead: 0,
    async *read(start, end) {
      for await (const chunk of createReadStream(path, { start, end: end - 1, highWaterMark: 256 * 1024 })) {
        source.bytesRead += chunk.length
        yield chunk
      }
    },
  }
  return source
}

/** The first line start in every interval of that many bytes. */
function indexOf(path, everyBytes) {
  const starts = [{ offset: 0, line: 1 }]
  const file = openSync(path, 'r')
  const block = Buffer.alloc(MEGABYTE)
  let offset = 0
  let line = 1
  for (let count = readSync(file, block); count > 0; count = readSync(file, block)) {
    const bytes = block.subarray(0, count)
    for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) {
      line++
      if (offset + at + 1 - starts.at(-1).offset >= everyBytes) starts.push({ offset: offset + at + 1, line })
    }
    offset += count
  }
  closeSync(file)
  return {
    lineCount: line - 1,
    placeOfLine: (wanted) => starts.findLast((start) => start.line <= wanted),
    lineAtOffset: (wanted) => starts.findLast((start) => start.offset <= wanted),
  }
}
