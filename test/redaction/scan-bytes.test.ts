import { Buffer } from 'node:buffer'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createKernelScanner, createPlainScanner, type Scanner } from '../../src/redaction/find/scan-bytes.js'
import { publishedFormats } from './secret-fixtures.mjs'

const kernel = createKernelScanner()
const plain = createPlainScanner()

function seenBy(scanner: Scanner, text: string): unknown {
  const given = Buffer.from(text, 'latin1')
  scanner.bytes.set(given)
  const signs = scanner.scan(given.length)
  return {
    signs: [...scanner.signs.subarray(0, signs)],
    runs: [...scanner.runs.subarray(0, scanner.runCount() * 2)],
    anchors: scanner.anchors(),
  }
}

it('the kernel finds the same as the plain code', () => {
  const fixtures = publishedFormats(4).map(({ text }) => text)
  for (const text of fixtures) expect(seenBy(kernel, text)).toEqual(seenBy(plain, text))
  const piece = fc.oneof(
    fc.constantFrom(...fixtures),
    fc.string({ maxLength: 40 }),
    fc.constantFrom('token=', '://', '--', ':::', 'x'.repeat(33)),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
      const text = pieces.join('')
      expect(seenBy(kernel, text)).toEqual(seenBy(plain, text))
    }),
  )
})
