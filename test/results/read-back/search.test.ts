import { setTimeout } from 'node:timers/promises'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { MatchesPage, Page, SearchRequest } from '../../../src/results/read-back/page.js'
import { readPage } from '../../../src/results/read-back/read-page.js'
import { renderPage } from '../../../src/results/read-back/render-page.js'
import { bytesSource } from './payload-sources.js'
import { readAll } from './read-all.js'

/** Generous timeouts: a busy machine must not end a page early. */
const limits = { maxChars: 2000, maxLineMs: 20_000, maxSearchMs: 120_000 }

function matchesOf(page: Page): MatchesPage {
  if (page.kind !== 'matches') throw new Error(renderPage(page))
  return page
}

/** Offsets of all matches over all pages, including those counted on a shown line. */
function placesOf(pages: readonly Page[]): { shown: number[]; total: number } {
  const matches = pages.flatMap((page) => matchesOf(page).matches)
  return {
    shown: matches.map(({ offset }) => offset),
    total: matches.reduce((sum, { furtherCount }) => sum + 1 + furtherCount, 0),
  }
}

function search(text: string, options: Partial<SearchRequest> = {}): SearchRequest {
  return { by: 'search', text, ...options }
}

describe('plain text', () => {
  test('is found at any position, also across chunk boundaries', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('a', 'b', 'ab', '\n', 'é', '😀', 'ba'), { maxLength: 200 }),
        fc.constantFrom('ab', 'aab', 'é😀', 'a\nb', '😀', 'abab'),
        fc.constantFrom(1, 2, 3, 16),
        fc.integer({ min: 1, max: 5 }),
        async (parts, text, chunkBytes, limit) => {
          const content = parts.join('')
          const wanted = content.split(text).length - 1
          for (const ignoreCase of [false, true]) {
            const source = bytesSource(content, { chunkBytes, indexEveryBytes: 10 })
            const { shown, total } = placesOf(
              await readAll(source, search(text, { limit, ignoreCase }), limits),
            )
            expect(total).toBe(wanted)
            for (const offset of shown)
              expect(Buffer.from(content).subarray(offset).toString().startsWith(text)).toBe(true)
          }
        },
      ),
      { numRuns: 200 },
    )
  })

  test('is returned with its line number, its offset and the context lines', async () => {
    const content = Array.from({ length: 100 }, (_, n) =>
      n === 49 ? 'here is the Ünïcode needle' : `row ${n + 1}`,
    )
    for (const indexEveryBytes of [0, 64]) {
      const source = bytesSource(content.join('\r\n'), { indexEveryBytes })
      const page = await readPage(source, search('ÜNÏCODE', { ignoreCase: true, contextLines: 1 }), limits)
      const offset = Buffer.from(content.join('\r\n')).indexOf('Ünïcode')
      expect(page).toMatchObject({
        matches: [{ line: 50, offset, length: 9, text: content[49], before: ['row 49'], after: ['row 51'] }],
        next: undefined,
      })
      expect(renderPage(page)).toBe(
        `49-row 49\n50:${content[49]}  [byte ${offset}]\n51-row 51\n` +
          `[1 match in bytes 0 to ${source.sizeBytes} of ${source.sizeBytes}; this is the end.]`,
      )
    }
  })

  test('folds letters whose cases differ in length', async () => {
    const source = bytesSource('10 \u212A and 5 k', { chunkBytes: 4 })
    expect(placesOf([await readPage(source, search('K', { ignoreCase: true }), limits)]).total).toBe(2)
  })

  test('is found beside invalid UTF-8, at its correct offset', async () => {
    const content = Buffer.concat([
      Buffer.from([0xff, 0, 0xe2, 0x82]),
      Buffer.from('Ärger'),
      Buffer.from([0xc3]),
    ])
    for (const request of [search('Ärger'), search('ärGER', { ignoreCase: true })]) {
      const page = await readPage(bytesSource(content, { chunkBytes: 3 }), request, limits)
      expect(page).toMatchObject({ matches: [{ offset: 4, length: 6 }] })
    }
  })

  test('in a very long line is shown with its surroundings', async () => {
    const content = `${'漢'.repeat(1_000_000)}needle${'y'.repeat(1_000_000)}`
    const page = matchesOf(
      await readPage(bytesSource(content, { indexEveryBytes: 1000 }), search('needle'), limits),
    )
    expect(page.matches).toHaveLength(1)
    expect(page.matches[0]).toMatchObject({ line: 1, offset: 3_000_000 })
    expect(page.matches[0]!.text).toMatch(/^…漢{100}needley+…$/)
  })

  test('several matches on one line are shown once and counted', async () => {
    const page = matchesOf(await readPage(bytesSource('a,a,a,a\nb\na'), search('a'), limits))
    expect(page.matches).toMatchObject([
      { line: 1, furtherCount: 3 },
      { line: 3, furtherCount: 0 },
    ])
    expect(renderPage(page)).toContain('(and 3 more on this line)')
  })

  test('continues after a limit, and after a number of bytes', async () => {
    const content = Array.from({ length: 400 }, (_, n) => `line ${n} hit ${'.'.repeat(50)}`).join('\n')
    const source = bytesSource(content, { chunkBytes: 500, indexEveryBytes: 1000 })
    const pages = await readAll(source, search('hit', { limit: 7, contextLines: 2 }), limits)
    expect(placesOf(pages).shown).toHaveLength(400)
    expect(matchesOf(pages[0]!).endedBy).toMatch(/limit|page/)
    const few = await readAll(source, search('nowhere'), { ...limits, maxSearchBytes: 2000 })
    expect(few.length).toBeGreaterThan(5)
    expect(matchesOf(few[0]!)).toMatchObject({ endedBy: 'bytes', matches: [] })
    expect(renderPage(few[0]!)).toMatch(
      /No match in bytes 0 to \d+ of \d+, as far as one page searches; go on/,
    )
    expect(matchesOf(few.at(-1)!)).toMatchObject({ endedBy: 'payload', next: undefined })
  })

  test('ends a page after the time limit', async () => {
    const source = bytesSource('x'.repeat(10_000), { chunkBytes: 100 })
    const page = await readPage(source, search('y'), { ...limits, maxSearchMs: 0 })
    expect(page).toMatchObject({ endedBy: 'time', next: { after: 100 } })
  })

  test('stops when it is aborted, although its source never waits', async () => {
    const block = new Uint8Array(1024 * 1024)
    const source = {
      sizeBytes: 5 * 1024 ** 3,
      mediaType: undefined,
      async *read(start: number, end: number) {
        for (let at = start; at < end; at += block.length) yield block
      },
    }
    const controller = new AbortController()
    const reading = readPage(source, search('needle'), {
      maxChars: 2000,
      signal: controller.signal,
      maxSearchBytes: Infinity,
      maxSearchMs: Infinity,
    })
    await setTimeout(20)
    controller.abort(new Error('enough'))
    await expect(reading).rejects.toThrow('enough')
  })
})

describe('regular expressions', () => {
  const log = Array.from(
    { length: 200 },
    (_, n) => `2031-01-02 ${n % 50 === 0 ? 'ERROR' : 'info'} code=${n} é`,
  )

  test('match line by line', async () => {
    const source = bytesSource(log.join('\r\n'), { indexEveryBytes: 500, chunkBytes: 333 })
    const page = matchesOf(
      await readPage(
        source,
        search(String.raw`^\S+ error code=(\d+) .$`, { isRegex: true, ignoreCase: true }),
        limits,
      ),
    )
    expect(page.matches.map(({ line }) => line)).toEqual([1, 51, 101, 151])
  })

  test('find what the language itself finds in every line', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('a', 'b', '\n', 'é', '😀', ' ', 'ab\n'), { maxLength: 120 }),
        fc.constantFrom('a+', '^a', 'b$', String.raw`\ba`, '(?<=a)b', '[é😀]', '^$', 'a.b', 'x*'),
        fc.constantFrom(1, 5, 1000),
        fc.integer({ min: 1, max: 4 }),
        async (parts, pattern, chunkBytes, limit) => {
          const content = parts.join('')
          const lines = content === '' ? [] : content.replace(/\n$/, '').split('\n')
          const wanted = lines.reduce(
            (sum, line) => sum + [...line.matchAll(new RegExp(pattern, 'gu'))].length,
            0,
          )
          const source = bytesSource(content, { chunkBytes })
          const pages = await readAll(source, search(pattern, { isRegex: true, limit }), limits)
          // An empty match after the last character has no byte, and may be reported or not.
          expect(Math.abs(placesOf(pages).total - wanted)).toBeLessThanOrEqual(
            pattern === 'x*' ? lines.length : 0,
          )
        },
      ),
      { numRuns: 25 },
    )
  })

  test('see a long line in windows, without false matches at the edges', async () => {
    const line = `${'z'.repeat(24_321)}key=17${'漢'.repeat(15_000)}end`
    const source = bytesSource(`${line}\nkey=18`, { chunkBytes: 4000 })
    const find = async (text: string) =>
      placesOf([await readPage(source, search(text, { isRegex: true }), limits)]).shown
    expect(await find(String.raw`key=\d\d`)).toEqual([24_321, Buffer.byteLength(line) + 1])
    expect(await find('end$')).toEqual([Buffer.byteLength(line) - 3])
    expect(await find('^漢')).toEqual([])
    expect(await find('^z')).toEqual([0])
    expect(await find('漢$')).toEqual([])
    expect(await find('(?:漢+|z+)$')).toEqual([])
    expect(await find('^z+')).toEqual([0])
    expect(await find('(?<=17)漢')).toEqual([24_327])
  })

  test('that never end are stopped, other work continues meanwhile, and the next page continues after the line', async () => {
    const source = bytesSource(`a\nsecond a\n${'a'.repeat(9000)}!\nlast a`)
    let turns = 0
    const ticking = setInterval(() => turns++, 5)
    const request = search('(a+)+$', { isRegex: true })
    const first = matchesOf(await readPage(source, request, { ...limits, maxLineMs: 1000 }))
    clearInterval(ticking)
    expect(turns).toBeGreaterThan(3)
    expect(first).toMatchObject({ endedBy: 'slow pattern', matches: [{ line: 1 }, { line: 2 }] })
    expect(renderPage(first)).toContain('took too long on a line and was stopped')
    const last = (await readAll(source, request, { ...limits, maxLineMs: 1000 })).at(-1)!
    expect(last).toMatchObject({ matches: [{ line: 4 }], next: undefined })
  })

  test('work in lines that are not UTF-8', async () => {
    const source = bytesSource(Buffer.from('caf\xe9 one\ncaf\xe9 two', 'latin1'))
    const page = matchesOf(await readPage(source, search('t.o$', { isRegex: true }), limits))
    expect(page.matches).toMatchObject([{ line: 2, offset: 14 }])
  })

  test('with an escape that only the older grammar allows are compiled in that grammar', async () => {
    const page = await readPage(bytesSource('a-b'), search(String.raw`a\-b`, { isRegex: true }), limits)
    expect(matchesOf(page).matches).toHaveLength(1)
  })
})

describe('an invalid search is reported in one sentence', () => {
  test.each([
    [search(''), 'is empty: give at least one character'],
    [search('a('.repeat(2), { isRegex: true }), 'cannot be read (Unterminated group): correct it'],
    [search('x'.repeat(1001)), 'has 1001 characters: give at most 1000'],
    [search('\ud800'), 'half of a surrogate pair'],
    [search('x', { after: 4 }), 'has 3 bytes'],
  ])('%j', async (request, sentence) => {
    expect(renderPage(await readPage(bytesSource('abc'), request, limits))).toContain(sentence)
  })
})
