import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import {
  createLineIndex,
  lineAtOffset,
  positionOfLine,
  readLineIndex,
  type LineIndex,
} from '../../../src/storage/blobs/line-index.js'

function indexOf(text: Uint8Array | string, chunkBytes = 1000): LineIndex {
  const bytes = Buffer.from(text)
  const index = createLineIndex()
  for (let at = 0; at < bytes.length; at += chunkBytes) index.push(bytes.subarray(at, at + chunkBytes))
  return index.end()
}

function linesOf(text: string): string[] {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines
}

describe('an index of lines', () => {
  it.each([
    ['', 0],
    ['a', 1],
    ['\n', 1],
    ['a\n', 1],
    ['a\nb', 2],
    ['a\r\nb\r\n', 2],
    ['\n\n\n', 3],
  ])('of %j counts %i lines', (text, count) => {
    for (const chunkBytes of [1, 2, 100]) {
      const index = indexOf(text, chunkBytes)
      expect(index.lineCount).toBe(count)
      expect(index.sizeBytes).toBe(text.length)
      expect(positionOfLine(index, 1)).toEqual({ offset: 0, line: 1 })
    }
  })

  it('finds every line of any text, also after it was stored as bytes', () => {
    // Lines from empty to much longer than the distance of two positions.
    const line = fc.oneof(
      { weight: 5, arbitrary: fc.integer({ min: 0, max: 3000 }) },
      { weight: 1, arbitrary: fc.integer({ min: 60_000, max: 200_000 }) },
    )
    fc.assert(
      fc.property(
        fc.array(line, { maxLength: 150 }),
        fc.boolean(),
        fc.integer({ min: 1, max: 70_000 }),
        (lengths, hasEnd, chunkBytes) => {
          const text = lengths.map((length) => 'x'.repeat(length)).join('\n') + (hasEnd ? '\n' : '')
          const lines = linesOf(text)
          const index = readLineIndex(indexOf(text, chunkBytes).toBytes())
          expect(index.lineCount).toBe(lines.length)
          let offset = 0
          lines.forEach((each, number) => {
            const place = positionOfLine(index, number + 1)
            expect(place.line).toBeLessThanOrEqual(number + 1)
            const skipped = lines
              .slice(place.line - 1, number)
              .reduce((sum, { length }) => sum + length + 1, 0)
            expect(place.offset + skipped).toBe(offset)
            // Only a long line is further away than the distance of two positions.
            if (number + 1 > place.line) expect(offset - place.offset).toBeLessThan(64 * 1024)
            expect(lineAtOffset(index, offset).line).toBeLessThanOrEqual(number + 1)
            expect(lineAtOffset(index, offset).offset).toBeLessThanOrEqual(offset)
            offset += each.length + 1
          })
          expect(positionOfLine(index, lines.length + 100)).toEqual(positionOfLine(index, lines.length))
        },
      ),
      { numRuns: 60 },
    )
  })

  it('counts beyond four gigabytes', () => {
    const index = createLineIndex()
    const chunk = Buffer.alloc(64 * 1024 * 1024, 'x')
    chunk[chunk.length - 1] = 10
    for (let n = 0; n < 80; n++) index.push(chunk)
    index.push(Buffer.from('last'))
    const read = readLineIndex(index.end().toBytes())
    expect(read.lineCount).toBe(81)
    expect(read.sizeBytes).toBe(80 * chunk.length + 4)
    expect(positionOfLine(read, 81)).toEqual({ offset: 80 * chunk.length, line: 81 })
    expect(lineAtOffset(read, 80 * chunk.length - 1)).toEqual({ offset: 79 * chunk.length, line: 80 })
  })

  it('stays small', () => {
    const bytes = indexOf('a line of a log, as they are\n'.repeat(1_000_000), 100_000).toBytes()
    expect(bytes.length).toBeLessThan(4000)
  })

  it('is refused when it is invalid, truncated, or longer than it says', () => {
    const bytes = indexOf('some\nlines\n'.repeat(50_000)).toBytes()
    const code = (given: Uint8Array): unknown => {
      try {
        return readLineIndex(given).lineCount
      } catch (error) {
        return (error as { code?: string }).code
      }
    }
    expect(code(bytes)).toBe(100_000)
    for (const length of [0, 3, 5, 6, 10, bytes.length - 1])
      expect(code(bytes.subarray(0, length))).toBe('toolcrib.blob_corrupt')
    expect(code(Buffer.concat([bytes, Buffer.from([0])]))).toBe('toolcrib.blob_corrupt')
    expect(code(Buffer.from('TCLI\u0001\u0001\u0001' + '\u00ff'.repeat(7) + '\u0001', 'latin1'))).toBe(
      'toolcrib.blob_corrupt',
    )
  })
})
