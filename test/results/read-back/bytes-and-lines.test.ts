import { rmSync, openSync, writeSync, closeSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readPage } from '../../../src/results/read-back/read-page.js'
import { renderPage } from '../../../src/results/read-back/render-page.js'
import { bytesSource, fileSource } from './payload-sources.js'
import { bytesOf, readAll } from './read-all.js'
import { temporaryFolder } from '../../temporary-folder.js'

const limits = { maxChars: 2000 }

const piece = fc.oneof(
  { weight: 6, arbitrary: fc.string({ unit: 'grapheme', maxLength: 300 }).map((text) => Buffer.from(text)) },
  {
    weight: 3,
    arbitrary: fc.constantFrom('\n', '\r\n', '\n\n', '\uFEFF', '😀', '漢字').map((text) => Buffer.from(text)),
  },
  {
    weight: 2,
    arbitrary: fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 4 })
      .map((text) => Buffer.from(text.repeat(900))),
  },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom([0], [0xff], [0xe2, 0x82], [0xed, 0xa0, 0x80], [0xc0, 0x80])
      .map((bytes) => Buffer.from(bytes)),
  },
)
const payload = fc.array(piece, { maxLength: 25 }).map((pieces) => Buffer.concat(pieces))
const shape = fc.record({
  chunkBytes: fc.constantFrom(1, 7, 1000, 65_536),
  indexEveryBytes: fc.constantFrom(0, 1, 50, 5000),
})

describe('reading all pages returns exactly the bytes', () => {
  test('by bytes, for any content and page length', async () => {
    await fc.assert(
      fc.asyncProperty(
        payload,
        shape,
        fc.option(fc.integer({ min: 1, max: 3000 }), { nil: undefined }),
        async (bytes, options, length) => {
          const wide = length === undefined || bytes.length / length < 200 ? length : undefined
          const pages = await readAll(bytesSource(bytes, options), { by: 'bytes', length: wide }, limits)
          expect(bytesOf(pages)).toEqual(bytes)
        },
      ),
      { numRuns: 70 },
    )
  })

  test('by lines, for any content and number of lines', async () => {
    await fc.assert(
      fc.asyncProperty(
        payload,
        shape,
        fc.option(fc.integer({ min: 1, max: 50 }), { nil: undefined }),
        async (bytes, options, count) => {
          const pages = await readAll(bytesSource(bytes, options), { by: 'lines', count }, limits)
          expect(bytesOf(pages)).toEqual(bytes)
        },
      ),
      { numRuns: 70 },
    )
  })

  test('from an offset inside a code point the page begins at its start and says so', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'binary', minLength: 1, maxLength: 60 }),
        fc.nat(),
        async (text, seed) => {
          const bytes = Buffer.from(text.replaceAll('\0', '-'))
          const offset = seed % bytes.length
          const page = await readPage(bytesSource(bytes), { by: 'bytes', offset }, limits)
          if (page.kind !== 'text') throw new Error(page.kind)
          expect(page.offset).toBeLessThanOrEqual(offset)
          expect(page.offset).toBeGreaterThan(offset - 4)
          expect(page.length).toBe(bytes.length - page.offset)
          expect(Buffer.from(page.text)).toEqual(bytes.subarray(page.offset))
        },
      ),
    )
  })

  test('a line of ten megabytes is paged within the line', async () => {
    const line = Buffer.from('é漢x'.repeat(1_750_000))
    const source = bytesSource(line, { indexEveryBytes: 1000 })
    const pages = await readAll(source, { by: 'lines' }, { maxChars: 200_000 })
    expect(bytesOf(pages).equals(line)).toBe(true)
    expect(pages[0]).toMatchObject({ kind: 'text', endsInsideLine: true, next: { by: 'bytes' } })
    expect(renderPage(pages[0]!)).toContain('ine 1 of 1 is longer than a page')
  })
})

describe('lines', () => {
  const text = Array.from({ length: 500 }, (_, index) => `entry ${index + 1}`).join('\r\n')

  for (const indexEveryBytes of [0, 100]) {
    describe(indexEveryBytes === 0 ? 'without an index' : 'with an index', () => {
      const source = bytesSource(text, { indexEveryBytes })

      test('a few from the middle, with their numbers', async () => {
        const page = await readPage(source, { by: 'lines', from: 250, count: 2 }, limits)
        expect(page).toMatchObject({
          lines: { first: 250, last: 251 },
          next: { by: 'lines', from: 252, count: 2 },
        })
        expect(renderPage(page).split('\n').slice(0, 2)).toEqual(['250\tentry 250', '251\tentry 251'])
        expect(renderPage(page)).toMatch(/read on with line 252\.\]$/)
      })

      test('from the end, to the end', async () => {
        const page = await readPage(source, { by: 'lines', from: -2 }, limits)
        expect(page).toMatchObject({ text: 'entry 499\r\nentry 500', next: undefined })
        expect(renderPage(page)).toContain('this is the end')
      })

      test('from the end, in steps', async () => {
        const pages = await readAll(source, { by: 'lines', from: -5, count: 2 }, limits)
        expect(bytesOf(pages).toString()).toBe(text.slice(text.indexOf('entry 496')))
        expect(pages).toHaveLength(3)
      })

      test('more from the end than there are begins at the first', async () => {
        const page = await readPage(source, { by: 'lines', from: -5000, count: 1 }, limits)
        expect(page).toMatchObject({ text: 'entry 1\r\n', lines: { first: 1, last: 1 } })
      })

      test('after the last line, a sentence says how many there are', async () => {
        const page = await readPage(source, { by: 'lines', from: 501 }, limits)
        expect(page).toMatchObject({ problem: 'The payload has 500 lines: ask for a line from 1 to 500.' })
      })
    })
  }

  test('a final line feed starts no line', async () => {
    for (const indexEveryBytes of [0, 1]) {
      const source = bytesSource('a\nb\n', { indexEveryBytes })
      expect(await readPage(source, { by: 'lines', from: -1 }, limits)).toMatchObject({ text: 'b\n' })
      expect(await readPage(source, { by: 'lines', from: 3 }, limits)).toMatchObject({
        problem: 'The payload has 2 lines: ask for a line from 1 to 2.',
      })
    }
  })

  test('an empty payload is an empty page', async () => {
    for (const by of ['bytes', 'lines'] as const) {
      const page = await readPage(bytesSource('', { indexEveryBytes: 1 }), { by }, limits)
      expect(page).toMatchObject({ kind: 'text', text: '', next: undefined })
      expect(renderPage(page)).toBe('[The payload is empty.]')
    }
  })
})

describe('bytes', () => {
  test('from the end', async () => {
    const page = await readPage(bytesSource('hello world'), { by: 'bytes', offset: -5 }, limits)
    expect(page).toMatchObject({ text: 'world', offset: 6, length: 5, next: undefined })
  })

  test('after the end, a sentence says where that is', async () => {
    const page = await readPage(bytesSource('hello'), { by: 'bytes', offset: 5 }, limits)
    expect(page).toMatchObject({ kind: 'problem' })
    expect(renderPage(page)).toContain('has 5 bytes')
  })

  test('a media type that is never text returns base64, exactly from the requested offset', async () => {
    const source = bytesSource('plain words', { mediaType: 'image/png' })
    const page = await readPage(source, { by: 'bytes', offset: 1, length: 3 }, limits)
    expect(page).toMatchObject({ kind: 'binary', offset: 1, length: 3, next: { offset: 4, length: 3 } })
    expect(Buffer.from((page as { base64: string }).base64, 'base64').toString()).toBe('lai')
  })

  test('base64 has its own limit', async () => {
    const source = bytesSource(Buffer.alloc(100_000, 0xff))
    const page = await readPage(source, { by: 'bytes' }, { maxChars: 50_000 })
    expect(page).toMatchObject({ kind: 'binary', length: 6144 })
  })

  test('text up to the first invalid byte is returned as text', async () => {
    const source = bytesSource(Buffer.concat([Buffer.from('log line\n'), Buffer.from([0xff, 0xfe, 0x41])]))
    const [first, second] = await readAll(source, { by: 'bytes' }, limits)
    expect(first).toMatchObject({ kind: 'text', text: 'log line\n' })
    expect(second).toMatchObject({ kind: 'binary', offset: 9 })
  })

  test('a source that ends too early is a failure, not a short page', async () => {
    const source = { ...bytesSource('abc'), sizeBytes: 10 }
    await expect(readPage(source, { by: 'bytes' }, limits)).rejects.toThrow('ended at byte 3')
  })

  test('an aborted read throws', async () => {
    const signal = AbortSignal.abort(new Error('stopped'))
    await expect(readPage(bytesSource('abc'), { by: 'bytes' }, { ...limits, signal })).rejects.toThrow(
      'stopped',
    )
  })
})

describe('only the needed part of a payload of 200 MB is read', () => {
  const folder = temporaryFolder()
  const path = join(folder, 'large.log')
  const LINES = 2_000_000

  beforeAll(() => {
    const descriptor = openSync(path, 'w')
    for (let line = 1; line <= LINES; line += 20_000) {
      const block = Array.from(
        { length: 20_000 },
        (_, index) => `${String(line + index).padStart(9, '0')} ${'x'.repeat(89)}\n`,
      )
      writeSync(descriptor, block.join(''))
    }
    closeSync(descriptor)
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  test('a page of lines in the middle and at the end', async () => {
    const source = fileSource(path, { indexEveryBytes: 64 * 1024 })
    for (const from of [LINES / 2 + 17, -100]) {
      source.bytesRead = 0
      const page = await readPage(source, { by: 'lines', from }, { maxChars: 20_000 })
      const first = from < 0 ? LINES + 1 + from : from
      expect(page).toMatchObject({ lines: { first } })
      expect(renderPage(page).startsWith(`${first}\t${String(first).padStart(9, '0')} x`)).toBe(true)
      expect(source.bytesRead).toBeLessThan(300_000)
    }
  })

  test('a page of bytes reads little more than the page', async () => {
    const source = fileSource(path)
    const page = await readPage(source, { by: 'bytes', offset: 123_456_789 }, { maxChars: 20_000 })
    expect(page).toMatchObject({ kind: 'text', offset: 123_456_789 })
    expect(source.bytesRead).toBeLessThan(30_000)
  })
})

describe('without an index lines are counted up to a limit', () => {
  const block = Buffer.alloc(1024 * 1024, 'x')
  const source = {
    sizeBytes: 70 * block.length,
    mediaType: undefined,
    async *read(start: number, end: number) {
      for (let at = start; at < end; at += block.length) yield block.subarray(0, end - at)
    },
  }

  test.each([2, -2])('line %i of 70 MB without a line feed', async (from) => {
    const page = await readPage(source, { by: 'lines', from }, limits)
    expect(renderPage(page)).toMatch(
      /^The payload has no line index, and its (first|last) 67108864 bytes .* by offset/,
    )
  })
})

describe('a payload of five gigabytes', () => {
  const LINE_BYTES = 100
  const LINES = 50_000_000
  const lineOf = (line: number) => `${String(line).padStart(LINE_BYTES - 1, '.')}\n`
  const known = (line: number) => {
    const first = line - ((line - 1) % 1000)
    return { line: first, offset: (first - 1) * LINE_BYTES }
  }
  const source = {
    sizeBytes: LINES * LINE_BYTES,
    mediaType: 'text/plain',
    bytesRead: 0,
    lines: {
      lineCount: LINES,
      positionOfLine: known,
      lineAtOffset: (offset: number) => known(Math.floor(offset / LINE_BYTES) + 1),
    },
    async *read(start: number, end: number) {
      for (let at = start; at < end;) {
        const first = Math.floor(at / LINE_BYTES) + 1
        const count = Math.min(600, Math.ceil((end - at) / LINE_BYTES) + 1)
        const bytes = Buffer.from(Array.from({ length: count }, (_, index) => lineOf(first + index)).join(''))
        const chunk = bytes.subarray(at % LINE_BYTES, (at % LINE_BYTES) + end - at)
        source.bytesRead += chunk.length
        at += chunk.length
        yield chunk
      }
    },
  }

  test('is read near its end as cheaply as near its beginning', async () => {
    for (const from of [3, 41_234_567, -3]) {
      source.bytesRead = 0
      const page = await readPage(source, { by: 'lines', from, count: 2 }, limits)
      const first = from < 0 ? LINES + 1 + from : from
      expect(page).toMatchObject({
        text: lineOf(first) + lineOf(first + 1),
        lines: { first, last: first + 1 },
      })
      expect(source.bytesRead).toBeLessThan(200_000)
    }
    const tail = await readPage(source, { by: 'bytes', offset: -LINE_BYTES }, limits)
    expect(tail).toMatchObject({ text: lineOf(LINES), offset: 4_999_999_900, next: undefined })
  })

  test('is searched from any position, with correct line numbers', async () => {
    const found = await readPage(source, { by: 'search', text: '.49990001', after: 4_990_000_000 }, limits)
    expect(found).toMatchObject({ matches: [{ line: 49_990_001 }], endedBy: 'payload' })
  })
})

test.each([400, 401, 700, 1000, 1999])(
  'pages of %i characters observe the limit and lose nothing',
  async (maxChars) => {
    const text = Array.from({ length: 400 }, (_, n) => `line ${n} ${'é😀x'.repeat(n % 90)}`).join('\n')
    const source = bytesSource(text, { indexEveryBytes: 500 })
    for (const by of ['lines', 'bytes'] as const)
      expect(String(bytesOf(await readAll(source, { by }, { maxChars })))).toBe(text)
    const found = await readAll(source, { by: 'search', text: 'x', contextLines: 10 }, { maxChars })
    expect(found.length).toBeGreaterThan(1)
  },
)
