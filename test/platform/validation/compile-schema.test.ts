import { beforeAll, describe, expect, it } from 'vitest'
import type { JsonSchema } from '../../../src/contract/json-schema.js'
import { loadSchemaCompiler, type SchemaCompiler } from '../../../src/platform/validation/compile-schema.js'

let compiler: SchemaCompiler
beforeAll(async () => {
  compiler = await loadSchemaCompiler()
})

const issuesOf = (schema: JsonSchema, value: unknown) => {
  const result = compiler.compile(schema)(value)
  return result.ok ? [] : result.issues
}
const fits = (schema: JsonSchema, value: unknown) => compiler.compile(schema)(value).ok
const object = (properties: JsonSchema, more: JsonSchema = {}): JsonSchema => ({
  type: 'object',
  properties,
  ...more,
})

describe('compile', () => {
  it('returns the same value when it matches', () => {
    const value = { a: 1 }
    const result = compiler.compile(object({ a: { type: 'number' } }))(value)
    expect(result).toEqual({ ok: true, value })
    expect(result.ok && result.value).toBe(value)
  })

  it('is loaded and compiled once', async () => {
    expect(await loadSchemaCompiler()).toBe(compiler)
    const schema = object({})
    expect(compiler.compile(schema)).toBe(compiler.compile(schema))
    expect(compiler.compile(schema, { fillDefaults: true })).not.toBe(compiler.compile(schema))
  })

  it('keeps schemas with the same $id apart, outside and inside', () => {
    const withId = (type: string): JsonSchema => ({
      $id: 'https://example.test/same',
      $defs: { part: { $id: 'https://example.test/part', $anchor: 'here', type } },
      $ref: 'https://example.test/part',
    })
    const strings = compiler.compile(withId('string'))
    const numbers = compiler.compile(withId('number'))
    expect([strings('a').ok, strings(1).ok, numbers('a').ok, numbers(1).ok]).toEqual([
      true,
      false,
      false,
      true,
    ])
  })

  it('reads draft-07 by its $schema, and tuples without one', () => {
    const tuple = { type: 'array', items: [{ type: 'string' }], additionalItems: false }
    expect(fits({ $schema: 'http://json-schema.org/draft-07/schema#', ...tuple }, ['a'])).toBe(true)
    expect(fits({ $schema: 'http://json-schema.org/draft-07/schema#', ...tuple }, ['a', 1])).toBe(false)
    expect(fits(tuple, [1])).toBe(false)
    expect(fits({ type: 'array', prefixItems: [{ type: 'string' }], items: false }, ['a', 1])).toBe(false)
  })

  it('follows references inside the schema, also recursive ones', () => {
    const tree = object(
      { children: { type: 'array', items: { $ref: '#' } } },
      { additionalProperties: false },
    )
    expect(fits(tree, { children: [{ children: [] }] })).toBe(true)
    expect(issuesOf(tree, { children: [{ other: 1 }] })).toEqual([
      { path: '/children/0', message: 'must not have the property "other"' },
    ])
  })

  it('checks known formats and ignores unknown ones', () => {
    expect(issuesOf({ type: 'string', format: 'email' }, 'no')).toEqual([
      { path: '', message: 'must have the format "email"' },
    ])
    expect(fits({ type: 'string', format: 'moon-phase' }, 'no')).toBe(true)
  })

  it('accepts patterns that only the older regular expressions allow', () => {
    expect(fits({ type: 'string', pattern: '^[\\w\\-\\_]+$' }, 'a-b')).toBe(true)
    expect(fits({ type: 'string', pattern: '^[\\w\\-\\_]+$' }, 'a b')).toBe(false)
  })
})

describe('names that every object inherits', () => {
  it.each(['toString', 'constructor', 'hasOwnProperty', '__proto__'])(
    '%s must be an own property',
    (name) => {
      const schema = { type: 'object', required: [name] }
      expect(issuesOf(schema, {})).toEqual([{ path: '', message: `must have the property "${name}"` }])
      expect(fits(schema, JSON.parse(`{"${name}": 1}`))).toBe(true)
    },
  )

  it.each(['toString', 'constructor', '__proto__'])('%s is checked like any other property', (name) => {
    const schema = JSON.parse(
      `{"type":"object","properties":{"${name}":{"type":"string"}},"additionalProperties":false}`,
    ) as JsonSchema
    expect(fits(schema, {})).toBe(true)
    expect(fits(schema, JSON.parse(`{"${name}":"a"}`))).toBe(true)
    expect(issuesOf(schema, JSON.parse(`{"${name}":1}`))).toEqual([
      { path: `/${name}`, message: 'must be a string' },
    ])
  })

  it('an own __proto__ is an additional property', () => {
    expect(fits(object({}, { additionalProperties: false }), JSON.parse('{"__proto__":{"a":1}}'))).toBe(false)
  })
})

describe('issues', () => {
  it.each<[JsonSchema, unknown, string, string]>([
    [{ required: ['path'] }, {}, '', 'must have the property "path"'],
    [object({ a: { type: 'string' } }), { a: 1 }, '/a', 'must be a string'],
    [{ type: ['integer', 'null'] }, 'x', '', 'must be an integer or null'],
    [{ enum: ['a', 'b'] }, 'c', '', 'must be one of "a", "b"'],
    [{ const: 'a' }, 'c', '', 'must be "a"'],
    [object({}, { additionalProperties: false }), { x: 1 }, '', 'must not have the property "x"'],
    [object({ 'a/b~c': { type: 'null' } }), { 'a/b~c': 1 }, '/a~1b~0c', 'must be null'],
    [{ minimum: 3 }, 1, '', 'must be at least 3'],
    [{ exclusiveMaximum: 3 }, 3, '', 'must be less than 3'],
    [{ minLength: 1 }, '', '', 'must have at least 1 character'],
    [{ maxItems: 2 }, [1, 2, 3], '', 'must have at most 2 items'],
    [{ uniqueItems: true }, [1, 1], '', 'must not repeat an item (items 0 and 1 are equal)'],
    [{ pattern: '^a$' }, 'b', '', 'must match the pattern "^a$"'],
    [{ not: { type: 'string' } }, 'b', '', 'must not have this form'],
    [object({ a: false }), { a: 1 }, '/a', 'must not be present'],
    [{ propertyNames: { maxLength: 1 } }, { ab: 1 }, '', 'must not have a property named "ab"'],
    [{ anyOf: [{ type: 'string' }, { type: 'number' }] }, true, '', 'must be a string or a number'],
    [{ dependentRequired: { a: ['b'] } }, { a: 1 }, '', 'must have the property "b" when it has "a"'],
  ])('%j', (schema, value, path, message) => {
    expect(issuesOf(schema, value)).toEqual([{ path, message }])
  })

  it('names several at once', () => {
    const schema = object({ a: { type: 'string' }, b: { type: 'number' } }, { required: ['c'] })
    expect(issuesOf(schema, { a: 1, b: 'x' })).toEqual([
      { path: '', message: 'must have the property "c"' },
      { path: '/a', message: 'must be a string' },
      { path: '/b', message: 'must be a number' },
    ])
  })

  it('merges the branches of a union for each item of a list', () => {
    const schema = { items: { anyOf: [{ type: 'string' }, { enum: [1, 2] }] } }
    expect(issuesOf(schema, [3, 'a', null])).toEqual([
      { path: '/0', message: 'must be a string or one of 1, 2' },
      { path: '/2', message: 'must be a string or one of 1, 2' },
    ])
  })

  it('never repeats the value', () => {
    const kinds = [{ type: 'number' }, { enum: ['a'] }, { const: 1 }, { pattern: '^a$' }, { format: 'uuid' }]
    for (const kind of [...kinds, { anyOf: kinds }, { oneOf: kinds }, { maxLength: 2 }]) {
      const issues = issuesOf(object({ a: kind }), { a: 'sesame' })
      expect(issues.length).toBeGreaterThan(0)
      expect(JSON.stringify(issues)).not.toContain('sesame')
    }
  })

  it('shortens a name that came from the value', () => {
    const [issue] = issuesOf(object({}, { additionalProperties: false }), { ['x'.repeat(10_000)]: 1 })
    expect(issue!.message.length).toBeLessThan(200)
  })
})

describe('hostile values', () => {
  it('names at most 10 issues of a long list, quickly', () => {
    const validate = compiler.compile({ type: 'array', items: { type: 'object', required: ['a', 'b'] } })
    const long = Array.from({ length: 10_000 }, () => ({}))
    const start = performance.now()
    const result = validate(long)
    expect(performance.now() - start).toBeLessThan(50)
    expect(!result.ok && result.issues.length).toBe(1)
    const shorter = validate(long.slice(0, 300))
    expect(!shorter.ok && shorter.issues.length).toBe(10)
  })

  it('never runs a pattern on a string that exceeds maxLength', () => {
    const slow = { type: 'string', maxLength: 20, pattern: '^(a+)+$' }
    const schema = object({ a: slow, b: { type: 'number' } })
    expect(issuesOf(schema, { a: 'a'.repeat(5000) + '!', b: 'x' })).toEqual([
      { path: '/a', message: 'must have at most 20 characters' },
    ])
  })

  it('refuses values that are nested too deeply', () => {
    const schema = object({ next: { $ref: '#' } })
    let deep = {}
    for (let depth = 0; depth < 200_000; depth++) deep = { next: deep }
    expect(issuesOf(schema, deep)).toEqual([{ path: '', message: 'is nested too deeply to be checked' }])
  })
})

describe('schemas that cannot be used', () => {
  it.each<[JsonSchema, string]>([
    [{ pattern: '(' }, 'a pattern is not valid'],
    [{ $ref: '#/$defs/missing' }, '"#/$defs/missing"'],
    [{ $ref: 'https://example.test/elsewhere' }, 'https://example.test/elsewhere'],
    [{ type: 'text' }, 'text'],
    [{ properties: { a: 'string' } }, '/properties/a is neither an object nor a boolean'],
    [{ required: 'a' }, '"required" is not a list of property names'],
    [{ $async: true }, '"$async"'],
    [{ enum: 'a' }, 'enum'],
  ])('%j', (schema, words) => {
    let thrown: unknown
    try {
      compiler.compile(schema)
    } catch (error) {
      thrown = error
    }
    expect(thrown).toMatchObject({ code: 'toolcrib.schema_unusable' })
    expect((thrown as Error).message).toMatch(/^The schema cannot be used because .+\.$/)
    expect((thrown as Error).message).toContain(words)
  })

  it('a schema that contains itself', () => {
    const schema: Record<string, unknown> = {}
    schema.not = schema
    expect(() => compiler.compile(schema)).toThrow('nested too deeply')
  })
})
