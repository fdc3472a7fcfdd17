import { describe, expect, it } from 'vitest'
import { decideDeferral, type DeferralFacts } from '../../src/surfaces/decide-deferral.js'

const four = ['a', 'b', 'c', 'd'].map((toolId) => ({ toolId, tokens: 100 }))

const decide = (facts: Partial<Record<keyof DeferralFacts, unknown>>) => {
  const { tools = four, budgetTokens = 250, discoveryTokens = 0, recent = [], ...sets } = facts
  const set = (name: 'always' | 'never' | 'asked' | 'offList') => new Set((sets[name] ?? []) as string[])
  return decideDeferral({
    tools,
    budgetTokens,
    discoveryTokens,
    recent,
    always: set('always'),
    never: set('never'),
    asked: set('asked'),
    offList: set('offList'),
    isDiscoverySent: sets.isDiscoverySent,
  } as DeferralFacts)
}

describe('[AT-DEFER-01] the decision of a budget', () => {
  const rows: [string, Parameters<typeof decide>[0], string, string[], object][] = [
    ['all of it fits', { budgetTokens: 400 }, 'within_budget', [], { loadedTokens: 400, savedTokens: 0 }],
    ['one token too many', { budgetTokens: 399 }, 'deferred', ['a', 'b', 'c', 'd'], { loadedTokens: 0 }],
    [
      'never, though all fits',
      { budgetTokens: 400, never: ['b'] },
      'within_budget',
      ['b'],
      { savedTokens: 100 },
    ],
    [
      'tools of `never` do not use the budget',
      { budgetTokens: 300, never: ['b'] },
      'within_budget',
      ['b'],
      {},
    ],
    ['never, but asked for', { budgetTokens: 400, never: ['b'], asked: ['b'] }, 'within_budget', [], {}],
    ['always', { always: ['c'] }, 'deferred', ['a', 'b', 'd'], { kept: { always: 1, asked: 0, recent: 0 } }],
    [
      'always, over the budget',
      { budgetTokens: 150, always: ['a', 'b', 'c'] },
      'deferred',
      ['d'],
      { loadedTokens: 300 },
    ],
    ['asked', { asked: ['d'] }, 'deferred', ['a', 'b', 'c'], { kept: { always: 0, asked: 1, recent: 0 } }],
    [
      'recent, as far as they fit',
      { recent: ['d', 'b', 'a'] },
      'deferred',
      ['a', 'c'],
      { kept: { always: 0, asked: 0, recent: 2 } },
    ],
    [
      'recent, after always',
      { always: ['a'], recent: ['d', 'b'] },
      'deferred',
      ['b', 'c'],
      { kept: { always: 1, asked: 0, recent: 1 } },
    ],
    ['recent that are not here', { recent: ['x', 'd'] }, 'deferred', ['a', 'b', 'c'], {}],
    [
      'recent and never',
      { recent: ['d'], never: ['d'], budgetTokens: 150 },
      'deferred',
      ['a', 'b', 'c', 'd'],
      {},
    ],
    [
      'all are always',
      { always: ['a', 'b', 'c', 'd'] },
      'no_gain',
      [],
      { loadedTokens: 400, savedTokens: 0 },
    ],
    [
      'the search costs what it would save',
      { asked: ['a', 'b', 'c'], discoveryTokens: 100 },
      'no_gain',
      [],
      {},
    ],
    [
      'the search costs less',
      { asked: ['a', 'b', 'c'], discoveryTokens: 99 },
      'deferred',
      ['d'],
      { savedTokens: 1, loadedTokens: 399 },
    ],
    [
      'the search takes part of the budget',
      { recent: ['a', 'b'], discoveryTokens: 60 },
      'deferred',
      ['b', 'c', 'd'],
      {},
    ],
    [
      'the search is listed where something is always deferred',
      { budgetTokens: 300, never: ['d'], discoveryTokens: 1 },
      'deferred',
      ['a', 'b', 'c', 'd'],
      { loadedTokens: 1 },
    ],
    [
      'and fits by the last token',
      { budgetTokens: 301, never: ['d'], discoveryTokens: 1 },
      'within_budget',
      ['d'],
      { loadedTokens: 301, savedTokens: 99 },
    ],
    [
      'an unlisted tool takes nothing of the list',
      { always: ['a'], asked: ['b'], offList: ['b'], discoveryTokens: 60 },
      'deferred',
      ['c', 'd'],
      { loadedTokens: 160, deferredTokens: 300, savedTokens: 240 },
    ],
    [
      'a search that was sent stays listed',
      { budgetTokens: 460, discoveryTokens: 60, isDiscoverySent: true },
      'within_budget',
      [],
      { loadedTokens: 460 },
    ],
    ['nothing at all', { tools: [], budgetTokens: 1 }, 'within_budget', [], { totalTokens: 0 }],
  ]
  it.each(rows)('%s', (_title, facts, decision, deferred, more) => {
    const answer = decide(facts)
    expect(answer.decision).toBe(decision)
    expect([...answer.deferred].sort()).toEqual(deferred)
    expect(answer).toMatchObject(more)
  })
})
