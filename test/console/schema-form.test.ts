import { expect, it } from 'vitest'
import { checkValue } from '../../console/src/ui/schema-form/check-value.js'
import {
  createDraft,
  draftProblems,
  leaveJson,
  setAt,
  typeJson,
} from '../../console/src/ui/schema-form/draft.js'
import { fieldKind, resolveSchema } from '../../console/src/ui/schema-form/read-schema.js'

it('replaces, adds and removes fields without changing the value it began with', () => {
  const before = createDraft({ a: { b: [1, 2] }, c: 'x' })
  const after = setAt(setAt(setAt(before, ['a', 'b', 1], 3), ['d', 'e'], true), ['c'], undefined)
  expect(after.value).toEqual({ a: { b: [1, 3] }, d: { e: true } })
  expect(before.value).toEqual({ a: { b: [1, 2] }, c: 'x' })
  expect(setAt(after, ['a', 'b', 0], undefined).value).toEqual({ a: { b: [3] }, d: { e: true } })
})

it('keeps a field that is called __proto__ as a field', () => {
  const { value } = setAt(createDraft({}), ['__proto__'], { isAdmin: true })
  expect(Object.keys(value as object)).toEqual(['__proto__'])
  expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined()
})

it('keeps JSON as it was typed until it can be read and the person leaves the field', () => {
  const broken = typeJson(createDraft({ a: 1 }), ['a'], '{"b": ')
  expect(broken.value).toEqual({ a: 1 })
  expect(broken.texts['/a']?.text).toBe('{"b": ')
  expect(draftProblems(broken)).toMatchObject([
    { path: '/a', message: expect.stringMatching(/^This is not JSON/) },
  ])
  expect(leaveJson(broken, ['a'])).toEqual(broken)
  const whole = typeJson(broken, ['a'], '{"b": 2}')
  expect(whole.value).toEqual({ a: { b: 2 } })
  expect(whole.texts['/a']?.text).toBe('{"b": 2}')
  expect(leaveJson(whole, ['a']).texts).toEqual({})
})

it('shows a field for what it knows and JSON for everything else', () => {
  expect(fieldKind({ type: 'string' }, 'x')).toEqual({ kind: 'text', isLong: false })
  expect(fieldKind({ type: 'string' }, 'a\nb')).toEqual({ kind: 'text', isLong: true })
  expect(fieldKind({ type: ['integer', 'null'] }, undefined)).toEqual({ kind: 'number', isInteger: true })
  expect(fieldKind({ enum: ['a', 1] }, 'a')).toEqual({ kind: 'choice', options: ['a', 1] })
  expect(fieldKind({ const: 1 }, undefined)).toEqual({ kind: 'choice', options: [1] })
  expect(fieldKind({ type: 'array', items: { type: 'string' } }, [])).toMatchObject({ kind: 'list' })
  expect(fieldKind({ properties: { a: { type: 'string' } } }, {})).toMatchObject({ kind: 'object' })
  expect(fieldKind({ oneOf: [{ type: 'string' }, { type: 'number' }] }, 1)).toEqual({ kind: 'json' })
  expect(fieldKind({ type: 'object' }, {})).toEqual({ kind: 'json' })
  expect(fieldKind({ type: 'object', properties: { a: {} } }, '***')).toEqual({ kind: 'json' })
})

it('follows local references, also circular ones, and the other half of a choice with null', () => {
  const root = {
    $defs: { name: { type: 'string' }, one: { $ref: '#/$defs/two' }, two: { $ref: '#/$defs/one' } },
  }
  expect(resolveSchema({ $ref: '#/$defs/name', description: 'Who.' }, root)).toEqual({
    type: 'string',
    description: 'Who.',
  })
  expect(resolveSchema({ anyOf: [{ type: 'null' }, { $ref: '#/$defs/name' }] }, root)).toEqual({
    type: 'string',
  })
  expect(resolveSchema({ $ref: '#/$defs/one' }, root)).toEqual({})
  expect(resolveSchema({ $ref: 'https://example.org/schema' }, root)).toEqual({
    $ref: 'https://example.org/schema',
  })
})

it('says at each field what is wrong with it', () => {
  const schema = {
    type: 'object',
    required: ['name', 'count'],
    properties: {
      name: { type: 'string', minLength: 2 },
      count: { type: 'integer', maximum: 9 },
      tags: { type: 'array', items: { type: 'string' } },
    },
  }
  expect(checkValue(schema, { name: 'ab', count: 3, tags: ['x'] })).toEqual([])
  expect(checkValue(schema, { count: 12, tags: ['x', 1] })).toEqual([
    { path: '/name', message: 'Fill in this field.' },
    { path: '/count', message: 'This must be 9 or less.' },
    { path: '/tags/1', message: 'This must be a text.' },
  ])
  expect(checkValue(schema, { name: 'a', count: 'three' })).toMatchObject([
    { path: '/name', message: 'This needs at least 2 characters.' },
    { path: '/count', message: 'This must be a whole number.' },
  ])
})
