import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { judge } from '../../src/policy/judge.js'
import type { JudgedCall } from '../../src/policy/judged-call.js'
import type { Rule } from '../../src/policy/rules/rule.js'
import { naiveJudge } from './naive-judge.js'
import { call, scene, sceneAndRule } from './rule-arbitraries.js'
import { bookOf } from './rule-fixtures.js'

const STRICTNESS: Readonly<Record<string, number>> = { allow: 0, passthrough: 1, ask: 2, deny: 3 }

const behaviorOf = (rules: readonly Rule[], asked: JudgedCall): string => judge(bookOf(rules), asked).behavior
const strictnessOf = (rules: readonly Rule[], asked: JudgedCall): number =>
  STRICTNESS[behaviorOf(rules, asked)]!

describe('with any rules, call and mode', () => {
  it('the indexed judge decides as judging every rule separately does', () => {
    fc.assert(
      fc.property(scene, ({ rules, call: asked }) => {
        expect(behaviorOf(rules, asked)).toBe(naiveJudge(rules, asked))
      }),
      { numRuns: 2000 },
    )
  })

  it('one more deny or ask, from any source and in any position, never loosens', () => {
    fc.assert(
      fc.property(sceneAndRule, fc.nat(), ({ rules, more, call: asked }, place) => {
        fc.pre(more.behavior !== 'allow')
        const after = rules.toSpliced(place % (rules.length + 1), 0, more)
        expect(strictnessOf(after, asked)).toBeGreaterThanOrEqual(strictnessOf(rules, asked))
      }),
      { numRuns: 1000 },
    )
  })

  it('one more allow never tightens', () => {
    fc.assert(
      fc.property(sceneAndRule, ({ rules, more, call: asked }) => {
        fc.pre(more.behavior === 'allow')
        expect(strictnessOf([...rules, more], asked)).toBeLessThanOrEqual(strictnessOf(rules, asked))
      }),
      { numRuns: 600 },
    )
  })

  it('an unreadable rule denies at least what it would have denied, and allows nothing', () => {
    fc.assert(
      fc.property(sceneAndRule, fc.boolean(), ({ rules, more, call: asked }, isSpecifierKnown) => {
        const specifier = isSpecifierKnown ? more.specifier : undefined
        const bad: Rule = { ...more, specifier, problem: 'cannot be read' }
        if (more.behavior === 'allow') {
          expect(behaviorOf([...rules, bad], asked)).toBe(behaviorOf(rules, asked))
        } else {
          const good = strictnessOf([...rules, more], asked)
          expect(strictnessOf([...rules, bad], asked)).toBeGreaterThanOrEqual(good)
        }
      }),
      { numRuns: 1000 },
    )
  })

  it('the order of the rules does not matter', () => {
    const shuffled = scene.chain(({ rules, call: asked }) =>
      fc.record({
        rules: fc.constant(rules),
        other: fc.shuffledSubarray([...rules], { minLength: rules.length }),
        asked: fc.constant(asked),
      }),
    )
    fc.assert(
      fc.property(shuffled, ({ rules, other, asked }) => {
        expect(behaviorOf(other, asked)).toBe(behaviorOf(rules, asked))
      }),
      { numRuns: 600 },
    )
  })

  it('the same call gets the same judgement each time', () => {
    fc.assert(
      fc.property(scene, fc.array(call, { maxLength: 4 }), ({ rules, call: asked }, others) => {
        const book = bookOf(rules)
        const first = judge(book, asked)
        for (const other of others) judge(book, other)
        expect(judge(book, asked)).toEqual(first)
      }),
      { numRuns: 200 },
    )
  })
})
