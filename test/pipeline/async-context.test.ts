import { AsyncLocalStorage } from 'node:async_hooks'
import { expect, it } from 'vitest'
import { defineHook, defineTool } from 'toolcrib'
import { createGate, onBothStores, openCrib } from '../scenarios/open-crib.js'

const quiet = { isReadOnly: true, isOpenWorld: false } as const

onBothStores('a call stays in the async context of its caller', (newStore) => {
  it('after a timeout, although calls share their timers', async () => {
    const current = new AsyncLocalStorage<string>()
    const seen: string[] = []
    const crib = await openCrib({
      store: newStore(),
      tools: [
        defineTool({
          name: 'hang',
          description: 'Hangs.',
          ...quiet,
          timeoutMs: 20,
          execute: () => new Promise(() => {}),
        }),
      ],
      hooks: [
        defineHook({
          id: 'look',
          event: 'post_tool_use_failure',
          run: () => void seen.push(String(current.getStore())),
        }),
      ],
    })
    const surface = await crib.surface({ scope: 'turn' })
    await Promise.all(
      ['a', 'b', 'c'].map((name) => current.run(name, () => crib.call(surface, { name: 'hang' }))),
    )
    expect(seen.sort()).toEqual(['a', 'b', 'c'])
  })
})

onBothStores('canceling', (newStore) => {
  it('by the caller’s signal works while the call is being started', async () => {
    const controller = new AbortController()
    const crib = await openCrib({
      store: newStore(),
      tools: [defineTool({ name: 'go', description: 'Goes.', ...quiet, execute: () => 'went' })],
      decider: () => {
        controller.abort()
        return { behavior: 'allow' }
      },
    })
    const surface = await crib.surface({ scope: 'turn' })
    await crib.call(surface, { name: 'go' })
    const result = await crib.call(surface, { name: 'go', signal: controller.signal })
    expect(result.status).toBe('canceled')
  })

  it('comes too late for a generator that has returned', async () => {
    const working = createGate()
    const finish = createGate()
    const crib = await openCrib({
      store: newStore(),
      tools: [
        defineTool({
          name: 'work',
          description: 'Works.',
          ...quiet,
          async *execute() {
            yield 'working'
            working.open()
            await finish.promise
            return 'done'
          },
        }),
      ],
    })
    const call = crib.call(await crib.surface({ scope: 'turn' }), { name: 'work' })
    await working.promise
    call.cancel()
    finish.open()
    expect((await call).status).toBe('succeeded')
  })
})

onBothStores('secrets that contain each other', (newStore) => {
  it('are both redacted as a whole', async () => {
    const crib = await openCrib({
      store: newStore(),
      tools: [
        defineTool({
          name: 'login',
          description: 'Logs in.',
          ...quiet,
          input: { jsonSchema: { type: 'object', properties: { token: { type: 'string' } } } },
          sensitiveFields: ['token'],
          execute: ({ token }) => {
            throw new Error(`bad token ${String(token)}`)
          },
        }),
      ],
      hooks: [
        defineHook({
          id: 'h',
          event: 'pre_tool_use',
          run: () => ({ updatedInput: { token: 'abcd-TAILSECRET' } }),
        }),
      ],
    })
    const result = await crib.call(await crib.surface({ scope: 'turn' }), {
      name: 'login',
      input: { token: 'abcd' },
    })
    expect(result.error!.message).toBe('bad token [redacted]')
  })
})
