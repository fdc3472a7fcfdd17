import { expect, test } from 'vitest'
import { createOpenItems, createOpenItemsById } from '../../../src/platform/async/open-items.js'

test('Items are added and removed by slot, and slots are reused', () => {
  const items = createOpenItems<{ name: string }>()
  const first = items.add({ name: 'first' })
  const second = items.add({ name: 'second' })
  expect(items.size).toBe(2)
  expect(items.remove(first)).toEqual({ name: 'first' })
  expect(items.add({ name: 'third' })).toBe(first)
  expect(items.all().map(({ name }) => name)).toEqual(['third', 'second'])
  items.remove(second)
  expect(items.size).toBe(1)
})

test('Items are found by ids of both types, which are different ids', () => {
  const items = createOpenItemsById<{ name: string }>()
  items.set(1, { name: 'number' })
  items.set('1', { name: 'text' })
  items.set('__proto__', { name: 'reserved word' })
  expect(items.size).toBe(3)
  expect(items.get(1)).toEqual({ name: 'number' })
  expect(items.get('1')).toEqual({ name: 'text' })
  expect(items.delete('__proto__')).toEqual({ name: 'reserved word' })
  expect(items.delete('__proto__')).toBeUndefined()
  items.set(1, { name: 'replaced' })
  expect(items.size).toBe(2)
  expect(items.all().map(({ name }) => name)).toEqual(['replaced', 'text'])
  items.clear()
  expect([items.size, items.get(1)]).toEqual([0, undefined])
})

const NO_IDS: readonly { id: unknown }[] = [
  undefined,
  null,
  true,
  {},
  [],
  { toString: 1 },
  'toString',
  Number.NaN,
  -0.5,
].map((id) => ({ id }))

test.each(NO_IDS)('What a peer sends in place of an id finds nothing: $id', ({ id }) => {
  const items = createOpenItemsById<object>()
  items.set(7, {})
  expect(items.get(id)).toBeUndefined()
  expect(items.delete(id)).toBeUndefined()
  expect(items.size).toBe(1)
})
