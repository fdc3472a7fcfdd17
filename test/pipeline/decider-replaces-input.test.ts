import { expect, it } from 'vitest'
import { defineHook, defineTool, type CribOptions } from 'toolcrib'
import { onBothStores, openCrib } from '../scenarios/open-crib.js'

const write = (executed: unknown[]) =>
  defineTool({
    name: 'write_note',
    description: 'Writes a note.',
    execute: (input) => {
      executed.push(input)
      return 'ok'
    },
  })

onBothStores('a decider that allows another input', (newStore) => {
  it('is recorded as a permission prompt, and its input runs', async () => {
    const executed: unknown[] = []
    const crib = await openCrib({
      store: newStore(),
      tools: [write(executed)],
      decider: ({ input }) => ({ behavior: 'allow', updated_input: { ...(input as object), safe: true } }),
    })
    const call = crib.call(await crib.surface({ scope: 'turn' }), { name: 'write_note', input: { a: 1 } })
    expect(await call).toMatchObject({ status: 'succeeded' })
    expect(executed).toEqual([{ a: 1, safe: true }])
    const { invocation, mutations } = (await crib.story(call.invocationId))!
    expect(mutations).toMatchObject([
      { source_type: 'permission_prompt', source_ref: expect.stringMatching(/^perm_inv_/) },
    ])
    expect(invocation.observable_input).toEqual({ a: 1 })
    expect(invocation.call_input).toEqual({ a: 1, safe: true })
  })

  it('also replaces the input of a hook', async () => {
    const executed: unknown[] = []
    const crib = await openCrib({
      store: newStore(),
      tools: [write(executed)],
      hooks: [
        defineHook({ id: 'h', event: 'pre_tool_use', run: () => ({ updatedInput: { hooked: true } }) }),
      ],
      decider: ({ input }) => ({ behavior: 'allow', updated_input: { ...(input as object), safe: true } }),
    })
    const call = crib.call(await crib.surface({ scope: 'turn' }), { name: 'write_note', input: {} })
    expect(await call).toMatchObject({ status: 'succeeded' })
    expect(executed).toEqual([{ hooked: true, safe: true }])
  })

  it('records a ref to its input in the decision', async () => {
    const crib = await openCrib({
      store: newStore(),
      tools: [write([])],
      decider: () => ({ behavior: 'allow', updated_input: { safe: true } }),
    })
    const call = crib.call(await crib.surface({ scope: 'turn' }), { name: 'write_note', input: {} })
    await call
    const { decisions } = (await crib.story(call.invocationId))!
    expect(await crib.resolveRef(decisions[0]!.updated_input_ref!)).toEqual({ safe: true })
  })

  it.each<[string, Partial<CribOptions>]>([
    ['rules that allow too', { permission: { allow: ['local.write_note'] } }],
    ['rules that ask', { permission: { ask: ['local.write_note'] }, approver: () => ({ approved: true }) }],
    ['no rules', { permission: {}, approver: () => ({ approved: true }) }],
    [
      'an engine that allows',
      { permission: { engine: { name: 'house', decide: () => ({ behavior: 'allow' }) } } },
    ],
    [
      'a hook that asks',
      {
        hooks: [
          defineHook({ id: 'h', event: 'pre_tool_use', run: () => ({ permission: { behavior: 'ask' } }) }),
        ],
        approver: () => ({ approved: true }),
      },
    ],
  ])('its input runs with %s', async (_beside, options) => {
    const executed: unknown[] = []
    const crib = await openCrib({
      store: newStore(),
      tools: [write(executed)],
      decider: () => ({ behavior: 'allow', updated_input: { safe: true } }),
      ...options,
    })
    const call = crib.call(await crib.surface({ scope: 'turn' }), { name: 'write_note', input: { a: 1 } })
    expect(await call).toMatchObject({ status: 'succeeded' })
    expect(executed).toEqual([{ safe: true }])
  })

  it.each(['ask', 'passthrough'] as const)(
    'an approver sees its input if the decider says %s',
    async (behavior) => {
      const executed: unknown[] = []
      const asked: unknown[] = []
      const crib = await openCrib({
        store: newStore(),
        tools: [write(executed)],
        decider: () => ({ behavior, updated_input: { safe: true } }),
        approver: ({ input }) => {
          asked.push(input)
          return { approved: true }
        },
      })
      const call = crib.call(await crib.surface({ scope: 'turn' }), { name: 'write_note', input: { a: 1 } })
      expect(await call).toMatchObject({ status: 'succeeded' })
      expect([asked, executed]).toEqual([[{ safe: true }], [{ safe: true }]])
    },
  )
})
