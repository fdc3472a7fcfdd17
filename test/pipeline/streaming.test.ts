import { expect, it } from 'vitest'
import { defineHook, defineTool, partialResult, type ToolEvent } from 'toolcrib'
import { collect, createGate, onBothStores, openCrib } from '../scenarios/open-crib.js'

const quiet = { isReadOnly: true, isOpenWorld: false } as const

onBothStores('[AT-EVENT-01] reading a call as a stream', (newStore) => {
  async function open() {
    const step = createGate()
    const crib = await openCrib({
      store: newStore(),
      tools: [
        defineTool({
          name: 't',
          description: 'T.',
          ...quiet,
          async *execute() {
            yield 'one'
            await step.promise
            yield partialResult(2)
            return 'done'
          },
        }),
        defineTool({ name: 'quick', description: 'Q.', ...quiet, execute: () => 'ok' }),
      ],
      hooks: [defineHook({ id: 'pre', event: 'pre_tool_use', tools: ['t'], run: () => ({}) })],
    })
    return { crib, surface: await crib.surface({ scope: 'turn' }), step }
  }

  const typesOf = (events: readonly ToolEvent[]) => events.map(({ event_type: type }) => type)

  it('gives every event exactly once, in order, and ends', async () => {
    const { crib, surface, step } = await open()
    const call = crib.call(surface, { name: 't' })
    const streamed: ToolEvent[] = []
    for await (const event of call) {
      streamed.push(event)
      if (event.event_type === 'tool.invocation.progress') step.open()
    }
    expect(typesOf(streamed)).toEqual([
      'tool.invocation.planned',
      'tool.invocation.selected',
      'tool.invocation.arguments_ready',
      'tool.hook.pre.started',
      'tool.hook.pre.completed',
      'tool.permission.decided',
      'tool.invocation.started',
      'tool.invocation.progress',
      'tool.invocation.partial_result',
      'toolcrib.invocation.resumed',
      'tool.invocation.yielded',
      'tool.invocation.succeeded',
      'tool.result.created',
    ])
    const logged = (await collect(crib.events())).filter(({ invocation_id: id }) => id === call.invocationId)
    const withoutCursor = ({ toolcrib, ...event }: ToolEvent) => {
      const { cursor: _cursor, ...own } = toolcrib as Record<string, unknown>
      return { ...event, toolcrib: own }
    }
    expect(streamed.map(withoutCursor)).toEqual(logged.map(withoutCursor))
    expect((await call).status).toBe('succeeded')
  })

  it('several readers, early and late, each get all events', async () => {
    const { crib, surface, step } = await open()
    const call = crib.call(surface, { name: 't' })
    const [first, second] = [collect(call), collect(call)]
    step.open()
    const all = typesOf(await first)
    expect(typesOf(await second)).toEqual(all)
    await call
    expect(typesOf(await collect(call))).toEqual(all)
  })

  it('a reader that stops early does not stop the call', async () => {
    const { crib, surface, step } = await open()
    const call = crib.call(surface, { name: 't' })
    for await (const event of call) if (event.event_type === 'tool.invocation.progress') break
    step.open()
    expect((await call).status).toBe('succeeded')
    expect((await crib.invocation(call.invocationId))!.status).toBe('succeeded')
  })

  it('a call without a stream reader is not yielded', async () => {
    const { crib, surface, step } = await open()
    step.open()
    const call = crib.call(surface, { name: 't' })
    await call
    expect((await crib.invocation(call.invocationId))!.status_transitions!.map(({ to }) => to)).not.toContain(
      'yielded',
    )
    expect(typesOf(await collect(call))).not.toContain('tool.invocation.yielded')
  })

  it('a call that ends before its executor runs streams to its end too', async () => {
    const { crib, surface } = await open()
    expect(typesOf(await collect(crib.call(surface, { name: 'nothing' })))).toEqual([
      'tool.invocation.planned',
      'tool.invocation.failed',
      'tool.result.created',
    ])
    expect(typesOf(await collect(crib.call(surface, { name: 'quick', input: 'no json' }))).slice(-2)).toEqual(
      ['tool.invocation.validation_failed', 'tool.result.created'],
    )
  })

  it('the whole log can be followed from any cursor', async () => {
    const { crib, surface } = await open()
    await crib.call(surface, { name: 'quick' })
    const before = await collect(crib.events())
    const cursor = before.at(-1)!.toolcrib!['cursor'] as string
    const controller = new AbortController()
    const followed: ToolEvent[] = []
    const following = (async () => {
      for await (const event of crib.events({ from: cursor, follow: true, signal: controller.signal })) {
        followed.push(event)
        if (event.event_type === 'tool.result.created') controller.abort()
      }
    })()
    const call = crib.call(surface, { name: 'quick' })
    await call
    await following
    expect(new Set(followed.map(({ invocation_id: id }) => id))).toEqual(new Set([call.invocationId]))
    const whole = await collect(crib.events())
    expect(whole.slice(0, before.length)).toEqual(before)
    expect(whole.slice(before.length)).toEqual(followed)
    expect(new Set(whole.map(({ event_id: id }) => id)).size).toBe(whole.length)
    await expect(collect(crib.events({ from: 'nonsense' }))).rejects.toThrow(/not a cursor/)
  })
})
