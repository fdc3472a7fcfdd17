import { beforeAll, describe, expect, it } from 'vitest'
import type { JsonSchema } from '../../../src/contract/json-schema.js'
import { loadSchemaCompiler, type SchemaCompiler } from '../../../src/platform/validation/compile-schema.js'

let compiler: SchemaCompiler
beforeAll(async () => {
  compiler = await loadSchemaCompiler()
})

const fill = (schema: JsonSchema, value: unknown) => {
  const result = compiler.compile(schema, { fillDefaults: true })(value)
  if (!result.ok) throw new Error(JSON.stringify(result.issues))
  return result.value
}

describe('fillDefaults', () => {
  const paged = {
    type: 'object',
    properties: { page: { type: 'integer', default: 1 }, query: { type: 'string' } },
    required: ['page', 'query'],
  }

  it('fills missing values in a copy, before required properties are checked', () => {
    const value = Object.freeze({ query: 'a' })
    expect(fill(paged, value)).toEqual({ query: 'a', page: 1 })
    expect(value).toEqual({ query: 'a' })
    expect(compiler.compile(paged)(value).ok).toBe(false)
  })

  it('returns the same value when nothing was missing, or when nothing has a default', () => {
    const whole = { query: 'a', page: 2 }
    expect(fill(paged, whole)).toBe(whole)
    expect(fill({ type: 'object' }, whole)).toBe(whole)
  })

  it('reaches nested objects, lists, references, allOf and additional properties', () => {
    const schema = {
      $defs: { leaf: { type: 'object', properties: { on: { default: true } } } },
      type: 'object',
      properties: {
        nested: { type: 'object', default: {}, properties: { a: { default: 'x' } } },
        list: { type: 'array', items: { $ref: '#/$defs/leaf' } },
        pair: { type: 'array', prefixItems: [{ $ref: '#/$defs/leaf' }] },
      },
      allOf: [{ properties: { also: { default: 0 } } }],
      additionalProperties: { $ref: '#/$defs/leaf' },
    }
    const untouched = { on: false }
    const value = { list: [{}, untouched], pair: [{}, {}], other: {}, also: 1 }
    const before = structuredClone(value)
    const filled = fill({ ...schema, properties: { ...schema.properties, also: {} } }, value) as typeof value
    expect(filled).toEqual({
      nested: { a: 'x' },
      list: [{ on: true }, { on: false }],
      pair: [{ on: true }, {}],
      other: { on: true },
      also: 1,
    })
    expect(filled.list[1]).toBe(untouched)
    expect(value).toEqual(before)
  })

  it('follows a schema that refers to itself', () => {
    const tree = {
      type: 'object',
      properties: { size: { default: 0 }, children: { type: 'array', items: { $ref: '#' } } },
    }
    expect(fill(tree, { children: [{ children: [{}] }] })).toEqual({
      size: 0,
      children: [{ size: 0, children: [{ size: 0 }] }],
    })
  })

  it('returns a new default each time', () => {
    const schema = { type: 'object', properties: { tags: { type: 'array', default: [] } } }
    const first = fill(schema, {}) as { tags: string[] }
    first.tags.push('a')
    expect(fill(schema, {})).toEqual({ tags: [] })
  })

  it('fills names that every object inherits, and keeps an own __proto__ as data', () => {
    const schema = { type: 'object', properties: { toString: { type: 'string', default: 'x' } } }
    const filled = fill(schema, JSON.parse('{"__proto__":{"admin":true}}')) as Record<string, unknown>
    expect(Object.hasOwn(filled, 'toString')).toBe(true)
    expect(JSON.stringify(filled)).toBe('{"__proto__":{"admin":true},"toString":"x"}')
    expect(filled.admin).toBeUndefined()

    const proto = JSON.parse('{"type":"object","properties":{"__proto__":{"default":{"a":1}}}}') as JsonSchema
    expect(JSON.stringify(fill(proto, {}))).toBe('{"__proto__":{"a":1}}')
  })

  it('does not fill under anyOf, whose branch is not known', () => {
    const schema = { anyOf: [{ properties: { a: { default: 1 } } }] }
    expect(fill(schema, {})).toEqual({})
  })

  it('checks the value after filling', () => {
    const schema = {
      type: 'object',
      properties: { a: { type: 'string', default: 'x' }, b: { type: 'string' } },
    }
    const result = compiler.compile(schema, { fillDefaults: true })({ b: 1 })
    expect(result).toEqual({ ok: false, issues: [{ path: '/b', message: 'must be a string' }] })
  })
})
