import { expect, it } from 'vitest'
import { defineTool, memoryStore } from 'toolcrib'
import { collect, openCrib } from '../scenarios/open-crib.js'

const tool = (name: string, more: object = {}) =>
  defineTool({ name, description: `Does ${name}.`, execute: () => 1, ...more })

const short = (text: string): string => text.slice(0, 60)

it('gives a reason for every tool, and opens and records nothing', async () => {
  const crib = await openCrib({
    store: memoryStore(),
    tools: [
      tool('plain'),
      tool('old', { lifecycle: 'deprecated' }),
      tool('later', { shouldDefer: true }),
      tool('off', { lifecycle: 'disabled' }),
      tool('boss', { roles: ['lead'] }),
      tool('wipe'),
    ],
    permission: { deny: ['local.wipe'] },
  })
  const { items } = await crib.explainSurface({ exclude: ['local.nothing'] })
  expect(
    items.map(({ tool_id, visibility, reason, reason_message }) => [
      tool_id,
      visibility,
      reason,
      short(reason_message),
    ]),
  ).toEqual([
    ['local.boss', 'hidden', 'role_not_allowed', 'Only for the role lead.'],
    [
      'local.later',
      'deferred',
      'deferred_until_discovered',
      'Find the tool and load its schema before calling it.',
    ],
    ['local.off', 'hidden', 'toolcrib.disabled', 'The tool is disabled.'],
    [
      'local.old',
      'unlisted',
      'toolcrib.lifecycle',
      'The tool is deprecated: it is listed only where it is named ',
    ],
    ['local.plain', 'loaded', undefined, 'It is listed up front.'],
    [
      'local.wipe',
      'denied',
      'policy_blocked',
      short('The rule deny local.wipe of the rules given at the start denies it.'),
    ],
    ['tool.search', 'loaded', undefined, 'It is listed, because it finds deferred tools.'],
  ])
  expect(await collect(crib.surfaces())).toEqual([])
})

it('counts tokens, and names the budget that defers a tool', async () => {
  const long = 'Sums numbers that are given one by one. '.repeat(40)
  const crib = await openCrib({
    store: memoryStore(),
    tools: [
      tool('small'),
      tool('large', { description: long }),
      tool('larger', { description: long + long }),
    ],
  })
  const all = await crib.explainSurface()
  const tokensOf = (id: string): number => all.items.find(({ tool_id }) => tool_id === id)!.tokens!
  const total = ['local.small', 'local.large', 'local.larger'].reduce((sum, id) => sum + tokensOf(id), 0)
  expect(all).toMatchObject({ total_tokens: total, loaded_tokens: total, saved_tokens: 0 })
  expect(all).not.toHaveProperty('budget_tokens')

  const tight = await crib.explainSurface({ deferral: { budgetTokens: 300, always: ['small'] } })
  expect(tight).toMatchObject({ budget_tokens: 300, total_tokens: total })
  expect(tight.saved_tokens).toBe(tight.total_tokens - tight.loaded_tokens)
  expect(tight.items.find(({ tool_id }) => tool_id === 'local.larger')).toMatchObject({
    visibility: 'deferred',
    reason_message: 'The budget of 300 tokens leaves no space for it: the model finds it by a search.',
  })
})
