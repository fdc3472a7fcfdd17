const list = (count, make) => Array.from({ length: count }, (_, at) => make(at))
const object = (count, make) => Object.fromEntries(list(count, make))
const nested = (levels, wrap, inner) => list(levels, wrap).reduce((value, each) => each(value), inner)

/** Schemas that are cheap to write and expensive to check, each with its worst input. */
export function hostileSchemas(random) {
  const size = (least, more) => least + random.below(more)
  return [
    { kind: 'chained_refs', schema: chained(size(20, 12)), input: () => ({ a: 'x' }) },
    { kind: 'chained_few', schema: chained(size(8, 5)), input: () => ({ a: 'x' }) },
    {
      kind: 'wide_alternatives',
      schema: inList(alternatives(60)),
      input: () => ({ a: list(60, () => ({ kind: 99 })) }),
    },
    {
      kind: 'wider_alternatives',
      schema: inList(alternatives(size(200, 200))),
      input: () => ({ a: list(5_000, () => ({ kind: 9999 })) }),
    },
    {
      kind: 'two_ways',
      schema: twoWays(),
      input: () => ({ a: nested(size(30, 60), () => (next) => ({ next }), {}) }),
    },
    {
      kind: 'unique_objects',
      schema: inList(undefined, { uniqueItems: true }),
      input: () => ({ a: list(20_000, (id) => ({ id, name: `n${id}` })) }),
    },
    {
      kind: 'unique_numbers',
      schema: inList(undefined, { uniqueItems: true }),
      input: () => ({ a: list(200_000, (id) => id) }),
    },
    {
      kind: 'many_properties',
      schema: { type: 'object', properties: object(size(500, 3000), named) },
      input: () => ({ p1: 1 }),
    },
    { kind: 'slow_email', schema: text({ format: 'email' }), input: () => ({ a: `${'a'.repeat(80_000)}!` }) },
    {
      kind: 'slow_host',
      schema: text({ format: 'hostname' }),
      input: () => ({ a: `${'a.'.repeat(80_000)}!` }),
    },
    {
      kind: 'slow_address',
      schema: text({ format: 'uri' }),
      input: () => ({ a: `http://${'%20'.repeat(80_000)} ` }),
    },
    {
      kind: 'slow_pattern',
      schema: text({ pattern: '^(a+)+$' }),
      input: () => ({ a: `${'a'.repeat(60)}!` }),
    },
    { kind: 'cubic_pattern', schema: text({ pattern: 'a+a+a+b' }), input: () => ({ a: 'a'.repeat(30_000) }) },
    {
      kind: 'pattern_names',
      schema: { type: 'object', patternProperties: object(50, (at) => [`a${at}+b+`, { type: 'string' }]) },
      input: () => object(5_000, (at) => [`a${at}${'b'.repeat(50)}`, 'x']),
    },
    {
      kind: 'long_enum',
      schema: {
        type: 'object',
        properties: { a: { type: 'array', items: { enum: list(4_000, (at) => ({ at })) } } },
      },
      input: () => ({ a: list(2_000, () => ({ at: -1 })) }),
    },
    { kind: 'long_lengths', schema: text({ minLength: 3 }), input: () => ({ a: '😀'.repeat(800_000) }) },
    {
      kind: 'unevaluated',
      schema: { ...inPlace(30), type: 'object', unevaluatedProperties: false },
      input: () => object(20_000, (at) => [`p${at}`, 1]),
    },
    { kind: 'circle', schema: { type: 'object', $ref: '#' }, input: () => ({}) },
    {
      kind: 'dynamic',
      schema: {
        $dynamicAnchor: 'n',
        type: 'object',
        anyOf: list(2, () => ({ properties: { next: { $dynamicRef: '#n' } } })),
      },
      input: () => nested(40, () => (next) => ({ next }), 1),
    },
    {
      kind: 'contains',
      schema: inList(undefined, {
        contains: { anyOf: list(40, (at) => ({ const: at })) },
        minContains: 5_000,
      }),
      input: () => ({ a: list(100_000, () => -1) }),
    },
    {
      kind: 'conditions',
      schema: {
        type: 'object',
        allOf: list(100, (at) => ({ if: { required: [`p${at}`] }, else: { required: [`q${at}`] } })),
      },
      input: () => object(1_000, (at) => [`p${at}`, at]),
    },
    { kind: 'deep_input', schema: { type: 'object' }, input: () => nested(5_000, () => (a) => ({ a }), 1) },
    { kind: 'large_input', schema: { type: 'object' }, input: () => ({ a: list(300_000, (at) => at) }) },
    { kind: 'long_input', schema: { type: 'object' }, input: () => ({ a: '\u202ex'.repeat(700_000) }) },
    {
      kind: 'many_names',
      schema: { type: 'object' },
      input: () => object(60_000, (at) => [`k${at}`, { v: at }]),
    },
  ]
}

function chained(levels) {
  const step = (at) => ({ anyOf: [{ $ref: `#/$defs/l${at + 1}` }, { $ref: `#/$defs/l${at + 1}` }] })
  const $defs = { ...object(levels, (at) => [`l${at}`, step(at)]), [`l${levels}`]: { type: 'integer' } }
  return { type: 'object', properties: { a: { $ref: '#/$defs/l0' } }, $defs }
}

function alternatives(count) {
  return { anyOf: list(count, (at) => ({ properties: { kind: { const: at } }, required: ['kind'] })) }
}

function inList(items, more = {}) {
  return { type: 'object', properties: { a: { type: 'array', ...(items && { items }), ...more } } }
}

function twoWays() {
  const way = { type: 'object', required: ['next'], properties: { next: { $ref: '#/$defs/t' } } }
  return { type: 'object', properties: { a: { $ref: '#/$defs/t' } }, $defs: { t: { anyOf: [way, way] } } }
}

function named(at) {
  return [`p${at}`, { type: 'string', description: `about ${at}` }]
}

function text(more) {
  return { type: 'object', properties: { a: { type: 'string', ...more } } }
}

function inPlace(count) {
  return { anyOf: list(count, (at) => ({ properties: { [`p${at}`]: { type: 'string' } } })) }
}
