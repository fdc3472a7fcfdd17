import type { JsonSchema } from '../../../../src/contract/json-schema.js'
import type { AnyRoute } from '../../../../src/edges/http-api/route.js'

/** Numbers from 0 up to 1, the same for the same seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

export interface FuzzedRequest {
  readonly method: string
  readonly path: string
  readonly headers: Record<string, string>
  readonly body: Buffer | undefined
}

export interface FuzzOptions {
  readonly random: () => number
  /** Ids and names that exist. */
  readonly known: readonly string[]
  readonly tokens: readonly string[]
}

const STRANGE = [
  '',
  ' ',
  '..',
  '../../etc/passwd',
  '%2e%2e%2f',
  '\u0000',
  '\ud800',
  '🙂'.repeat(50),
  'a'.repeat(5000),
  "'; DROP TABLE calls; --",
  '<script>alert(1)</script>',
  '__proto__',
  'constructor',
  'toolcrib://invocations/x',
  'toolcrib://',
  '-1',
  '0',
  '9007199254740993',
  '1e309',
  'NaN',
  'null',
  'true',
  'start',
  'now',
  'p0',
  'pzzzzzzzzzzz',
  '2026-01-01T00:00:00Z',
  '*',
] as const

/** Times that the format allows; not all of them are times of a clock. */
const TIMES = [
  '2016-12-31T23:59:60Z',
  '2030-12-31T23:59:60Z',
  '2026-01-01T00:00:00Z',
  '2026-01-01t00:00:00z',
  '2026-01-01 00:00:00Z',
  '2026-01-01T00:00:00.123456789+05:30',
  '2026-01-01T00:00:00+05',
  '0000-01-01T00:00:00Z',
  '9999-12-31T23:59:59-23:59',
] as const

/** A request for a route with faults of all kinds: types, sizes, encodings, identities, headers. */
export function fuzzRequest(route: AnyRoute, options: FuzzOptions): FuzzedRequest {
  const { random, tokens } = options
  const pick = <Item>(items: readonly Item[]): Item => oneOf(items, random)
  const path = route.path.replaceAll(/\{[^}]+\}/g, () => encodeSegment(textOf(options), random))
  const query = queryOf(route, options)
  const headers: Record<string, string> = {}
  if (random() < 0.95)
    headers['authorization'] =
      random() < 0.95 ? `Bearer ${pick(tokens)}` : pick(['Bearer', 'Basic eA==', 'Bearer a b', 'x'])
  if (random() < 0.2) headers['if-none-match'] = pick(['*', '"x"', 'W/"', ','.repeat(100)])
  if (random() < 0.2) headers['idempotency-key'] = pick(['k', 'x'.repeat(300), 'a b', '%00'])
  const isStreamed = route.success.some(({ mediaType }) => mediaType === 'text/event-stream')
  if (isStreamed && random() < 0.5) headers['accept'] = 'text/event-stream'
  else if (random() < 0.2) headers['accept'] = pick(['text/event-stream', 'image/png', '*/*', ',;,'])
  if (random() < 0.2) headers['last-event-id'] = pick(['p1', 'zz', '-', 'p'.repeat(100)])
  if (random() < 0.1) headers['if-match'] = pick(['"x"', '*', ''])
  const method = methodFor(route, options)
  if (method === 'GET' || method === 'HEAD')
    return { method, path: `${path}${query}`, headers, body: undefined }
  headers['content-type'] =
    random() < 0.95 ? 'application/json' : pick(['text/plain', 'application/json; charset=latin1', 'x'])
  return { method, path: `${path}${query}`, headers, body: bodyOf(route, options) }
}

/** Mostly the method of the route. What answers GET answers HEAD too. */
function methodFor({ method }: AnyRoute, { random }: FuzzOptions): string {
  const others = ['PATCH', 'PUT', 'DELETE', 'POST', 'GET', 'HEAD']
  if (random() < 0.03) return oneOf(others, random)
  return method === 'get' && random() < 0.2 ? 'HEAD' : method.toUpperCase()
}

function oneOf<Item>(items: readonly Item[], random: () => number): Item {
  return items[Math.floor(random() * items.length)]!
}

function encodeSegment(text: string, random: () => number): string {
  if (random() < 0.05) return '%zz'
  try {
    return encodeURIComponent(text) || '-'
  } catch {
    return '%ED%A0%80'
  }
}

function textOf({ random, known }: FuzzOptions): string {
  const from: readonly string[] = random() < 0.6 ? known : STRANGE
  return from[Math.floor(random() * from.length)] ?? ''
}

function queryOf({ query = {} }: AnyRoute, options: FuzzOptions): string {
  const { random } = options
  if (random() < 0.2) return ''
  const parts: string[] = []
  for (const [name, schema] of Object.entries(query)) {
    if (random() < 0.5) continue
    const value = random() < 0.7 ? valueFor(schema, options) : textOf(options)
    const text = Array.isArray(value) ? value.join(',') : String(value)
    parts.push(`${name}=${encodeSegment(text, random)}`)
  }
  if (random() < 0.05) parts.push('unknown=1')
  if (random() < 0.02) parts.push('%', '=', '&&')
  return parts.length > 0 ? `?${parts.join('&')}` : ''
}

function bodyOf({ body }: AnyRoute, options: FuzzOptions): Buffer | undefined {
  const { random } = options
  const kind = random()
  if (kind < 0.03) return undefined
  if (kind < 0.06) return Buffer.from('{"a":')
  if (kind < 0.08) return Buffer.from([0xff, 0xfe, 0x7b, 0x7d])
  if (kind < 0.1) return Buffer.from(`${'['.repeat(3000)}${']'.repeat(3000)}`)
  if (kind < 0.11) return Buffer.from(`{"x":"${'y'.repeat(300_000)}"}`)
  if (kind < 0.13) return Buffer.from('{"__proto__":{"x":1},"constructor":1}')
  if (kind < 0.15) return Buffer.from('null')
  const value = body ? valueFor(body, options) : {}
  return Buffer.from(JSON.stringify(random() < 0.3 ? spoil(value, options) : value) ?? 'null')
}

/** One member less, one more, or one of another type. */
function spoil(value: unknown, options: FuzzOptions): unknown {
  const { random } = options
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return textOf(options)
  const entries = Object.entries(value)
  const at = Math.floor(random() * entries.length)
  const kind = random()
  if (kind < 0.3) return Object.fromEntries(entries.filter((_, index) => index !== at))
  if (kind < 0.5) return { ...value, [textOf(options)]: 1 }
  const other = [null, 1, -1, 1.5, true, [], {}, textOf(options), [[[]]]][Math.floor(random() * 9)]
  return Object.fromEntries(entries.map(([name, each], index) => [name, index === at ? other : each]))
}

/** A value that the schema mostly allows. */
function valueFor(schema: JsonSchema, options: FuzzOptions, depth = 0): unknown {
  const { random } = options
  const choices = schema['enum'] as readonly unknown[] | undefined
  if (choices) return choices[Math.floor(random() * choices.length)]
  switch (schema['type']) {
    case 'boolean':
      return random() < 0.5
    case 'integer':
    case 'number':
      return [0, 1, 2, 10, -1, 500, 5000, 1e15][Math.floor(random() * 8)]
    case 'array': {
      const count = depth > 3 ? 0 : Math.floor(random() * 3)
      return Array.from({ length: count }, () =>
        valueFor((schema['items'] ?? {}) as JsonSchema, options, depth + 1),
      )
    }
    case 'object': {
      const properties = Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>)
      const required = (schema['required'] ?? []) as readonly string[]
      const chosen = properties.filter(([name]) => required.includes(name) || random() < 0.4)
      return Object.fromEntries(chosen.map(([name, each]) => [name, valueFor(each, options, depth + 1)]))
    }
    case 'string':
      return schema['format'] === 'date-time' && random() < 0.8 ? oneOf(TIMES, random) : textOf(options)
    default:
      return depth > 3 || random() < 0.5 ? textOf(options) : { text: textOf(options), a: [1, null] }
  }
}
