import { expect, it } from 'vitest'
import { defineHook, defineTool, toolOutput, type CribOptions, type ToolOptions } from 'toolcrib'
import { collect, onBothStores, openCrib } from '../../scenarios/open-crib.js'

type Execute = ToolOptions<never, never>['execute']

const odd = { size: 1n } as unknown as Record<string, unknown>

/** Ways in which code around a call can produce a value that JSON cannot represent. */
const ways: [string, { execute?: Execute } & CribOptions][] = [
  [
    'progress',
    {
      execute: (_input, { progress }) => {
        progress({ message: 'm', artifact_refs: [odd] })
        return 'ok'
      },
    },
  ],
  ['resource refs', { execute: () => toolOutput({ content: [], resourceRefs: [odd] }) }],
  ['artifact refs', { execute: () => toolOutput({ content: [], artifactRefs: [odd] }) }],
  ['a context modifier', { execute: () => toolOutput({ structured: 1, contextModifier: odd }) }],
  [
    'a question',
    {
      execute: async (_input, { requestInput }) => {
        await requestInput({ message: 'm', schema: odd })
        return 'ok'
      },
      responder: async () => ({ action: 'decline' }),
    },
  ],
  ['a verdict', { decider: () => ({ behavior: 'allow', suggested_updates: [odd] }) }],
  [
    'a hook',
    {
      hooks: [
        defineHook({
          id: 'h',
          event: 'pre_tool_use',
          run: () => ({ permission: { behavior: 'allow', ...(odd as object) } }),
        }),
      ],
    },
  ],
]

onBothStores('a value that is not JSON, from code around a call', (newStore) => {
  it.each(ways)('in %s does not prevent later calls from running and being recorded', async (_what, way) => {
    const { execute = () => 'ok', ...options } = way
    const crib = await openCrib({
      store: newStore(),
      tools: [
        defineTool({
          name: 'odd',
          description: 'Is odd.',
          isReadOnly: true,
          isOpenWorld: false,
          contextModifierPolicy: 'allow_serial_only',
          execute,
        }),
        defineTool({
          name: 'even',
          description: 'Is not.',
          isReadOnly: true,
          isOpenWorld: false,
          execute: () => 'ok',
        }),
      ],
      ...options,
    })
    const surface = await crib.surface({ scope: 'turn' })
    const first = crib.call(surface, { name: 'odd' })
    const result = await first
    expect(() => JSON.stringify(result)).not.toThrow()
    await expect(crib.flush()).resolves.toBeUndefined()
    const second = await crib.call(surface, { name: 'even' })
    if (way.decider === undefined) expect(second.status).toBe('succeeded')
    const events = await collect(crib.events())
    expect(() => JSON.stringify(events)).not.toThrow()
    expect(events.some(({ invocation_id: id }) => id === first.invocationId)).toBe(true)
  })
})

onBothStores('records are independent copies', (newStore) => {
  it('changing a returned result does not change the record', async () => {
    const crib = await openCrib({
      store: newStore(),
      tools: [
        defineTool({
          name: 'give',
          description: 'Gives.',
          isReadOnly: true,
          isOpenWorld: false,
          execute: () => ({ amount: 1 }),
        }),
      ],
    })
    const surface = await crib.surface({ scope: 'turn' })
    const call = crib.call(surface, { name: 'give' })
    const result = await call
    Reflect.set(result, 'status', 'failed')
    Reflect.set(result.structured_content as object, 'amount', 1000)
    expect(await crib.result(call.invocationId)).toMatchObject({
      status: 'succeeded',
      structured_content: { amount: 1 },
    })
  })

  it('changing refs after an executor returned them does not change the record', async () => {
    const ref = { uri: 'file:///a', media_type: 'text/plain' }
    const crib = await openCrib({
      store: newStore(),
      tools: [
        defineTool({
          name: 'give',
          description: 'Gives.',
          isReadOnly: true,
          isOpenWorld: false,
          execute: () => toolOutput({ structured: 1, resourceRefs: [ref] }),
        }),
      ],
    })
    const call = crib.call(await crib.surface({ scope: 'turn' }), { name: 'give' })
    await call
    ref.uri = 'file:///b'
    expect((await crib.result(call.invocationId))!.resource_refs).toEqual([
      { uri: 'file:///a', media_type: 'text/plain' },
    ])
  })

  it('changing a story does not change the next one', async () => {
    const crib = await openCrib({
      store: newStore(),
      tools: [
        defineTool({
          name: 'give',
          description: 'Gives.',
          isReadOnly: true,
          isOpenWorld: false,
          execute: () => 1,
        }),
      ],
    })
    const call = crib.call(await crib.surface({ scope: 'turn' }), { name: 'give' })
    await call
    const story = (await crib.story(call.invocationId))!
    Reflect.set(story.result!, 'status', 'failed')
    expect((await crib.story(call.invocationId))!.result!.status).toBe('succeeded')
  })
})

onBothStores('no member of a result is undefined', (newStore) => {
  it('of a denied call', async () => {
    const crib = await openCrib({
      store: newStore(),
      tools: [defineTool({ name: 'go', description: 'Goes.', execute: () => 1 })],
      decider: () => ({ behavior: 'deny' }),
    })
    const result = await crib.call(await crib.surface({ scope: 'turn' }), { name: 'go' })
    expect(result.error).toStrictEqual(JSON.parse(JSON.stringify(result.error)))
  })

  it('after a hook replaced the output by a text', async () => {
    const crib = await openCrib({
      store: newStore(),
      tools: [defineTool({ name: 'go', description: 'Goes.', execute: () => ({ a: 1 }) })],
      hooks: [defineHook({ id: 'h', event: 'post_tool_use', run: () => ({ updatedOutput: 'text' }) })],
      decider: () => ({ behavior: 'allow' }),
    })
    const result = await crib.call(await crib.surface({ scope: 'turn' }), { name: 'go' })
    expect(result).toStrictEqual(JSON.parse(JSON.stringify(result)))
  })
})
