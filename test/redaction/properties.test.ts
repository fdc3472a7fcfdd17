import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRedactor } from '../../src/redaction/redactor.js'
import { findSecrets } from '../../src/redaction/find-secrets.js'
import { createDice, publishedFormats } from './secret-fixtures.mjs'

const fixtures = publishedFormats(11)
const redactor = createRedactor({
  patterns: true,
  pii: ['email', 'credit_card', 'iban', 'us_ssn', 'phone', 'ip_address'],
})
const marked = createRedactor({ patterns: true, replace: (_secret, rule) => `[redacted:${rule}]` })
const keyed = createRedactor({
  patterns: true,
  replace: (secret) => `[redacted:hmac:${secret.length.toString(16).padStart(12, '0a1b2c3d4e5f')}]`,
})

/** Random text: lines of secrets, of prose, of code and of anything. */
const piece = fc.oneof(
  fc.constantFrom(...fixtures.map(({ text }) => text)),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ maxLength: 60 }),
  fc.constantFrom(
    '\n',
    '\r\n',
    ' ',
    '"',
    "'",
    '=',
    ': ',
    '\\n',
    '://',
    '@',
    '-----BEGIN RSA PRIVATE KEY-----\n',
    '-----END',
  ),
  fc.constantFrom('password=', '"token": "', 'api_key: |\n', '[redacted]', 'mail@example.org ', '<token>\n'),
)
const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''))

describe('redaction', () => {
  it('is idempotent with every kind of mark', () => {
    fc.assert(
      fc.property(text, (given) => {
        for (const each of [redactor, marked, keyed]) {
          const once = each.text(given)
          expect(each.text(once)).toBe(once)
        }
      }),
      { numRuns: 400 },
    )
  })

  it('gives the same for every chunking of a stream, and the same as for the whole', () => {
    fc.assert(
      fc.property(text, fc.array(fc.nat(80), { minLength: 1, maxLength: 20 }), (given, sizes) => {
        expect(inChunks(given, sizes, [])).toBe(redactor.text(given))
      }),
      { numRuns: 400 },
    )
  })

  it('gives the same for every chunking when exact secrets are known, also of several lines', () => {
    const secrets = ['first line\nsecond line', 'aaaa', 'päss"wörd\\1']
    const withSecrets = fc.array(fc.oneof(piece, fc.constantFrom(...secrets, 'aa', 'first line\nsecond')), {
      maxLength: 10,
    })
    fc.assert(
      fc.property(withSecrets, fc.array(fc.nat(40), { minLength: 1, maxLength: 20 }), (pieces, sizes) => {
        const given = pieces.join('')
        const whole = redactor.text(given, secrets)
        expect(inChunks(given, sizes, secrets)).toBe(whole)
        expect(redactor.text(whole, secrets)).toBe(whole)
        for (const secret of secrets) expect(whole).not.toContain(secret)
      }),
      { numRuns: 300 },
    )
  })

  it('leaves nothing of a known secret, plain or encoded', () => {
    const exact = createRedactor({ patterns: false })
    const secret = fc.string({ minLength: 8, maxLength: 40 }).filter((each) => !'[redacted]'.includes(each))
    fc.assert(
      fc.property(fc.string(), secret, fc.string(), (before, hidden, after) => {
        const given = `${before}${hidden}${after} ${JSON.stringify(hidden)} ${encodeURIComponent(hidden)} ${Buffer.from(hidden).toString('base64')}`
        const clean = exact.text(given, [hidden])
        expect(clean).not.toContain(hidden)
        expect(clean).not.toContain(Buffer.from(hidden).toString('base64').replace(/=+$/, '').slice(0, -1))
      }),
      { numRuns: 300 },
    )
  })

  it('removes all of a found secret', () => {
    for (const { text: given, start, end } of fixtures) {
      const found = (findSecrets(given) ?? []).find((span) => span.start <= start && span.end >= end)
      if (found !== undefined) expect(redactor.text(given)).not.toContain(given.slice(start, end))
    }
  })

  it('returns the same text, value and list where there is nothing to hide', () => {
    fc.assert(
      fc.property(fc.array(fc.lorem({ maxCount: 30 })), (words) => {
        const given = words.join('\n')
        expect(redactor.text(given)).toBe(given)
        expect(redactor.value(words)).toBe(words)
        const object = { words, more: { given } }
        expect(redactor.value(object)).toBe(object)
      }),
    )
  })

  it('finds a token anywhere in a line that is longer than a part', () => {
    const redactor = createRedactor({ patterns: true })
    const token = ['ghp', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('_')
    for (let before = 65_490; before < 65_540; before += 7) {
      const text = `${'word '.repeat(20_000).slice(0, before - 1)} ${token} ${'more '.repeat(100)}`
      expect(redactor.text(text), String(before)).not.toContain(token.slice(8))
    }
  })

  it('gives the same result beyond the length of one part', () => {
    const dice = createDice(5)
    const line = (at: number): string =>
      at % 50 === 0 ? fixtures[at % fixtures.length]!.text : dice.draw('abc de,f=:', 70)
    for (const joint of ['\n', '>\n', ' ']) {
      const given = Array.from({ length: 4000 }, (_, at) => line(at)).join(joint)
      const whole = redactor.text(given)
      for (const size of [1000, 70_000, 300_000]) expect(inChunks(given, [size], []) === whole).toBe(true)
      expect(redactor.text(whole) === whole).toBe(true)
    }
  })
})

function inChunks(given: string, sizes: readonly number[], also: readonly string[]): string {
  const stream = redactor.stream(also)
  let clean = ''
  let at = 0
  for (let turn = 0; at < given.length; turn++) {
    const size = sizes[turn % sizes.length]! + 1
    clean += stream.push(given.slice(at, at + size))
    at += size
  }
  return clean + stream.end()
}
