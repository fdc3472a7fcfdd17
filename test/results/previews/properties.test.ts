import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import type { ContentKind } from '../../../src/results/previews/content-kind.js'
import { previewOf } from '../../../src/results/previews/preview-of.js'
import { createSampler, sampleOf } from '../../../src/results/previews/samples/create-sampler.js'
import type { Sample } from '../../../src/results/previews/samples/sample.js'
import { countLines } from '../../../src/results/previews/sizes/count-lines.js'
import { loadTokenCounter, type TokenCounter } from '../../../src/platform/tokens/count-tokens.js'

const kinds: readonly ContentKind[] = [
  'json',
  'json_lines',
  'table',
  'log',
  'listing',
  'diff',
  'code',
  'markup',
  'text',
  'binary',
]

const SEED = 41_204

let countTokens: TokenCounter
beforeAll(async () => {
  countTokens = await loadTokenCounter()
})

/** Pieces of outputs, and arbitrary text. */
const piece = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.constantFrom(
    '\n',
    '\r\n',
    '\n\n',
    '👩‍👩‍👧‍👦',
    '🇩🇪🇫🇷',
    'e\u0301\u0302',
    '漢字かな交じり文',
    'السلام عليكم',
    '\u001b[31mError: red\u001b[0m\n',
    '{"a": [1, 2, {"b": "c"}], "a": 12345678901234567890}',
    '[[[[[',
    '"\\ud83d\\ude00',
    'a,b,c\n1,"2\n3",4\n',
    '| a | b |\n|---|---|\n| 1 | 2 |\n',
    'diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n-a\n+b\n c\n',
    'src/a.ts:12:const a = 1\n',
    'src/folder/file.ts\n',
    'the same line\nthe same line\nthe same line\n',
    'export function a() {\n',
    '<p>text</p>\n',
  ),
  fc.integer({ min: 1, max: 400 }).map((count) => 'x'.repeat(count)),
  fc.integer({ min: 1, max: 40 }).map((count) => 'ERROR happened here\n    at f (a.js:1)\n'.repeat(count)),
  fc.string({
    unit: fc.integer({ min: 0xd800, max: 0xdfff }).map((code) => String.fromCharCode(code)),
    maxLength: 4,
  }),
  fc.json(),
)
const text = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''))

const limits = fc.record(
  {
    maxChars: fc.oneof(fc.nat({ max: 60 }), fc.nat({ max: 1500 })),
    maxLines: fc.nat({ max: 40 }),
    maxTokens: fc.oneof(fc.nat({ max: 40 }), fc.nat({ max: 400 })),
  },
  { requiredKeys: ['maxChars'] },
)

/** Sometimes so small that the middle of the text is not known. */
const samplerOptions = fc.option(
  fc.record({ headChars: fc.integer({ min: 1, max: 300 }), tailChars: fc.integer({ min: 0, max: 100 }) }),
  { nil: undefined },
)

function collect(
  chunks: readonly string[],
  options: { headChars: number; tailChars: number } | undefined,
): Sample {
  const sampler = createSampler(options)
  for (const chunk of chunks) sampler.push(chunk)
  return sampler.end()
}

function loneSurrogates(value: string): number {
  return value.replace(/[\ud800-\udbff][\udc00-\udfff]/g, '').match(/[\ud800-\udfff]/g)?.length ?? 0
}

it('never exceeds a limit, splits no code point and is deterministic', () => {
  fc.assert(
    fc.property(
      text,
      fc.constantFrom(...kinds),
      limits,
      samplerOptions,
      fc.boolean(),
      (whole, kind, limit, options, hasHow) => {
        const sample = collect([whole], options)
        const draw = () =>
          previewOf(sample, {
            kind,
            limits: limit,
            countTokens,
            ...(hasHow ? { howToRead: 'Read on with result.read, from "offset".' } : {}),
          })
        const preview = draw()
        expect(preview.text.length).toBeLessThanOrEqual(limit.maxChars)
        expect(countLines(preview.text)).toBeLessThanOrEqual(limit.maxLines ?? Infinity)
        expect(countTokens(preview.text)).toBeLessThanOrEqual(limit.maxTokens ?? Infinity)
        if (loneSurrogates(whole) === 0) expect(loneSurrogates(preview.text)).toBe(0)
        expect(draw()).toEqual(preview)
        expect(preview.omitted.chars).toBeGreaterThanOrEqual(0)
        expect(preview.omitted.lines).toBeGreaterThanOrEqual(0)
        if (preview.isWhole) expect(preview.text).toBe(whole)
      },
    ),
    { seed: SEED, numRuns: 1500 },
  )
})

it('is the whole text, unchanged, when it fits', () => {
  fc.assert(
    fc.property(text, fc.constantFrom(...kinds.filter((kind) => kind !== 'binary')), (whole, kind) => {
      const preview = previewOf(sampleOf(whole), {
        kind,
        limits: { maxChars: whole.length, maxLines: countLines(whole), maxTokens: Buffer.byteLength(whole) },
      })
      expect(preview).toEqual({ text: whole, kind, omitted: { chars: 0, lines: 0 }, isWhole: true })
    }),
    { seed: SEED, numRuns: 300 },
  )
})

it('is collected equally for any chunk boundaries', () => {
  fc.assert(
    fc.property(text, samplerOptions, fc.array(fc.nat()), (whole, options, cuts) => {
      const places = [0, ...cuts.map((cut) => cut % (whole.length + 1)), whole.length].sort((a, b) => a - b)
      const chunks = places.slice(1).map((place, index) => whole.slice(places[index], place))
      expect(collect(chunks, options)).toEqual(collect([whole], options))
      expect(
        collect(
          [...whole].flatMap((one) => one.split('')),
          options,
        ),
      ).toEqual(collect([whole], options))
    }),
    { seed: SEED, numRuns: 300 },
  )
})

it('has the measures of the text', () => {
  fc.assert(
    fc.property(text, samplerOptions, (whole, options) => {
      const sample = collect([whole], options)
      expect(sample.chars).toBe(whole.length)
      expect(sample.bytes).toBe(Buffer.byteLength(whole))
      expect(sample.lines).toBe(countLines(whole))
      expect(sample.longestLine).toBe(Math.max(...whole.split('\n').map((line) => line.length)))
      expect(whole.startsWith(sample.head)).toBe(true)
      expect(whole.endsWith(sample.tail)).toBe(true)
    }),
    { seed: SEED, numRuns: 300 },
  )
})
