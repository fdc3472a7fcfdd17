import { expect, it, vi } from 'vitest'
import { defineHook, defineTool, type HookAnswer } from 'toolcrib'
import { onBothStores, openCrib } from '../scenarios/open-crib.js'

const saying = (id: string, behavior: string) =>
  defineHook({
    id,
    event: 'pre_tool_use',
    run: () => ({ permission: { behavior } }) as unknown as HookAnswer,
  })

onBothStores('an unreadable hook answer counts as the stricter one', (newStore) => {
  it.each(['Deny', 'block', '', 'yes'])('a permission "%s" requires approval', async (behavior) => {
    const execute = vi.fn(() => 'ran')
    const crib = await openCrib({
      store: newStore(),
      tools: [defineTool({ name: 'go', description: 'Goes.', execute })],
      hooks: [saying('odd', behavior)],
      decider: () => ({ behavior: 'allow' }),
    })
    const result = await crib.call(await crib.surface({ scope: 'turn' }), { name: 'go' })
    expect(result.status).toBe('rejected')
    expect(execute).not.toHaveBeenCalled()
  })

  it('a deny wins over earlier answers', async () => {
    const execute = vi.fn(() => 'ran')
    const crib = await openCrib({
      store: newStore(),
      tools: [defineTool({ name: 'go', description: 'Goes.', execute })],
      hooks: [saying('odd', 'whatever'), saying('gate', 'deny')],
      decider: () => ({ behavior: 'allow' }),
    })
    const result = await crib.call(await crib.surface({ scope: 'turn' }), { name: 'go' })
    expect(result.status).toBe('denied')
    expect(execute).not.toHaveBeenCalled()
  })

  it('an authoritative allow counts in any position', async () => {
    const outcomes: string[] = []
    const plain = saying('plain', 'allow')
    const trusted = { ...saying('trusted', 'allow'), isAuthoritative: true }
    for (const hooks of [
      [trusted, plain],
      [plain, trusted],
    ]) {
      const crib = await openCrib({
        store: newStore(),
        tools: [defineTool({ name: 'go', description: 'Goes.', execute: () => 'ran' })],
        hooks,
        decider: () => ({ behavior: 'ask' }),
      })
      outcomes.push((await crib.call(await crib.surface({ scope: 'turn' }), { name: 'go' })).status)
    }
    expect(outcomes).toEqual(['succeeded', 'succeeded'])
  })
})

onBothStores('post hooks', (newStore) => {
  const give = defineTool({
    name: 'give',
    description: 'Gives.',
    isReadOnly: true,
    isOpenWorld: false,
    execute: () => ({ amount: 1 }),
  })

  it('cannot change the result in place: only an answer changes it', async () => {
    const crib = await openCrib({
      store: newStore(),
      tools: [give],
      hooks: [
        defineHook({
          id: 'sly',
          event: 'post_tool_use',
          run: ({ output }) => void Reflect.set(output as object, 'amount', 1000),
        }),
      ],
    })
    const result = await crib.call(await crib.surface({ scope: 'turn' }), { name: 'give' })
    expect(result.structured_content).toEqual({ amount: 1 })
  })

  it('with an output that is not JSON do not fail the call with an internal error', async () => {
    const crib = await openCrib({
      store: newStore(),
      tools: [give],
      hooks: [defineHook({ id: 'odd', event: 'post_tool_use', run: () => ({ updatedOutput: 1n }) })],
    })
    const result = await crib.call(await crib.surface({ scope: 'turn' }), { name: 'give' })
    expect(result.error?.error_code).not.toBe('toolcrib.internal')
  })

  it('with an output that does not fit the schema do not replace the result', async () => {
    const crib = await openCrib({
      store: newStore(),
      tools: [
        defineTool({
          name: 'give',
          description: 'Gives.',
          isReadOnly: true,
          isOpenWorld: false,
          output: {
            jsonSchema: { type: 'object', properties: { amount: { type: 'number' } }, required: ['amount'] },
          },
          execute: () => ({ amount: 1 }),
        }),
      ],
      hooks: [defineHook({ id: 'odd', event: 'post_tool_use', run: () => ({ updatedOutput: { no: 1 } }) })],
    })
    const result = await crib.call(await crib.surface({ scope: 'turn' }), { name: 'give' })
    expect(result.structured_content).not.toEqual({ no: 1 })
  })

  it('with an empty output mark the result as empty', async () => {
    const crib = await openCrib({
      store: newStore(),
      tools: [give],
      hooks: [defineHook({ id: 'mute', event: 'post_tool_use', run: () => ({ updatedOutput: null }) })],
    })
    const result = await crib.call(await crib.surface({ scope: 'turn' }), { name: 'give' })
    expect(result.toolcrib).toMatchObject({ empty_output: true, output_updated_by: 'hook:mute' })
    expect(Object.hasOwn(result, 'structured_content')).toBe(false)
  })
})

onBothStores('hooks around permission and persistence', (newStore) => {
  it.each(['permission_request', 'permission_decision', 'result_persistence'] as const)(
    'a %s hook is run',
    async (event) => {
      const run = vi.fn()
      const crib = await openCrib({
        store: newStore(),
        results: { maxInlineChars: 10 },
        tools: [defineTool({ name: 'go', description: 'Goes.', execute: () => 'x'.repeat(100) })],
        hooks: [defineHook({ id: 'watch', event, run })],
        approver: () => ({ approved: true }),
      })
      await crib.call(await crib.surface({ scope: 'turn' }), { name: 'go' })
      expect(run).toHaveBeenCalled()
    },
  )
})
