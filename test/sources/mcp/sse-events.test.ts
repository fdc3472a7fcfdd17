import fc from 'fast-check'
import { expect, test } from 'vitest'
import { describeShapeProblem, type ShapeProblem } from '../../../src/sources/mcp/protocol/shape-limits.js'
import { createSseParser, formatSse, type SseEvent } from '../../../src/sources/mcp/protocol/sse-events.js'

function read(chunks: readonly Buffer[], maxBytes = 1_000_000) {
  const events: SseEvent[] = []
  const limits = { maxBytes, maxValues: 1000 }
  const refuse = (problem: ShapeProblem) => new Error(describeShapeProblem(problem, limits))
  const parser = createSseParser({ ...limits, refuse }, (event) => events.push(event))
  for (const chunk of chunks) parser.push(chunk)
  return { events, lastEventId: parser.lastEventId, retryMs: parser.retryMs }
}

test('fields, comments, names and ids are parsed as the standard says', () => {
  const text =
    ': hello\nid: 7\nretry: 250\ndata\n\nevent: note\ndata:a\ndata: b\nother: x\n\ndata: unfinished'
  expect(read([Buffer.from(text)])).toEqual({
    events: [
      { event: 'message', data: '' },
      { event: 'note', data: 'a\nb' },
    ],
    lastEventId: '7',
    retryMs: 250,
  })
})

test('the events are the same for all chunk boundaries and line ends', () => {
  const event = fc.record({
    data: fc.string({ unit: 'binary' }).map((text) => text.replaceAll(/[\r\n]/g, '')),
  })
  fc.assert(
    fc.property(
      fc.array(event, { maxLength: 5 }),
      fc.constantFrom('\n', '\r\n', '\r'),
      fc.integer({ min: 1, max: 7 }),
      (sent, lineEnd, size) => {
        const bytes = Buffer.from(sent.map(formatSse).join('').replaceAll('\n', lineEnd))
        const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
          bytes.subarray(at * size, (at + 1) * size),
        )
        expect(read(chunks).events.map(({ data }) => data)).toEqual(
          sent.map(({ data }) => Buffer.from(data).toString()),
        )
      },
    ),
  )
})

test('an event above its limit is refused, as one line or as many', () => {
  expect(() => read([Buffer.from(`data: ${'x'.repeat(200)}`)], 100)).toThrow('longer than 100 bytes')
  const lines = Array.from({ length: 50 }, () => Buffer.from('data: xxxx\n'))
  expect(() => read(lines, 100)).toThrow('longer than 100 bytes')
})

test('other lines of an event count towards its limit too, and the next event is read', () => {
  const told: unknown[] = []
  const limits = { maxBytes: 60, maxValues: 1000, refuse: (problem: string) => new Error(problem) }
  const onRefused = (refused: unknown): void => void told.push(refused)
  const parser = createSseParser({ ...limits, onRefused }, ({ data }) => told.push(data))
  parser.push(Buffer.from(`data: 1\n\n${': x\n'.repeat(30)}data: 2\n\ndata: 3\n\n`))
  expect(told).toEqual(['1', { id: undefined, hasMethod: false, problem: 'bytes' }, '3'])
})

test('an event that ends with CR is delivered at once', () => {
  expect(read([Buffer.from('data: 1\r\r')]).events).toEqual([{ event: 'message', data: '1' }])
  expect(
    read(['data: 1\r', '\n\r', '\ndata: 2\r\r', '\n'].map((text) => Buffer.from(text))).events,
  ).toHaveLength(2)
})
