import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Page } from '../../../src/results/read-back/page.js'
import { readPage } from '../../../src/results/read-back/read-page.js'
import { renderPage } from '../../../src/results/read-back/render-page.js'
import { bytesSource, type CountingSource } from './payload-sources.js'
import { readAll } from './read-all.js'

const limits = { maxChars: 2000 }

async function at(source: CountingSource, pointer: string): Promise<Page> {
  const page = await readPage(source, { by: 'pointer', pointer }, limits)
  expect(renderPage(page).length).toBeLessThanOrEqual(limits.maxChars)
  return page
}

async function problemAt(json: string | Uint8Array, pointer: string, mediaType?: string): Promise<string> {
  const page = await at(
    bytesSource(json, mediaType === undefined ? {} : { mediaType, indexEveryBytes: 20 }),
    pointer,
  )
  if (page.kind !== 'problem') throw new Error(`a ${page.kind} page`)
  return page.problem
}

/** Every pointer of a parsed document with its value. */
function* valuesOf(value: unknown, pointer = ''): Generator<{ pointer: string; value: unknown }> {
  yield { pointer, value }
  if (typeof value !== 'object' || value === null) return
  for (const [key, child] of Object.entries(value))
    yield* valuesOf(child, `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`)
}

describe('a pointer finds what a parser finds', () => {
  test('everywhere in random documents, in any spelling and chunk size', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.jsonValue({ maxDepth: 4, noUnicodeString: false }),
        fc.constantFrom(1, 3, 64, 65_536),
        fc.constantFrom(undefined, 2, '\t'),
        fc.boolean(),
        async (document, chunkBytes, indent, isAscii) => {
          const spelled = JSON.stringify(document, undefined, indent)
          const json = isAscii ? spelled.replaceAll(/[\u0080-\uFFFF]/g, escapeUnit) : spelled
          const parsed: unknown = JSON.parse(json)
          for (const { pointer, value } of valuesOf(parsed)) {
            const page = await at(bytesSource(json, { chunkBytes }), pointer)
            if (page.kind !== 'value') continue
            expect(JSON.parse(page.text)).toEqual(value)
            expect(
              Buffer.from(json)
                .subarray(page.offset, page.offset + page.length)
                .toString(),
            ).toBe(page.text)
          }
        },
      ),
      { numRuns: 100 },
    )
  })

  test('of duplicate keys the last one counts, on every level', async () => {
    const json = '{"a":{"x":1,"b":2},"c":[{"k":1,"k":{"z":5}}],"a":{"b":3,"b":[4,"\\u0062"],"\\u0062":9}}'
    expect(await at(bytesSource(json), '/a/b')).toMatchObject({ text: '9' })
    expect(await at(bytesSource(json), '/c/0/k/z')).toMatchObject({ text: '5' })
    expect(await problemAt(json, '/a/x')).toContain('"/a" has the keys "b"')
  })

  test('numbers keep their spelling', async () => {
    const json = '[1.50, -0, 1E+400, 123456789012345678901234567890, 0.1e-7]'
    const texts = await Promise.all([0, 1, 2, 3, 4].map((index) => at(bytesSource(json), `/${index}`)))
    expect(texts.map((page) => page.kind === 'value' && page.text)).toEqual(json.slice(1, -1).split(', '))
  })

  test('keys may be empty and may hold slashes, tildes and escapes', async () => {
    const json = String.raw`{"a/b":1,"~":2,"":3,"\ud83d\ude00":4,"\n\"\\":5,"__proto__":6,"\ud800":7}`
    const values: [string, string][] = [
      ['/a~1b', '1'],
      ['/~0', '2'],
      ['/', '3'],
      ['/😀', '4'],
      ['/\n"\\', '5'],
      ['/__proto__', '6'],
      ['/\ud800', '7'],
    ]
    for (const [pointer, text] of values)
      expect(await at(bytesSource(json, { chunkBytes: 2 }), pointer)).toMatchObject({ kind: 'value', text })
  })

  test('a byte order mark and white space around the document are ignored', async () => {
    expect(await at(bytesSource('\uFEFF {"a": 1 }\r\n'), '/a')).toMatchObject({ text: '1' })
    expect(await at(bytesSource(' 12 '), '')).toMatchObject({ text: '12', offset: 1, length: 2 })
    expect(await at(bytesSource('12'), '')).toMatchObject({ text: '12' })
  })

  test('a hundred thousand levels work like one', async () => {
    const depth = 100_000
    const json = '['.repeat(depth) + '{"leaf":true}' + ']'.repeat(depth)
    expect(await at(bytesSource(json), `${'/0'.repeat(depth)}/leaf`)).toMatchObject({ text: 'true' })
    expect(await problemAt(json, `${'/0'.repeat(depth)}/no`)).toContain(`token ${depth + 1}`)
  })
})

describe('malformed JSON', () => {
  test('is detected by a parser and by the scanner for the same texts', async () => {
    const valid = '{"a":[1,-2.5e+3,true,false,null,"x\\u00e9\\n"],"b":{}}'
    await fc.assert(
      fc.asyncProperty(
        fc.nat(valid.length - 1),
        fc.constantFrom('', ',', '"', '}', ']', '0', '-', 'e', '\\', ' ', ':', '\n', 't', '.'),
        fc.boolean(),
        async (place, insert, isReplacing) => {
          const json = valid.slice(0, place) + insert + valid.slice(place + (isReplacing ? 1 : 0))
          const page = await at(bytesSource(json, { chunkBytes: 3 }), '')
          const isValid = isJson(json)
          expect(page.kind === 'value').toBe(isValid)
          if (!isValid) expect(renderPage(page)).toMatch(/is not valid JSON at byte \d+: read it by line/)
        },
      ),
      { numRuns: 500 },
    )
  })

  test.each([
    ['{"a":1,}', 7],
    ['{"a":01}', 6],
    ['[1', 2],
    ['"a\nb"', 2],
    ['"\\x"', 2],
    ['tru', 3],
    ['1 2', 2],
    ['', 0],
    ['-', 1],
    ["{'a':1}", 1],
  ])('%j fails at byte %i', async (json, offset) => {
    expect(await problemAt(json, '')).toContain(`at byte ${offset}:`)
  })
})

describe('a pointer that leads nowhere reports the failing token and what is there', () => {
  const json = JSON.stringify({ items: [{ name: 'a' }], total: 3, 'user-name': 'x', empty: {} })

  test.each([
    ['/itens/0', '1, "itens": the whole document has the keys "items", "total", "user-name", "empty".'],
    ['/items/1/name', '2, "1": "/items" is an array of 1 items, numbered 0 to 0.'],
    ['/items/-', '2, "-": "/items" is an array of 1 items'],
    ['/items/00', '2, "00": "/items" is an array of 1 items'],
    ['/total/x', '2, "x": "/total" is a number and holds nothing further.'],
    ['/empty/x', '2, "x": "/empty" is an empty object.'],
  ])('%s', async (pointer, sentence) => {
    expect(await problemAt(json, pointer)).toContain(`The pointer fails at its token ${sentence}`)
  })

  test('of many keys the ten nearest are listed', async () => {
    const wide = JSON.stringify(
      Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`field-number-${n}`, n])),
    )
    const problem = await problemAt(wide, '/field-numbr-217')
    expect(problem).toContain('has the keys "field-number-217"')
    expect(problem).toContain('and 290 more.')
  })

  test.each([
    ['a/b', 'begins with a slash'],
    ['/a~2', 'a tilde is written ~0'],
  ])('%s is no pointer', async (pointer, sentence) => {
    expect(await problemAt(json, pointer)).toContain(sentence)
  })

  test('a document beyond 64 MB', async () => {
    const source = { ...bytesSource('{}'), sizeBytes: 64 * 1024 * 1024 + 1 }
    const page = await at(source, '/a')
    expect(renderPage(page)).toContain(
      'more than 67108864 bytes, and JSON pointers reach no further: search it',
    )
    expect(source.bytesRead).toBe(0)
  })
})

describe('a value that is larger than a page', () => {
  const records = Array.from({ length: 300 }, (_, id) => ({ id, name: `record ${id}`, tags: ['x', 'é'] }))
  const document = {
    meta: { version: 1, note: 'short' },
    records,
    text: 'line "one"\n😀 '.repeat(1000),
    ok: true,
  }
  const json = JSON.stringify(document)

  test('is outlined with keys, counts and sizes', async () => {
    const page = await at(bytesSource(json), '')
    expect(page).toMatchObject({
      kind: 'members',
      totalCount: 4,
      next: { by: 'pointer', pointer: '', from: 0 },
    })
    expect(renderPage(page).split('\n').slice(0, 4)).toEqual([
      `"meta": object of 2 members, ${JSON.stringify(document.meta).length} bytes`,
      `"records": array of 300 items, ${Buffer.byteLength(JSON.stringify(records))} bytes`,
      `"text": string, ${Buffer.byteLength(JSON.stringify(document.text))} bytes`,
      '"ok": true',
    ])
  })

  test('an array is read in slices that together hold every item', async () => {
    const [outline, ...slices] = await readAll(
      bytesSource(json),
      { by: 'pointer', pointer: '/records' },
      limits,
    )
    expect(outline).toMatchObject({ kind: 'members', isOutline: true, totalCount: 300 })
    const items = slices.flatMap((page) => (page.kind === 'members' ? page.members : []))
    expect(items.map(({ text }) => JSON.parse(text!) as unknown)).toEqual(records)
    expect(items.map(({ name }) => name)).toEqual(records.map(({ id }) => id))
  })

  test('a slice with a count, and one after the end', async () => {
    const source = bytesSource(json)
    const page = await readPage(source, { by: 'pointer', pointer: '/records', from: 298, count: 5 }, limits)
    expect(page).toMatchObject({ from: 298, members: [{ name: 298 }, { name: 299 }], next: undefined })
    const behind = await readPage(source, { by: 'pointer', pointer: '/records', from: 300 }, limits)
    expect(renderPage(behind)).toContain('has 300 items')
  })

  test('a string is read in parts, with its escapes resolved and no surrogate pair split', async () => {
    const pages = await readAll(
      bytesSource(json, { chunkBytes: 5 }),
      { by: 'pointer', pointer: '/text' },
      limits,
    )
    const parts = pages.map((page) => (page.kind === 'string' ? page.text : ''))
    expect(parts.join('')).toBe(document.text)
    for (const part of parts) expect(Buffer.from(part).toString()).toBe(part)
    expect(pages[0]).toMatchObject({ totalChars: document.text.length })
  })

  test('a part of a string that begins inside a surrogate pair begins with the pair', async () => {
    const source = bytesSource(JSON.stringify('ab😀c'))
    const page = await readPage(source, { by: 'pointer', pointer: '', from: 3, count: 1 }, limits)
    expect(page).toMatchObject({ text: '😀', from: 2, next: { from: 4 } })
  })

  test('a repeated key is marked, wherever it occurs', async () => {
    const twice = `{"a":"${'x'.repeat(3000)}","b":1,"a":2}`
    const page = await at(bytesSource(twice), '')
    expect(page).toMatchObject({
      members: [{ name: 'a', isRepeated: true }, { name: 'b' }, { name: 'a', isRepeated: false }],
    })
    expect(renderPage(page)).toContain('the last one counts')
  })

  test('keys that are longer than a line are cut between characters', async () => {
    const long = { [`${'\\\n'.repeat(400)}end`]: 'x'.repeat(3000), ['é'.repeat(900)]: 1 }
    const page = await at(bytesSource(JSON.stringify(long), { chunkBytes: 100 }), '')
    expect(page).toMatchObject({
      members: [{ isNameCut: true }, { isNameCut: true, name: `${'é'.repeat(120)}…` }],
    })
    expect(await at(bytesSource(JSON.stringify(long)), `/${'é'.repeat(900)}`)).toMatchObject({ text: '1' })
    expect(await problemAt(JSON.stringify(long), '/é')).toContain(`${'é'.repeat(58)}…`)
  })

  test('random members are returned by slices', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.jsonValue({ maxDepth: 2 }), { minLength: 1, maxLength: 60 }),
        fc.integer({ min: 1, max: 30 }),
        async (items, count) => {
          const spelled = JSON.stringify(items)
          const pages = await readAll(
            bytesSource(spelled),
            { by: 'pointer', pointer: '', from: 0, count },
            limits,
          )
          const members = pages.flatMap((page) => (page.kind === 'members' ? page.members : []))
          expect(members).toHaveLength(items.length)
          for (const [index, { text }] of members.entries())
            if (text !== undefined) expect(text).toBe(JSON.stringify(items[index]))
        },
      ),
      { numRuns: 60 },
    )
  })
})

describe('JSON Lines', () => {
  const lines =
    Array.from({ length: 50 }, (_, n) => JSON.stringify({ n, items: [n, n * 2] })).join('\n') + '\n'
  const source = bytesSource(lines, {
    mediaType: 'application/x-ndjson; charset=utf-8',
    indexEveryBytes: 100,
  })

  test('the first token is the number of the record', async () => {
    expect(await at(source, '/0/n')).toMatchObject({ text: '0' })
    expect(await at(source, '/49/items/1')).toMatchObject({ text: '98' })
    expect(await at(source, '/7')).toMatchObject({ text: '{"n":7,"items":[7,14]}' })
  })

  test.each([
    ['', 'holds 50 records in JSON Lines: begin the pointer with the number of a record'],
    ['/50', 'numbered 0 to 49: there is no record 50'],
    ['/x', 'first token is no record number'],
    ['/3/items/9', 'token 3, "9": "/3/items" is an array of 2 items'],
  ])('%j reports what is there', async (pointer, sentence) => {
    expect(await problemAt(lines, pointer, 'application/jsonl')).toContain(sentence)
  })

  test('an invalid record is named', async () => {
    expect(await problemAt('{"a":1}\n{"a":\n', '/1/a', 'application/jsonl')).toContain(
      'Record 1 is not valid JSON at byte 13:',
    )
  })
})

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function escapeUnit(unit: string): string {
  return String.raw`\u` + unit.charCodeAt(0).toString(16).padStart(4, '0')
}
