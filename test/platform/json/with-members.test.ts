import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { withMembers } from '../../../src/platform/json/with-members.js'

it('adds members after those of the object, and replaces members of the same name in their place', () => {
  const object = { a: 1, b: 2 }
  const added = withMembers(object, { b: 3, c: 4 })
  expect(JSON.stringify(added)).toBe('{"a":1,"b":3,"c":4}')
  expect(object).toEqual({ a: 1, b: 2 })
  expect(withMembers(undefined, { c: 4 })).toEqual({ c: 4 })
})

it('copies a member "__proto__" as data', () => {
  const copy = withMembers(JSON.parse('{"__proto__":{"isAdmin":true}}') as object, { a: 1 })
  expect(JSON.stringify(copy)).toBe('{"__proto__":{"isAdmin":true},"a":1}')
  expect('isAdmin' in copy).toBe(false)
})

it('makes objects of one hidden class', () => {
  setFlagsFromString('--allow-natives-syntax')
  const isOfSameClass = runInNewContext('(a, b) => %HaveSameMap(a, b)') as (a: object, b: object) => boolean
  const make = (id: number): object => withMembers({ id, name: 'a' }, { more: id })
  expect(isOfSameClass(make(1), make(2))).toBe(true)
})
