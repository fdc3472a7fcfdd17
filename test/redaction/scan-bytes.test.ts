import { Buffer } from 'node:buffer'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createKernelScanner, createPlainScanner, type Scanner } from '../../src/redaction/find/scan-bytes.js'
import { readRuns } from '../../src/redaction/find/find-runs.js'
import { copyToBytes, runCount, runs, scan } from '../../src/redaction/find/text-bytes.js'
import { publishedFormats } from './secret-fixtures.mjs'

const kernel = createKernelScanner()
const plain = createPlainScanner()

function seenBy(scanner: Scanner, text: string): unknown {
  const given = Buffer.from(text, 'latin1')
  scanner.bytes.set(given)
  const isAnything = scanner.scan(given.length) !== 0
  return {
    isAnything,
    signs: [...scanner.signs.subarray(0, scanner.signCount())],
    runs: [...scanner.runs.subarray(0, scanner.runCount() * 2)],
    anchors: scanner.anchors(),
    words: [...scanner.words.subarray(0, scanner.wordCount())],
  }
}

it('the kernel finds the same as the plain code', () => {
  const fixtures = publishedFormats(4).map(({ text }) => text)
  for (const text of fixtures) expect(seenBy(kernel, text)).toEqual(seenBy(plain, text))
  const piece = fc.oneof(
    fc.constantFrom(...fixtures),
    fc.string({ maxLength: 40 }),
    fc.constantFrom(
      'token=',
      '://',
      '--',
      ':::',
      'x'.repeat(33),
      ' -p',
      ' -`',
      '-u',
      '</',
      'Be',
      'PA',
      'BY',
      'ne(',
    ),
    fc.constantFrom(
      'passw',
      'TOKEN',
      'secret',
      'Key',
      'passphrase',
      'echo',
      'form-data',
      'community',
      '@tcp(',
      'net user',
      '-Secure',
    ),
    // Runs, also longer than the kernel looks at in one go.
    fc.stringMatching(/^[A-Za-z0-9/._~:+=Pu-]{1,90}$/),
    fc.stringMatching(/^[a-z0-9/.-]{1,90}$/),
    fc.stringMatching(/^[a-z0-9/]{20,40}$/),
    fc.constantFrom('nEt', 'keT', 'm#d', '-]e', '`Te', '@dc', 'net use', 'market'),
    fc.constantFrom('mMu', '\rse', 'M\rd', '`tc', 't\0u', 'hho', 'cra', '-tc', '@se', 'm-u', 'mmd'),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
      const text = pieces.join('')
      expect(seenBy(kernel, text)).toEqual(seenBy(plain, text))
    }),
    { numRuns: 2000 },
  )
})

it('the kernel tells each character of a word and of a pair from all others', () => {
  const known = ['ssw', 'oke', 'ecr', 'key', 'net', 'hra', 'cho', 'm-d', '-se', 'mmu', '@tc']
  for (const word of [...known, '--', '-u', '</', 'Be', 'PA', ' -p', 'BY', 'ne('])
    for (let place = 0; place < word.length; place++)
      for (let code = 0; code < 256; code++) {
        const text = `x${word.slice(0, place)}${String.fromCharCode(code)}${word.slice(place + 1)}x`
        expect(seenBy(kernel, text)).toEqual(seenBy(plain, text))
      }
})

/** Every run that is long enough for a token, also those that the scan leaves out. */
function allRuns(text: string): [number, number][] {
  const found: [number, number][] = []
  let start = 0
  for (let at = 0; at <= text.length; at++) {
    if (at < text.length && (text.charCodeAt(at) & 255) >= 0x2b) continue
    if (at - start >= 20) found.push([start, at])
    start = at + 1
  }
  return found
}

function expectNothingLeftOut(text: string): number {
  scan(copyToBytes(text))
  const kept = new Set(runs.subarray(0, runCount() * 2).filter((_, index) => index % 2 === 0))
  const leftOut = allRuns(text).filter(([start]) => !kept.has(start))
  const noted: string[] = []
  const note = (start: number, end: number, rule: string): void =>
    void noted.push(`${rule}: ${text.slice(start, end)}`)
  readRuns(text, leftOut.flat(), { count: leftOut.length, note })
  expect(noted).toEqual([])
  return leftOut.length
}

it('runs that are left out hold no secret', () => {
  const addresses = [
    'https://example.com/articles/1/0',
    'see https://github.com/nodejs/node/pull/1 and /usr/share/doc/bash/README.md',
    '{"file":"src/pipeline/execute/create-execute-context.ts"}',
  ]
  for (const text of addresses) expectNothingLeftOut(text)
  expect(addresses.map((text) => expectNothingLeftOut(text))[0]).toBe(1)
  const fixtures = publishedFormats(6).map(({ text }) => text)
  for (const text of fixtures) expectNothingLeftOut(text)
  const piece = fc.oneof(
    fc.constantFrom(...fixtures),
    fc.constantFrom(...fixtures).map((text) => text.slice(0, text.length >> 1)),
    fc.constantFrom(
      ...addresses,
      ' ',
      '"',
      '%22',
      '$6$',
      '\u001b[32m',
      'sqlplus ',
      '\n',
      '/',
      '.',
      '-',
      '_',
      '=',
      ':',
      '\\n',
    ),
    fc.constantFrom('password', 'token', 'secret', 'apiKey', 'setToken(', 'ENV ', 'é', 'Ľ', '\u{1f600}'),
    fc.stringMatching(/^[a-z0-9/._~:-]{1,40}$/),
    fc.stringMatching(/^[A-Za-z0-9+/=_-]{8,48}$/),
    fc.string({ unit: 'binary', maxLength: 30 }),
  )
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 8 }), (pieces) => {
      expectNothingLeftOut(pieces.join(''))
    }),
    { numRuns: 1000 },
  )
})
