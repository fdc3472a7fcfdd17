import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { readConditions } from '../../src/policy/rules/read-conditions.js'
import { parseConditions } from '../../src/policy/patterns/argument-condition.js'
import { judge } from '../../src/policy/judge.js'
import { behaviorOf, bookOf, callOf, READS, rulesOf, toolOf, UNSAID, WRITES } from './rule-fixtures.js'

const pay = toolOf('pay')
const asks = (input: unknown) => callOf(pay, { input, facts: READS })
const denies = (condition: string, input: unknown): boolean =>
  behaviorOf({ deny: [`pay(${condition})`] }, asks(input)) === 'deny'
const allows = (condition: string, input: unknown): boolean =>
  behaviorOf({ allow: [`pay(${condition})`] }, callOf(pay, { input })) === 'allow'
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

describe('conditions on arguments', () => {
  it.each<[string, unknown, unknown]>([
    ['amount > 100', { amount: 101 }, { amount: 100 }],
    ['amount>=100', { amount: 100 }, { amount: 99.5 }],
    ['amount < 5', { amount: 4 }, { amount: 5 }],
    ['amount <= -1', { amount: -1 }, { amount: 0 }],
    ['currency = EUR', { currency: 'EUR' }, { currency: 'eur' }],
    ['currency == EUR', { currency: 'EUR' }, {}],
    ['to != bob', { to: 'eve' }, { to: 'bob' }],
    ['to in [bob, eve]', { to: 'eve' }, { to: 'ann' }],
    ['to not in [bob, eve]', { to: 'ann' }, { to: 'bob' }],
    ['to ~ *@example.com', { to: 'a@example.com' }, { to: 'a@example.com.org' }],
    ['urgent = true', { urgent: true }, { urgent: 'true' }],
    ['note = null', { note: null }, { note: 'null' }],
    ['code = 007', { code: '007' }, { code: 7 }],
    ['code = "7"', { code: '7' }, { code: 7 }],
    ['title = "rock and roll"', { title: 'rock and roll' }, { title: '"rock' }],
    ['title in ["a, b", c]', { title: 'a, b' }, { title: 'a' }],
    [`note = it's mine and to = bob`, { note: `it's mine`, to: 'bob' }, { note: `it's mine`, to: 'eve' }],
    ['a.b.c = 1', { a: { b: { c: 1 } } }, { a: { b: 1 } }],
    ['list.1 = x', { list: ['y', 'x'] }, { list: ['x'] }],
    ['amount > 1 and to = bob', { amount: 2, to: 'bob' }, { amount: 2, to: 'eve' }],
    [`body sha256 ${sha256('hello')}`, { body: 'hello' }, { body: 'Hello' }],
    [`body sha256 ${sha256('{"a":1,"b":2}').toUpperCase()}`, { body: { b: 2, a: 1 } }, { body: { a: 1 } }],
  ])('%s', (condition, met, unmet) => {
    expect([denies(condition, met), denies(condition, unmet)]).toEqual([true, false])
    expect([allows(condition, met), allows(condition, unmet)]).toEqual([true, false])
  })

  it('a bound on a value that is not a number: a deny holds, an allow does not', () => {
    for (const condition of ['amount > 100', 'amount <= 100', 'to = bob and amount > 100']) {
      expect(denies(condition, { to: 'bob', amount: '150' })).toBe(true)
      expect(allows(condition, { to: 'bob', amount: '150' })).toBe(false)
      expect(denies(condition, { to: 'bob' })).toBe(false)
      expect(allows(condition, { to: 'bob' })).toBe(false)
    }
  })

  it('each of several bounds counts', () => {
    const deny = ['pay(amount > 100)', 'pay(amount > 1000)', 'pay(amount < 0)']
    const judgedAt = (amount: number): string => behaviorOf({ deny }, asks({ amount }))
    expect([-1, 0, 100, 101, 1001].map(judgedAt)).toEqual(['deny', 'allow', 'allow', 'deny', 'deny'])
  })

  it('an input that was changed in place is read again', () => {
    const book = bookOf(rulesOf({ deny: [`pay(body sha256 ${sha256('{"n":1}')})`] }))
    const body = { n: 1 }
    const call = asks({ body })
    expect(judge(book, call).behavior).toBe('deny')
    body.n = 2
    expect(judge(book, call).behavior).toBe('allow')
  })

  it('inherited members of an object are not arguments', () => {
    expect(denies('constructor != x', {})).toBe(true)
    expect(denies('constructor ~ *', {})).toBe(false)
  })

  it.each([
    'amount',
    'amount >',
    'amount > many',
    'x in a',
    'x in []',
    'x in [ ]',
    'x sha256 12',
    '= 1',
    'a = 1 and',
  ])('"%s" is not a condition', (text) => {
    expect(parseConditions(text)).toEqual({ ok: false, problem: expect.any(String) })
  })
})

describe('"when" of a rule', () => {
  it.each<[unknown, object]>([
    [{ actor: 'ann' }, { actor: ['ann'] }],
    [
      { role: ['a', 'b'], session: 's', surface: 'x', tenant: 't' },
      { role: ['a', 'b'], session: ['s'], surface: ['x'], tenant: ['t'] },
    ],
    [{ risk: { at_least: 'high' } }, { risk: ['high', 'critical'] }],
    [{ risk: 'low' }, { risk: ['low'] }],
    [
      { access: ['network'], effects: 'irreversible' },
      { access: ['network'], effects: ['irreversible'] },
    ],
    [
      { network_scope: 'public', tenant_scope: 'all', sensitivity: 'secret' },
      { network: ['public'], tenantScope: ['all'], sensitivity: ['secret'] },
    ],
    [
      { read_only: false, destructive: true, open_world: true },
      { readOnly: false, destructive: true, openWorld: true },
    ],
    [
      { args: 'a > 1 and b = 2' },
      {
        args: [
          { field: 'a', comparison: '>', value: 1 },
          { field: 'b', comparison: '=', value: 2 },
        ],
      },
    ],
    [{ args: ['a > 1'] }, { args: [{ field: 'a', comparison: '>', value: 1 }] }],
    [
      { args: { a: { gt: 1, lte: 5 }, b: ['x'], c: 3 } },
      {
        args: [
          { field: 'a', comparison: '>', value: 1 },
          { field: 'a', comparison: '<=', value: 5 },
          { field: 'b', comparison: 'in', value: ['x'] },
          { field: 'c', comparison: '=', value: 3 },
        ],
      },
    ],
    [
      { args: { d: { sha256: 'A'.repeat(64) }, e: { eq: 'A'.repeat(64) } } },
      {
        args: [
          { field: 'd', comparison: 'sha256', value: 'a'.repeat(64) },
          { field: 'e', comparison: '=', value: 'A'.repeat(64) },
        ],
      },
    ],
    [
      { args: { t: { matches: 'a*', ne: 'ab', not_in: [1], in: [2], lt: 1, gte: 0 } } },
      { args: expect.any(Array) },
    ],
  ])('%j', (given, when) => {
    expect(readConditions(given)).toEqual({ ok: true, when })
  })

  it.each<[unknown, RegExp]>([
    [null, /no list of conditions/],
    ['actor: ann', /no list of conditions/],
    [{}, /no list of conditions/],
    [{ acter: 'ann' }, /did you mean "actor"/],
    [{ whatever: 1 }, /there are args, risk/],
    [{ actor: [] }, /"actor" must be a text/],
    [{ actor: [1] }, /"actor" must be a text/],
    [{ risk: 'huge' }, /"risk" cannot be "huge"; there are low/],
    [{ risk: { at_least: ['low', 'high'] } }, /names one level/],
    [{ risk: { at_least: 'huge' } }, /"at_least" cannot be/],
    [{ mode: 'fast' }, /"mode" cannot be "fast"/],
    [{ destructive: 'yes' }, /must be true or false/],
    [{ args: {} }, /"args" must hold/],
    [{ args: [] }, /"args" must hold/],
    [{ args: 7 }, /"args" must hold/],
    [{ args: 'nonsense' }, /is no condition/],
    [{ args: { a: {} } }, /compared with nothing/],
    [{ args: { a: [] } }, /needs a list with something/],
    [{ args: { a: { above: 1 } } }, /"above" is no comparison/],
    [{ args: { a: { gt: '1' } } }, /compares with a number/],
    [{ args: { a: { in: 'x' } } }, /needs a list/],
    [{ args: { a: { matches: 1 } } }, /needs a text/],
    [{ args: { a: { sha256: 'x' } } }, /64 hexadecimal/],
  ])('%j cannot be read', (given, problem) => {
    expect(readConditions(given)).toEqual({ ok: false, problem: expect.stringMatching(problem) })
  })

  it('that cannot be read makes the rule deny every call of its tool', () => {
    const rules = { ask: [{ rule: 'pay(amount > 100)', when: { acter: 'ann' } }] }
    expect(behaviorOf(rules, asks({ amount: 1 }))).toBe('deny')
  })
})

describe('an undeclared value', () => {
  const rule = (when: object) => ({ rule: 'pay', when })
  const profiled = (profile: object) => callOf(toolOf('pay', { profile: { ...profile } }), { facts: READS })

  it.each<[object, object, object]>([
    [{ risk: 'high' }, { risk_level: 'high' }, { risk_level: 'low' }],
    [
      { access: ['network', 'payment'] },
      { access_kinds: ['file_read', 'payment'] },
      { access_kinds: ['file_read'] },
    ],
    [{ effects: 'irreversible' }, { write_effects: ['irreversible'] }, { write_effects: [] }],
    [{ network_scope: 'public' }, { network_scope: 'public' }, { network_scope: 'none' }],
    [{ tenant_scope: 'all' }, { tenant_scope: 'all' }, { tenant_scope: 'own' }],
    [{ sensitivity: 'secret' }, { data_sensitivity: 'secret' }, { data_sensitivity: 'public' }],
  ])('may hold: %j', (when, met, unmet) => {
    expect(behaviorOf({ deny: [rule(when)] }, profiled(met))).toBe('deny')
    expect(behaviorOf({ deny: [rule(when)] }, profiled(unmet))).toBe('allow')
    // A deny then counts as an ask, and an allow does not hold.
    expect(behaviorOf({ deny: [rule(when)] }, profiled({}))).toBe('ask')
    const writes = (profile: object) => ({ ...profiled(profile), facts: WRITES })
    expect(behaviorOf({ allow: [rule(when)] }, writes(met))).toBe('allow')
    expect(behaviorOf({ allow: [rule(when)] }, writes({}))).toBe('ask')
  })

  it.each(['read_only', 'destructive', 'open_world'])('may hold as a fact too: %s', (fact) => {
    const name = { read_only: 'is_read_only', destructive: 'is_destructive', open_world: 'is_open_world' }[
      fact
    ]!
    const declared = callOf(pay, { facts: { ...WRITES, [name]: true } })
    expect(behaviorOf({ deny: [rule({ [fact]: true })] }, declared)).toBe('deny')
    expect(behaviorOf({ deny: [rule({ [fact]: false })] }, declared)).not.toBe('deny')
    const unsaid = callOf(pay, { facts: UNSAID, mode: 'bypass' })
    expect(behaviorOf({}, unsaid)).toBe('allow')
    for (const wanted of [true, false]) {
      expect(behaviorOf({ deny: [rule({ [fact]: wanted })] }, unsaid)).toBe('ask')
      const asked = { ...unsaid, mode: 'default' }
      expect(behaviorOf({ allow: [rule({ [fact]: wanted })] }, asked)).toBe('ask')
    }
  })

  it('a condition on the caller holds or does not, since the caller is known', () => {
    const by = (actor: string | undefined) => callOf(pay, { facts: READS, actor })
    const deny = [rule({ actor: ['ann', 'agent:*'] })]
    expect(['ann', 'agent:7', 'anna', undefined].map((actor) => behaviorOf({ deny }, by(actor)))).toEqual([
      'deny',
      'deny',
      'allow',
      'allow',
    ])
  })

  it.each<[string, object, object]>([
    ['role', { role: 'writer' }, { role: 'reader' }],
    ['session', { session: 's1' }, { session: 's2' }],
    ['surface', { surfaceId: 's1' }, { surfaceId: 's2' }],
    ['tenant', { tenant: 't1' }, { tenant: 't2' }],
    ['mode', { mode: 'auto' }, { mode: 'default' }],
  ])('%s', (field, met, unmet) => {
    const wanted = Object.values(met)[0] as string
    const deny = [rule({ [field]: wanted })]
    expect(behaviorOf({ deny }, callOf(pay, { facts: READS, ...met }))).toBe('deny')
    expect(behaviorOf({ deny }, callOf(pay, { facts: READS, ...unmet }))).toBe('allow')
  })
})
