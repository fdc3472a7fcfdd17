import { toJsonSchema, toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import * as zodMini from 'zod/mini'
import { zodToJsonSchema } from 'zod-to-json-schema'
import { z as z3 } from 'zod3'
import { loadSchemaCompiler } from '../../../src/platform/validation/compile-schema.js'
import { stateSchema, type SchemaForm } from '../../../src/sources/functions/schema-form.js'

const check = async (form: SchemaForm, value: unknown) => {
  const { validate } = stateSchema(form, 'input')
  if (!validate) throw new Error('no validator')
  return validate(value)
}
const schemaOf = (form: SchemaForm, side: 'input' | 'output' = 'input') => stateSchema(form, side).jsonSchema
const words = (form: unknown, side: 'input' | 'output' = 'input') => {
  try {
    stateSchema(form as SchemaForm, side)
  } catch (error) {
    expect(error).toBeInstanceOf(TypeError)
    return (error as Error).message
  }
  return 'nothing was thrown'
}

/** The same tool input in each library: a default, a transform, and a plain field. */
const forms: Record<string, SchemaForm> = {
  zod: z.object({ page: z.string().transform(Number), size: z.number().default(10), q: z.string() }),
  arktype: type({ page: 'string.numeric.parse', size: 'number = 10', q: 'string' }),
  'valibot toStandardJsonSchema': toStandardJsonSchema(
    v.object({
      page: v.pipe(v.string(), v.transform(Number)),
      size: v.optional(v.number(), 10),
      q: v.string(),
    }),
  ),
  'valibot pair': {
    validator: v.object({
      page: v.pipe(v.string(), v.transform(Number)),
      size: v.optional(v.number(), 10),
      q: v.string(),
    }),
    jsonSchema: toJsonSchema,
  },
  'zod pair': {
    validator: z.object({ page: z.string().transform(Number), size: z.number().default(10), q: z.string() }),
    jsonSchema: z.toJSONSchema,
  },
  'zod 3 pair': {
    validator: z3.object({
      page: z3.string().transform(Number).pipe(z3.number()),
      size: z3.number().default(10),
      q: z3.string(),
    }),
    jsonSchema: zodToJsonSchema,
  },
}

describe.each(Object.entries(forms))('%s', (_name, form) => {
  it('exports the JSON Schema of the input side', async () => {
    const schema = schemaOf(form)
    expect(schema).toMatchObject({
      type: 'object',
      properties: { page: { type: 'string' }, size: { type: 'number' }, q: { type: 'string' } },
    })
    expect([...(schema.required as string[])].toSorted()).toEqual(['page', 'q'])
    const compiled = (await loadSchemaCompiler()).compile(schema)
    expect(compiled({ page: '2', q: 'a' }).ok).toBe(true)
    expect(compiled({ page: 2, q: 'a' }).ok).toBe(false)
  })

  it('transforms and fills defaults, without changing the given value', async () => {
    const given = { page: '2', q: 'a' }
    for (const value of [given, Object.freeze({ ...given })]) {
      expect(await check(form, value)).toEqual({ ok: true, value: { page: 2, size: 10, q: 'a' } })
      expect(value).toEqual({ page: '2', q: 'a' })
    }
  })

  it('reports where a value fails, without repeating it', async () => {
    const result = await check(form, { page: '2', size: 'sesame', q: ['sesame'] })
    expect(result.ok).toBe(false)
    expect(!result.ok && result.issues.map((issue) => issue.path).toSorted()).toEqual(['/q', '/size'])
    expect(JSON.stringify(result)).not.toContain('sesame')
  })
})

describe('vendors and sides', () => {
  it('names the library', () => {
    const vendors = Object.values(forms).map((form) => stateSchema(form, 'input').vendor)
    expect(vendors).toEqual(['zod', 'arktype', 'valibot', 'valibot', 'zod', 'zod'])
  })

  it('exports the JSON Schema of the output side for outputs', () => {
    const withDefault = z.object({ size: z.number().default(10) })
    expect(schemaOf(withDefault, 'input').required).toBeUndefined()
    expect(schemaOf(withDefault, 'output').required).toEqual(['size'])
    expect(schemaOf(forms.arktype!, 'output')).toMatchObject({ properties: { page: { type: 'number' } } })
  })

  it('says what to do when the output side cannot be exported', () => {
    expect(words(forms.zod, 'output')).toMatch(
      /^the zod schema given as output cannot be written as JSON Schema \(.+\), so pass \{ validator: schema, jsonSchema/,
    )
  })
})

describe('libraries from before the standard', () => {
  it('arktype with only toJsonSchema', () => {
    const modern = type({ page: 'string.numeric.parse' })
    const stating = (part: { toJsonSchema(): object }) => ({ toJsonSchema: () => part.toJsonSchema() })
    const { version, vendor, validate } = modern['~standard']
    const older = Object.assign(() => {}, {
      '~standard': { version, vendor, validate },
      toJsonSchema: () => modern.toJsonSchema(),
      in: stating(modern.in),
      out: stating(modern.out),
    })
    expect(schemaOf(older)).toMatchObject({ properties: { page: { type: 'string' } } })
    expect(stateSchema(older, 'input').vendor).toBe('arktype')
  })

  it('zod 4 with only toJSONSchema', () => {
    const modern = z.object({ page: z.string().transform(Number) })
    const { version, vendor, validate } = modern['~standard']
    const older = {
      '~standard': { version, vendor, validate },
      _zod: {},
      toJSONSchema: (options?: object) => modern.toJSONSchema(options),
    }
    expect(schemaOf(older)).toMatchObject({ properties: { page: { type: 'string' } } })
  })
})

describe('pairs', () => {
  const jsonSchema = { type: 'object', properties: { a: { type: 'string' } } } as const

  it('keeps a JSON Schema as it was given', () => {
    expect(schemaOf({ validator: z3.object({}), jsonSchema })).toBe(jsonSchema)
  })

  it('accepts any validator with safeParse or parse', async () => {
    const strict = z3.object({ a: z3.enum(['x', 'y']) })
    const wrong = { ok: false, issues: [{ path: '/a', message: "Invalid enum value. Expected 'x' | 'y'" }] }
    const safe = { safeParse: (value: unknown) => strict.safeParse(value) }
    expect(await check({ validator: safe, jsonSchema }, { a: 'x' })).toEqual({ ok: true, value: { a: 'x' } })
    expect(await check({ validator: safe, jsonSchema }, { a: 'sesame' })).toEqual(wrong)
    const throwing = { parse: (value: unknown) => strict.parse(value) }
    expect(await check({ validator: throwing, jsonSchema }, { a: 'x' })).toEqual({
      ok: true,
      value: { a: 'x' },
    })
    expect(await check({ validator: throwing, jsonSchema }, { a: 'sesame' })).toEqual(wrong)
  })

  it('accepts a function, also an asynchronous one', async () => {
    const upper = (value: { a: string }) => {
      if (value.a === 'sesame') throw new Error('sesame is not allowed')
      return { a: value.a.toUpperCase() }
    }
    const refused = { ok: false, issues: [{ path: '', message: 'was refused by its validator' }] }
    expect(await check({ validator: upper, jsonSchema }, { a: 'x' })).toEqual({ ok: true, value: { a: 'X' } })
    expect(await check({ validator: upper, jsonSchema }, { a: 'sesame' })).toEqual(refused)
    const later = async (value: { a: string }) => upper(value)
    expect(await check({ validator: later, jsonSchema }, { a: 'x' })).toEqual({ ok: true, value: { a: 'X' } })
    expect(await check({ validator: later, jsonSchema }, { a: 'sesame' })).toEqual(refused)
  })

  it('awaits asynchronous refinements, and reports a failure when the library throws', async () => {
    const taken = z.object({ a: z.string().refine(async (value) => value !== 'taken', 'must be free') })
    expect(await check(taken, { a: 'free' })).toEqual({ ok: true, value: { a: 'free' } })
    expect(await check(taken, { a: 'taken' })).toEqual({
      ok: false,
      issues: [{ path: '/a', message: 'must be free' }],
    })
    const broken = z.object({
      a: z.string().refine((value) => {
        throw new Error(value)
      }),
    })
    expect(await check(broken, { a: 'sesame' })).toEqual({
      ok: false,
      issues: [{ path: '', message: 'was refused by its validator' }],
    })
  })

  it('returns synchronously where the library does', () => {
    expect(stateSchema(z.object({}), 'input').validate!({})).toEqual({ ok: true, value: {} })
  })
})

describe('messages', () => {
  const message = async (form: SchemaForm, value: unknown) => {
    const result = await check(form, value)
    return result.ok ? undefined : result.issues[0]?.message
  }

  it('keep the received type, never the value', async () => {
    expect(await message(z.object({ a: z.number() }), {})).toBe(
      'Invalid input: expected number, received undefined',
    )
    expect(await message(toStandardJsonSchema(v.object({ a: v.number() })), { a: 'sesame' })).toBe(
      'Invalid type: Expected number',
    )
    expect(await message(type({ a: 'number > 5' }), { a: 3 })).toBe('must be more than 5')
    expect(await message(type({ a: 'number > 5' }), {})).toBe('must be a number (was missing)')
  })

  it('are at most ten, with escaped paths', async () => {
    const wrong = await check(
      z.array(z.number()),
      Array.from({ length: 50 }, () => 'x'),
    )
    expect(!wrong.ok && wrong.issues.length).toBe(10)
    const escaped = await check(z.object({ 'a/b~c': z.number() }), {})
    expect(!escaped.ok && escaped.issues[0]!.path).toBe('/a~1b~0c')
  })
})

describe('plain JSON Schema', () => {
  it('has no validator of its own', () => {
    const jsonSchema = { type: 'object' }
    expect(stateSchema({ jsonSchema }, 'input')).toEqual({ jsonSchema, vendor: 'json-schema' })
  })
})

describe('an invalid schema form is rejected with what to write instead', () => {
  it.each<[string, unknown, string]>([
    [
      'zod 3',
      z3.object({}),
      '{ validator: schema, jsonSchema: zodToJsonSchema(schema) } with the package zod-to-json-schema',
    ],
    ['bare valibot', v.object({}), 'toStandardJsonSchema(schema) with the package @valibot/to-json-schema'],
    [
      'zod that cannot state itself',
      { '~standard': { version: 1, vendor: 'zod', validate: () => ({ value: 1 }) }, _zod: {} },
      '{ validator: schema, jsonSchema: z.toJSONSchema }',
    ],
    ['zod 3 before Standard Schema', { _def: {}, safeParse() {}, parse() {} }, 'zodToJsonSchema(schema)'],
    [
      'another library',
      { '~standard': { version: 1, vendor: 'other', validate: () => ({ value: 1 }) } },
      'the other schema given as input cannot state its JSON Schema',
    ],
    ['a bare JSON Schema', { type: 'object', properties: {} }, 'must be wrapped: pass { jsonSchema: { … } }'],
    ['fields of zod', { a: z.string(), b: z.number() }, 'z.object({ … })'],
    ['fields of zod 3', { a: z3.string() }, 'z.object({ … })'],
    ['fields of valibot', { a: v.string() }, 'v.object({ … })'],
    ['a bare function', () => 1, '{ validator, jsonSchema: { … } }'],
    ['a validator alone', { validator: z.object({}) }, '{ validator, jsonSchema: { … } }'],
    ['nothing', null, 'input must be a schema'],
    ['a list', [], 'input must be a schema'],
    ['a JSON Schema that is none', { jsonSchema: 'object' }, 'must be an object'],
    ['a validator that is none', { validator: {}, jsonSchema: {} }, 'validator must be a Standard Schema'],
  ])('%s', (_name, form, expected) => {
    expect(words(form)).toContain(expected)
  })

  it('zod/mini with its own converter', () => {
    const schema = zodMini.object({ a: zodMini.string() })
    expect(schemaOf({ validator: schema, jsonSchema: zodMini.toJSONSchema })).toMatchObject({
      type: 'object',
    })
  })
})
