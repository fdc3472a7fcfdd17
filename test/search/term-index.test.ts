import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createVectorIndex } from '../../src/search/meaning/vector-index.js'
import { packVector, unpackVector } from '../../src/search/meaning/pack-vector.js'
import { createTermIndex, type TermIndex } from '../../src/search/term-index.js'

const weights = (...terms: readonly string[]) => new Map(terms.map((term, at) => [term, at + 1]))

function standsIn(index: TermIndex, term: string): [ordinal: number, weight: number][] {
  const places = index.postings.get(term)
  if (!places) return []
  return Array.from({ length: places.length }, (_, at): [number, number] => [
    places.ordinals[at]!,
    places.weights[at]!,
  ]).filter(([, weight]) => weight !== 0)
}

describe('the index of terms', () => {
  it('knows which tools have a term, and forgets removed ones', () => {
    const index = createTermIndex()
    index.add(0, weights('send', 'mail'))
    index.add(1, weights('mail', 'read'))
    expect(standsIn(index, 'mail')).toEqual([
      [0, 2],
      [1, 1],
    ])
    index.remove(0, weights('send', 'mail'))
    expect(standsIn(index, 'mail')).toEqual([[1, 1]])
    expect([...index.postings.keys()].sort()).toEqual(['mail', 'read'])
    expect(index.tools).toBe(1)
  })

  it('counts correctly after any additions, removals and renumbering', () => {
    const term = fc.constantFrom('a', 'b', 'c', 'd', 'e')
    const step = fc.oneof(
      { weight: 5, arbitrary: fc.record({ add: fc.uniqueArray(term, { minLength: 1 }) }) },
      { weight: 4, arbitrary: fc.record({ remove: fc.nat() }) },
      { weight: 1, arbitrary: fc.constant({ close: true }) },
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const index = createTermIndex()
        let tools: (Map<string, number> | undefined)[] = []
        for (const each of steps) {
          if ('add' in each) {
            index.add(tools.length, weights(...each.add))
            tools.push(weights(...each.add))
          } else if ('remove' in each) {
            const there = [...tools.keys()].filter((ordinal) => tools[ordinal])
            const ordinal = there[each.remove % there.length]
            if (ordinal === undefined) continue
            index.remove(ordinal, tools[ordinal]!)
            tools[ordinal] = undefined
          } else {
            let count = 0
            index.renumber(Int32Array.from(tools, (terms) => (terms ? count++ : -1)))
            tools = tools.filter((terms) => terms !== undefined)
          }
        }
        expect(index.tools).toBe(tools.filter(Boolean).length)
        for (const name of ['a', 'b', 'c', 'd', 'e']) {
          const naive = [...tools.entries()].flatMap(([ordinal, terms]): [number, number][] =>
            terms?.has(name) ? [[ordinal, terms.get(name)!]] : [],
          )
          expect(standsIn(index, name)).toEqual(naive)
          expect(index.postings.get(name)?.tools ?? 0).toBe(naive.length)
        }
      }),
    )
  })
})

describe('leftover terms', () => {
  it('are removed with their tool when ordinals change', () => {
    const index = createTermIndex()
    index.add(0, weights('send', 'kangaroo'))
    index.add(1, weights('send', 'mail'))
    index.add(2, weights('send'))
    // Not what it was added with.
    index.remove(0, weights('wombat'))
    index.renumber(Int32Array.of(-1, 0, 1))
    expect(index.postings.has('kangaroo')).toBe(false)
    expect(standsIn(index, 'send')).toEqual([
      [0, 1],
      [1, 1],
    ])
    expect(index.postings.get('send')?.tools).toBe(2)
  })
})

describe('vectors', () => {
  it('are compared by direction, 0 where there is none', () => {
    const index = createVectorIndex(4)
    index.set(0, Float32Array.of(1, 0, 0, 0))
    index.set(2, Float32Array.of(0, 1, 0, 0))
    expect([...index.nearness(Float32Array.of(1, 0, 0, 0))]).toEqual([1, 0, 0])
    expect([...index.nearness(Float32Array.of(1, 1, 0, 0), Int32Array.of(2, 9))]).toEqual([0, 0, 1])
    index.renumber(Int32Array.of(-1, -1, 0))()
    expect([...index.nearness(Float32Array.of(0, 1, 0, 0))]).toEqual([1])
    index.set(1, Float32Array.of(0, 0, 1, 0))
    expect([...index.nearness(Float32Array.of(0, 1, 1, 0))]).toEqual([1, 1])
  })

  it('keep their tools, however many of them stay and however many tools have none', () => {
    const places = fc.array(fc.record({ hasVector: fc.boolean(), stays: fc.boolean() }), { maxLength: 200 })
    fc.assert(
      fc.property(places, (tools) => {
        const index = createVectorIndex(4)
        tools.forEach(({ hasVector }, at) => {
          if (hasVector) index.set(at, Float32Array.of(at + 1, 0, 0, 0))
        })
        const nearness = (): number[] => [...index.nearness(Float32Array.of(1, 0, 0, 0))]
        const before = nearness()
        let count = 0
        const move = index.renumber(Int32Array.from(tools, ({ stays }) => (stays ? count++ : -1)))
        expect(nearness()).toEqual(before)
        move()
        const after = nearness()
        const expected = tools.flatMap(({ hasVector, stays }, at) => (stays ? [hasVector ? at + 1 : 0] : []))
        expect(expected.map((_, at) => after[at] ?? 0)).toEqual(expected)
        index.set(count, Float32Array.of(7, 0, 0, 0))
        expect(nearness()[count]).toBe(7)
      }),
    )
  })

  it('are nearly equal after packing, and exactly equal after packing again', () => {
    const numbers = fc.float32Array({ minLength: 8, maxLength: 8, min: -1, max: 1, noNaN: true })
    fc.assert(
      fc.property(numbers, (vector) => {
        const once = unpackVector(packVector(vector))
        const largest = Math.max(...vector.map(Math.abs))
        vector.forEach((number, at) => {
          expect(Math.abs(number - once[at]!)).toBeLessThanOrEqual(largest / 127 + 1e-30)
        })
        const text = Buffer.from(packVector(vector)).toString('base64')
        expect(unpackVector(new Uint8Array(Buffer.from(text, 'base64')))).toEqual(once)
      }),
    )
  })
})
