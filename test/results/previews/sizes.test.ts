import fc from 'fast-check'
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, it } from 'vitest'
import { cutAfter, cutBefore } from '../../../src/results/previews/cuts/safe-cut.js'
import { shortenLine } from '../../../src/results/previews/cuts/shorten-line.js'
import { countLines, hasMoreLines } from '../../../src/results/previews/sizes/count-lines.js'
import { countTokens, loadTokenCounter } from '../../../src/platform/tokens/count-tokens.js'
import { exceeds, exceedsQuickly } from '../../../src/results/previews/sizes/exceeds.js'
import { gitLog, npmTest, source } from './outputs.js'

const exactly = (text: string): number => encode(text, { disallowedSpecial: new Set() }).length

describe('limits', () => {
  it('report the first exceeded one, synchronously where no tokens have to be counted', async () => {
    expect(exceeds('abc', { maxChars: 3, maxLines: 1, maxTokens: 3 })).toBeUndefined()
    expect(exceeds('abcd', { maxChars: 3, maxTokens: 0 })).toBe('chars')
    expect(exceeds('a\nb', { maxChars: 3, maxLines: 1 })).toBe('lines')
    expect(exceedsQuickly('a\n', { maxLines: 1 })).toBeUndefined()
    await expect(exceeds('one two three four', { maxTokens: 3 })).resolves.toBe('tokens')
    await expect(exceeds('one two three four', { maxTokens: 4 })).resolves.toBeUndefined()
  })

  it('count lines correctly', () => {
    const text = fc.string({ unit: fc.constantFrom('\n', '\r\n', 'a', '漢'), maxLength: 60 })
    fc.assert(
      fc.property(text, fc.nat({ max: 70 }), (value, maxLines) => {
        const lines = value.split('\n').length - (value === '' || value.endsWith('\n') ? 1 : 0)
        expect(countLines(value)).toBe(lines)
        expect(hasMoreLines(value, maxLines)).toBe(lines > maxLines)
      }),
      { seed: 7, numRuns: 500 },
    )
  })
})

describe('tokens', () => {
  it('are counted as the tokenizer counts them', async () => {
    for (const text of ['', 'hello world', npmTest, gitLog, source])
      expect(await countTokens(text)).toBe(exactly(text))
  })

  it('are counted in texts that spell special tokens', async () => {
    expect(await countTokens('<|endoftext|> and <|im_start|>')).toBeGreaterThan(5)
  })

  it('of any short text are those of the published encoding', async () => {
    const letters = [
      ...'aZé字ñ٣9 \t\n\r/\'"_-.:{}[]$',
      "'s",
      "'LL",
      ' the',
      'İ',
      'e\u0301',
      '👩‍👧',
      '\ud800',
      '<|endoftext|>',
    ]
    const count = await loadTokenCounter()
    const text = fc.oneof(
      fc.string({ unit: fc.constantFrom(...letters), maxLength: 80 }),
      fc.string({ unit: 'binary', maxLength: 40 }),
    )
    fc.assert(
      fc.property(text, (value) => {
        expect(count(value)).toBe(exactly(value))
      }),
      { numRuns: 600 },
    )
  })

  it('of a run without breaks are counted in parts, and never too few', async () => {
    expect(await countTokens('a'.repeat(1_000_000))).toBe(125_000)
    const han = '漢字'.repeat(1500)
    expect(await countTokens(han)).toBeGreaterThanOrEqual(exactly(han))
  })

  it('are counted only up to the requested number', async () => {
    const tokens = await countTokens(npmTest.repeat(20), 100)
    expect(tokens).toBeGreaterThan(100)
    expect(tokens).toBeLessThan(1000)
  })
})

describe('cuts', () => {
  it('keep grapheme clusters, CRLF and escape sequences together', () => {
    expect(cutBefore('ab👍🏽', 4)).toBe(2)
    expect(cutBefore('ae\u0301b', 2)).toBe(1)
    expect(cutBefore('a\r\nb', 2)).toBe(1)
    expect(cutBefore('ab\u001b[31mred', 5)).toBe(2)
    expect(cutBefore('ab\u001b[31mred', 7)).toBe(7)
    expect(cutBefore('a\u001b]8;;https://example.test/\u001b\\link', 9)).toBe(1)
    expect(cutAfter('ab👍🏽cd', 3)).toBe(6)
    expect(cutAfter('a\r\nb', 2)).toBe(3)
  })

  it('never split a code point, and end where they should', () => {
    const text = fc.string({ unit: 'binary', maxLength: 80 })
    fc.assert(
      fc.property(text, fc.nat({ max: 170 }), (value, at) => {
        const before = cutBefore(value, at)
        const after = cutAfter(value, at)
        expect(before).toBeLessThanOrEqual(Math.min(at, value.length))
        expect(after).toBeGreaterThanOrEqual(Math.min(at, value.length))
        for (const place of [before, after]) {
          expect([...value.slice(0, place), ...value.slice(place)]).toEqual([...value])
        }
        expect(shortenLine(value, at).length).toBeLessThanOrEqual(Math.max(at, 0))
      }),
      { seed: 7, numRuns: 1000 },
    )
  })

  it('say how much of a long line is not shown', () => {
    expect(shortenLine(`begin ${'x'.repeat(12_400)} end`, 80)).toMatch(
      /^begin x+ … 12,\d{3} characters … x+ end$/,
    )
  })
})
