import { describe, expect, it } from 'vitest'
import type { ContentKind } from '../../../src/results/previews/content-kind.js'
import { detectKind } from '../../../src/results/previews/detection/detect-kind.js'
import { type Preview, previewOf } from '../../../src/results/previews/preview-of.js'
import { createSampler, sampleOf } from '../../../src/results/previews/samples/create-sampler.js'
import * as outputs from './outputs.js'

const HOW = 'Read on with result.read.'

function preview(
  text: string,
  options: { kind?: ContentKind; maxChars?: number; maxLines?: number } = {},
): Preview {
  const sample = sampleOf(text)
  const { kind = detectKind(sample), maxChars = 1500, maxLines = 40 } = options
  return previewOf(sample, { kind, limits: { maxChars, maxLines }, howToRead: HOW })
}

describe('output of commands', () => {
  it('keeps the beginning, the end and the failed tests between them', () => {
    const { text, kind, omitted } = preview(outputs.npmTest)
    expect(kind).toBe('log')
    expect(text).toMatch(/^> shop@2\.4\.1 test\n> vitest run\n/)
    expect(text).toContain(
      '306:  ❯ test/cart.test.ts (12 tests | 1 failed) 84ms\n307:    × adds the tax once 14ms\n',
    )
    expect(text).toContain('AssertionError: expected 119 to be 142')
    expect(text).toContain(' Test Files  1 failed | 500 passed (501)')
    expect(text).toMatch(
      /\[The output has 23,741 bytes in 521 lines; left out here: lines .+\. Read on with result\.read\.\]$/,
    )
    expect(omitted.lines).toBeGreaterThan(400)
  })

  it('shows an error with its number and the first frames of its trace', () => {
    const { text } = preview(outputs.serverLog)
    expect(text).toContain(
      [
        '2,211: 2026-03-02T10:36:50Z ERROR payment 2210 not stored',
        '2,212: Error: connect ECONNREFUSED 10.0.0.7:5432',
        '2,213:     at TCPConnectWrap.afterConnect [as oncomplete] (node:net:1611:16)',
        '2,214:     at Pool.acquire',
      ].join('\n'),
    )
  })

  it.each([
    [
      'Python',
      outputs.pythonTrace,
      ['401: Traceback', '402:   File "/app/train.py", line 88', '406: FileNotFoundError'],
    ],
    [
      'Java',
      outputs.javaTrace,
      ['501: Exception in thread', '502: \tat shop.Queue.put', '504: Caused by: java.io.IOException'],
    ],
    ['Go', outputs.goPanic, ['501: panic: runtime error', '506: \t/srv/app/load.go:17']],
    ['Rust', outputs.rustErrors, ['501: error[E0308]: mismatched types', '502:   --> src/main.rs:14:9']],
  ])('keeps the trace of %s', (_, output, expected) => {
    const { text } = preview(output)
    for (const part of expected) expect(text).toContain(part)
  })

  it('merges repeated lines, and counts them', () => {
    const text = `start\n${'waiting\n'.repeat(483)}end\n${'other words\n'.repeat(2)}`
    expect(preview(text, { kind: 'log', maxChars: 300 }).text).toContain(
      'start\nwaiting\n[… the line before 482 times more …]\nend\nother words\n[… the line before once more …]\n',
    )
  })

  it('shows a repeated error once, with its count', () => {
    const lines = Array.from({ length: 900 }, (_, index) =>
      index % 3 ? `step ${index} done` : `ERROR could not reach shard ${index}`,
    )
    const { text } = preview(lines.join('\n'), { maxChars: 900 })
    expect(text).toContain('ERROR could not reach shard 0 [… 299 lines like this elsewhere …]')
  })

  it('does not treat a count of zero errors as an error', () => {
    const lines = Array.from({ length: 500 }, (_, index) => `file ${index}: 0 errors, no failures, errors=0`)
    expect(sampleOf(lines.join('\n')).errorLines).toEqual([])
  })

  it.each([
    'npm error code ELIFECYCLE',
    'src/a.ts(3,1): error TS2345: Argument of type',
    'TypeError: x is not a function',
    'java.io.IOException: disk is full',
    '[ERROR] build stopped',
    'not ok 12 - adds',
    "rm: cannot remove 'a': Permission denied",
    'make: *** [all] Error 2',
    'Segmentation fault (core dumped)',
    '✗ adds the tax once',
    'level=fatal msg="no space"',
    '1 error and 0 warnings',
  ])('recognizes an error: %s', (line) => {
    expect(sampleOf(`${line}\n`).errorLines).toEqual([{ line: 1, text: line }])
  })

  it.each([
    'src/error-table.ts',
    '├── assertion-error@2.0.1',
    'Tests: 0 failed',
    'no errors found',
    'console.error(x)',
  ])('recognizes no error: %s', (line) => {
    expect(sampleOf(`${line}\n`).errorLines).toEqual([])
  })

  it('shows the final state of an overwritten line', () => {
    const bar = Array.from({ length: 100 }, (_, index) => `loading ${index} %`).join('\r')
    const { text } = preview(`begin\n${bar}\n${'x\ny\n'.repeat(300)}`, { kind: 'log', maxChars: 400 })
    expect(text).toContain('begin\nloading 99 %\n')
    expect(text).not.toContain('loading 98 %')
  })

  it('shortens a very long line in its middle', () => {
    const { text } = preview(`first\n${'z'.repeat(12_000)}\n${'short\nlines\n'.repeat(300)}`, { kind: 'log' })
    expect(text).toMatch(/z{50,} … 1[12],\d{3} characters … z{20,}\n/)
  })
})

describe('listings', () => {
  it('shows the head, the last line and the count per folder', () => {
    const { text, kind } = preview(outputs.findOutput)
    expect(kind).toBe('listing')
    expect(text).toMatch(/^\.\/packages\/core\/src\/deep\/file-0\.ts\n/)
    expect(text).toContain('\n./packages/cli/src/deep/file-2999.ts\n')
    expect(text).toContain(
      '[All by group: ./packages/cli/src/ 1,000, ./packages/core/src/ 1,000, ./packages/web/src/ 1,000]',
    )
  })

  it('counts search hits per file', () => {
    const { text, kind } = preview(outputs.grepOutput)
    expect(kind).toBe('listing')
    expect(text).toContain('[All by group: src/page.ts 300, src/route.ts 300, src/store.ts 300]')
  })

  it('counts the entries of each folder of ls -R', () => {
    expect(preview(outputs.lsRecursive).text).toContain('./src/room-0 26, ')
  })
})

describe('tables', () => {
  it('shows header, first rows and last row of CSV; a quoted cell may have several lines', () => {
    const { text, kind, omitted } = preview(outputs.csv, { maxChars: 500 })
    expect(kind).toBe('table')
    expect(text).toMatch(/^id,name,city,note\n0,Name 0,City 0,plain\n1,"Doe, A\.",Köln,"two\nlines"\n2,/)
    expect(text).toContain('more rows …]\n1999,Name 1999,City 4,plain\n')
    expect(text).toContain('a table of 4 columns and 2,000 rows')
    expect(omitted.items).toBeGreaterThan(1900)
  })

  it('recognizes aligned columns, and Markdown tables', () => {
    expect(preview(outputs.psAux).text).toMatch(/^USER +PID[^]+\n\[… 2\d\d more rows …\]\nroot +299 /)
    expect(preview(outputs.psAux).text).toContain('a table of 11 columns and 300 rows')
    expect(preview(outputs.markdownTable).text).toMatch(
      /^\| key \| value \|\n\|-+\|-+:\|\n[^]+a table of 2 columns and 500 rows/,
    )
  })
})

describe('diffs', () => {
  it('names all files with their counts, and does not mistake a removed comment for a header', () => {
    const { text, kind } = preview(outputs.gitDiff, { maxChars: 3000, maxLines: 200 })
    expect(kind).toBe('diff')
    expect(text).toContain('src/part-0.ts +6 −6, ')
    expect(text).toContain('src/part-29.ts +6 −6]')
    expect(text).toContain('-  const before = 0\n--- a comment of SQL that was removed\n+  const after = 0\n')
    expect(text).toContain('a diff of 30 files, 180 lines added, 180 removed')
  })

  it('keeps the headers of commits', () => {
    const { text } = preview(
      `commit ${'3f'.repeat(20)}\nAuthor: A. Writer\n\n    Why this was done\n\n${outputs.gitDiff}`,
    )
    expect(text).toMatch(/^commit 3f3f/)
    expect(text).toContain('    Why this was done\n')
  })

  it('parses a diff that git did not make', () => {
    const file = (name: string): string =>
      `--- ${name}.orig\t2026-01-01\n+++ ${name}\t2026-01-02\n@@ -1,40 +1,40 @@\n${' same\n'.repeat(39)}-old\n+new\n`
    const { text } = preview(['a.c', 'b.c', 'c.c'].map(file).join(''), { maxChars: 500 })
    expect(text).toContain('[Changed: a.c +1 −1, b.c +1 −1, c.c +1 −1]')
    expect(text).toContain('-old\n+new\n')
  })
})

describe('other kinds', () => {
  it('shows the beginning of code and the declarations of the rest', () => {
    const { text, kind } = preview(outputs.source)
    expect(kind).toBe('code')
    expect(text).toMatch(/^import \{ readFile \}/)
    expect(text).toContain('\n30: export async function part2(input: string): Promise<string> {\n')
  })

  it('shows records, their keys and their number', () => {
    const { text, kind, omitted } = preview(outputs.jsonLines)
    expect(kind).toBe('json_lines')
    expect(text).toContain('[Keys of the first 1,200 records: "time", "level", "message", "slow" (in 400)]')
    expect(text).toContain('\n{"time":1199,"level":"info","message":"request 1199"}\n')
    expect(omitted.items).toBe(omitted.lines)
  })

  it('shows the headings of a page', () => {
    const { text, kind } = preview(outputs.page)
    expect(kind).toBe('markup')
    expect(text).toContain('[Title and headings: The handbook; Chapter 0; Chapter 1;')
  })

  it('shows head and tail of prose in any script, and how much is between', () => {
    expect(preview(outputs.prose.chinese).text).toMatch(
      /^工具的输出很长[^]+\n\[… 9,\d{3} characters left out …\]\n[^]+预览。\n\[The output has 31,200 bytes in 1 line;/,
    )
    expect(preview(outputs.prose.arabic).text).toContain('السطر 199 من نص')
    const emoji = preview(outputs.prose.emoji).text.split('\n')[0]!
    expect('👩‍👩‍👧‍👦🇨🇭👍🏽é'.repeat(900).startsWith(emoji)).toBe(true)
    expect(emoji).toMatch(/(?:👩‍👩‍👧‍👦|🇨🇭|👍🏽|é)$/u)
  })

  it('describes binary data, and shows none of it', () => {
    const png = Buffer.from([
      0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 1, 2, 3, 0xff, 0xfe,
    ]).toString('utf8')
    const { text, kind } = preview(png.repeat(20))
    expect(kind).toBe('binary')
    expect(text).toBe(
      `[The output is a PNG image, not text, of ${Buffer.byteLength(png) * 20} bytes; none of it is shown. ${HOW}]`,
    )
    expect(preview('\0\u0001\u0002\ufffd'.repeat(50)).text).toContain('is not text, of 300 bytes')
  })
})

describe('streams', () => {
  it('shows an error from the middle of a stream that was not kept', () => {
    const sampler = createSampler({ headChars: 2000, tailChars: 1000 })
    for (let index = 0; index < 50_000; index++)
      sampler.push(index === 20_000 ? 'fatal: the disk is full\n' : `line ${index} of the stream\n`)
    const { text, omitted } = previewOf(sampler.end(), { kind: 'log', limits: { maxChars: 1000 } })
    expect(text).toMatch(/^line 0 of the stream\n/)
    expect(text).toContain('20,001: fatal: the disk is full\n')
    expect(text).toContain('line 49999 of the stream\n[The output has')
    expect(omitted.lines).toBeGreaterThan(49_000)
  })
})

describe('small limits', () => {
  it.each([0, 1, 5, 20, 40, 60, 100, 200])('degrades gracefully at %d characters', (maxChars) => {
    const { text } = preview(outputs.serverLog, { maxChars })
    expect(text.length).toBeLessThanOrEqual(maxChars)
    if (maxChars > 0) expect(text).not.toBe('')
    if (maxChars >= 100) expect(text).toContain('204,363 bytes')
  })

  it('shows the beginning where there is only one line', () => {
    expect(preview('first line\nsecond line\n', { kind: 'text', maxLines: 1 }).text).toBe('first line\n')
  })
})
