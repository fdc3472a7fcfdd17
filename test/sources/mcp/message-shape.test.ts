import { describe, expect, test } from 'vitest'
import { createShapeScan, type ShapeScan } from '../../../src/sources/mcp/protocol/create-shape-scan.js'
import { MAX_DEPTH, MAX_NAMES, UNSCANNED_BYTES } from '../../../src/sources/mcp/protocol/shape-limits.js'
import { createSseParser, type SseEvent } from '../../../src/sources/mcp/protocol/sse-events.js'
import { createByteLineReader } from '../../../src/sources/mcp/wire/line-reader.js'

const limits = { maxBytes: 2_000_000, maxValues: 1_000 }

function scanned(text: string, size = 1_000_000): ShapeScan {
  const scan = createShapeScan(limits)
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += size) scan.push(bytes.subarray(at, at + size))
  return scan
}

const list = <Item>(length: number, make: (at: number) => Item): Item[] =>
  Array.from({ length }, (_, at) => make(at))
const answer = (result: unknown): string => JSON.stringify({ result, jsonrpc: '2.0', id: 7 })
const names = (count: number): object => Object.fromEntries(list(count, (at) => [`name ${at}`, 1]))

describe('the shape of a message is known before it is parsed', () => {
  test.each([
    ['few values', answer({ rows: list(900, (at) => at) }), undefined],
    ['many values in a list', answer(list(1_001, () => 1)), 'values'],
    ['many values in objects', answer(list(400, () => ({ a: 1, b: 2 }))), 'values'],
    ['many values in members', answer(names(1_001)), 'values'],
    ['punctuation inside a text', answer(`${',[{:'.repeat(50_000)}"\\`), undefined],
    ['escapes at the end of texts', answer(['\\', '"', '\\"', '\\\\', ',,,,', '\n']), undefined],
    ['a long text', answer('x'.repeat(1_900_000)), undefined],
    ['more bytes than allowed', answer('x'.repeat(2_000_000)), 'bytes'],
    ['levels', `{"id":7,"result":${'['.repeat(MAX_DEPTH + 1)}`, 'values'],
  ])('%s', (_, text, problem) => {
    for (const size of [1_000_000, 65_536, 7]) {
      const scan = scanned(text, size)
      expect(scan.problem).toBe(problem)
      expect(scan.id).toBe(7)
      expect(scan.hasMethod).toBe(false)
    }
  })

  test('distinct names are counted, repeated names are not', () => {
    const scanOf = (value: unknown) => {
      const scan = createShapeScan({ maxBytes: Infinity, maxValues: Infinity })
      scan.push(Buffer.from(JSON.stringify(value)))
      return scan.problem
    }
    expect(scanOf(list(20_000, (at) => ({ at, name: `n${at}`, [`c${at % 50}`]: 1 })))).toBeUndefined()
    expect(scanOf(names(MAX_NAMES * 1.1))).toBe('names')
    expect(scanOf(list(MAX_NAMES * 1.1, (at) => ({ [`k${at}`]: 1 })))).toBe('names')
  })

  test.each([
    ['first', '{"id":"a\\"b","result":[1]}', { id: 'a"b', hasMethod: false, isBatch: false }],
    ['last', '{"result":{"id":3,"method":1},"id" : 12 }', { id: 12, hasMethod: false, isBatch: false }],
    ['of a request', '{"method":"x","params":{"id":1},"id":4}', { id: 4, hasMethod: true, isBatch: false }],
    ['of a notification', '{"method":"x"}', { id: undefined, hasMethod: true, isBatch: false }],
    ['of a batch', '[{"id":4}]', { id: undefined, hasMethod: false, isBatch: true }],
    ['that is null', '{"id":null,"result":{}}', { id: undefined, hasMethod: false, isBatch: false }],
  ])('the id %s is found', (_, text, found) => {
    for (const size of [1000, 3, 1]) expect(scanned(text, size)).toMatchObject(found)
  })
})

describe('lines and events', () => {
  test.each([64, 65_536, 1_000_000])('in chunks of %i bytes: an oversized line is skipped', (size) => {
    const seen: string[] = []
    const read = createByteLineReader({
      limits,
      decodesLong: true,
      onLine: (line) => seen.push(`line ${line.length}`),
      onRefused: ({ problem, id }) => seen.push(`refused ${problem} ${id}`),
      onEndless: () => seen.push('endless'),
    })
    const euros = '€'.repeat(UNSCANNED_BYTES)
    const text = [
      answer(list(50_000, () => 1)),
      '{}',
      answer(list(2_000, () => 'x'.repeat(50))),
      euros,
      '',
    ].join('\n')
    const bytes = Buffer.from(text)
    for (let at = 0; at < bytes.length; at += size) read(bytes.subarray(at, at + size))
    expect(seen).toEqual(['refused values 7', 'line 2', 'refused values 7', `line ${euros.length}`])
  })

  test('an endless line is not buffered, and its end is not awaited', () => {
    let ends = 0
    const read = createByteLineReader({
      limits,
      decodesLong: true,
      onLine: () => {},
      onRefused: () => {},
      onEndless: () => ends++,
    })
    const chunk = Buffer.alloc(1_000_000, 'x')
    for (let at = 0; at < 30; at++) read(chunk)
    expect(ends).toBe(1)
  })

  test('an oversized event is refused, and one below the limits is complete', () => {
    const events: SseEvent[] = []
    const refuse = (problem: string) => new Error(problem)
    const open = () => createSseParser({ ...limits, refuse }, (event) => events.push(event))
    const push = (text: string): void => {
      const parser = open()
      const bytes = Buffer.from(text)
      for (let at = 0; at < bytes.length; at += 65_537) parser.push(bytes.subarray(at, at + 65_537))
    }
    const text = 'é€'.repeat(200_000)
    push(`data: ${answer(text)}\n\ndata: 1\n\n`)
    expect(events.map(({ data }) => JSON.parse(data) as unknown)).toEqual([
      { result: text, jsonrpc: '2.0', id: 7 },
      1,
    ])
    expect(() => push(`data: ${answer(list(60_000, () => 1))}\n\n`)).toThrow('values')
    expect(() => push(`data: ${'x'.repeat(3_000_000)}`)).toThrow('bytes')
  })

  test.each([1, 3, 64, 65_536, 1_000_000])(
    'in chunks of %i bytes: a quote in another line of an event hides no values',
    (size) => {
      // Long enough that the shape is scanned already.
      const first = `data: {"id": 9, "text": ${JSON.stringify('x'.repeat(UNSCANNED_BYTES))},`
      const rest = `data: "result": [${'1,'.repeat(2_000)} 1]}`
      for (const other of [': "', 'event: "', 'dat"a', 'data\\": x', 'datum "', 'id: "', '"']) {
        const text = `${first}\n${other}\n${rest}\n\n`
        const parser = createSseParser({ ...limits, refuse: (problem) => new Error(problem) }, () => {})
        const bytes = Buffer.from(text)
        expect(() => {
          for (let at = 0; at < bytes.length; at += size) parser.push(bytes.subarray(at, at + size))
        }, other).toThrow('values')
      }
    },
  )

  test.each([64, 65_536, 1_000_000])(
    'in chunks of %i bytes: an oversized event is skipped where a handler is set',
    (size) => {
      const told: (readonly unknown[])[] = []
      const parser = createSseParser(
        {
          ...limits,
          refuse: (problem) => new Error(problem),
          onRefused: ({ id, hasMethod, problem }) => told.push([id, hasMethod, problem]),
        },
        ({ data }) => told.push([JSON.parse(data)]),
      )
      const large = list(60_000, () => 1)
      // Over several lines, as a server may write it.
      const lines = JSON.stringify({ id: 9, result: large }, null, 1).replaceAll('\n', '\ndata: ')
      const asks = JSON.stringify({ id: 'q', method: 'x', params: large })
      const text = `data: 1\n\nevent: message\ndata: ${answer(large)}\n\ndata: ${asks}\r\n\r\ndata: ${lines}\n\ndata: 2\n\n`
      const bytes = Buffer.from(text)
      for (let at = 0; at < bytes.length; at += size) parser.push(bytes.subarray(at, at + size))
      expect(told).toEqual([[1], [7, false, 'values'], ['q', true, 'values'], [9, false, 'values'], [2]])
      expect(() => {
        for (let at = 0; at < 30; at++) parser.push(Buffer.alloc(1_000_000, 'x'))
      }).toThrow('bytes')
    },
  )
})
