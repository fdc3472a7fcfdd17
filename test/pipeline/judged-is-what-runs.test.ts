import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { z } from 'zod'
import { defineHook, defineTool } from 'toolcrib'
import { onBothStores, openCrib } from '../scenarios/open-crib.js'
import { temporaryFolder } from '../temporary-folder.js'

const quiet = { isReadOnly: true, isOpenWorld: false } as const

onBothStores('the input that was judged is the one that runs', (newStore) => {
  it('a schema’s transform is applied once, also if a path was made absolute', async () => {
    const workspace = temporaryFolder()
    const judged: unknown[] = []
    const executed: unknown[] = []
    const crib = await openCrib({
      store: newStore(),
      workspace,
      tools: [
        defineTool({
          name: 'save',
          description: 'Saves.',
          input: z.object({ path: z.string(), mark: z.string().transform((text) => `${text}!`) }),
          paths: { path: 'write' },
          ...quiet,
          execute: (input) => {
            executed.push(input)
            return 'ok'
          },
        }),
      ],
      decider: ({ input }) => {
        judged.push(input)
        return { behavior: 'allow' }
      },
    })
    const call = crib.call(await crib.surface({ scope: 'turn' }), {
      name: 'save',
      input: { path: 'a.txt', mark: 'x' },
    })
    await call
    const expected = { path: join(workspace, 'a.txt'), mark: 'x!' }
    expect(judged).toEqual([expected])
    expect((await crib.invocation(call.invocationId))!.call_input).toEqual(expected)
    expect(executed).toEqual([expected])
  })

  it('a parsed value of the schema library is preserved when a path is made absolute', async () => {
    const executed: { when: Date }[] = []
    const crib = await openCrib({
      store: newStore(),
      tools: [
        defineTool({
          name: 'save',
          description: 'Saves.',
          input: {
            validator: z.object({ path: z.string(), when: z.string().transform((text) => new Date(text)) }),
            jsonSchema: { type: 'object' },
          },
          paths: { path: 'write' },
          ...quiet,
          execute: (input) => {
            executed.push(input)
            return 'ok'
          },
        }),
      ],
    })
    const surface = await crib.surface({ scope: 'turn' })
    await crib.call(surface, { name: 'save', input: { path: 'a.txt', when: '2026-01-01' } })
    expect(executed[0]?.when).toBeInstanceOf(Date)
  })

  it('a check that changes its argument does not change what runs', async () => {
    const executed: unknown[] = []
    const crib = await openCrib({
      store: newStore(),
      tools: [
        defineTool({
          name: 'save',
          description: 'Saves.',
          input: z.object({ text: z.string(), size: z.number().default(1) }),
          ...quiet,
          validate: (input) => {
            Reflect.set(input, 'text', 'changed after the judge')
          },
          execute: (input) => {
            executed.push(input)
            return 'ok'
          },
        }),
      ],
    })
    await crib.call(await crib.surface({ scope: 'turn' }), { name: 'save', input: { text: 'mine' } })
    expect(executed).toEqual([{ text: 'mine', size: 1 }])
  })

  it('a validator runs once per input, and the executor gets its own copy', async () => {
    let asked = 0
    const crib = await openCrib({
      store: newStore(),
      tools: [
        defineTool({
          name: 'sort',
          description: 'Sorts.',
          input: {
            validator: (value: { list: number[] }) => {
              asked++
              return value
            },
            jsonSchema: { type: 'object' },
          },
          ...quiet,
          execute: ({ list }) => list.sort((a, b) => a - b),
        }),
      ],
    })
    const surface = await crib.surface({ scope: 'turn' })
    const result = await crib.call(surface, { name: 'sort', input: { list: [3, 1, 2] } })
    expect(result.error?.message).toBeUndefined()
    expect(result.structured_content).toEqual([1, 2, 3])
    expect(asked).toBe(1)
  })

  it('an executor gets its own copy, which it may change', async () => {
    const crib = await openCrib({
      store: newStore(),
      tools: [
        defineTool({
          name: 'sort',
          description: 'Sorts.',
          ...quiet,
          execute: (input) => (input as { list: number[] }).list.sort((a, b) => a - b),
        }),
      ],
    })
    const surface = await crib.surface({ scope: 'turn' })
    const call = crib.call(surface, { name: 'sort', input: { list: [3, 1, 2] } })
    expect((await call).structured_content).toEqual([1, 2, 3])
    expect((await crib.invocation(call.invocationId))!.call_input).toEqual({ list: [3, 1, 2] })
  })

  it('a hook may return the transformed input that it saw', async () => {
    const crib = await openCrib({
      store: newStore(),
      tools: [
        defineTool({
          name: 'page',
          description: 'Shows a page.',
          input: z.object({ page: z.string().transform(Number), note: z.string().optional() }),
          ...quiet,
          execute: ({ page }) => page,
        }),
      ],
      hooks: [
        defineHook({
          id: 'note',
          event: 'pre_tool_use',
          run: ({ input }) => ({ updatedInput: { ...(input as object), note: 'seen' } }),
        }),
      ],
    })
    const surface = await crib.surface({ scope: 'turn' })
    expect(await crib.call(surface, { name: 'page', input: { page: '2' } })).toMatchObject({
      status: 'succeeded',
      structured_content: 2,
    })
  })
})

onBothStores('deny before access', (newStore) => {
  it('judges the path that would be read, not the model’s spelling', async () => {
    const workspace = temporaryFolder()
    const preflight = vi.fn()
    const crib = await openCrib({
      store: newStore(),
      workspace,
      tools: [
        defineTool({
          name: 'read',
          description: 'Reads.',
          input: {
            jsonSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
          },
          paths: { path: 'read' },
          ...quiet,
          preflight,
          execute: () => 'read',
        }),
      ],
      decider: ({ input }) =>
        (input as { path: string }).path === join(workspace, 'secret.txt')
          ? { behavior: 'deny' }
          : { behavior: 'allow' },
    })
    const surface = await crib.surface({ scope: 'turn' })
    for (const path of ['secret.txt', './secret.txt', join(workspace, 'x/../secret.txt')]) {
      expect((await crib.call(surface, { name: 'read', input: { path } })).status).toBe('denied')
    }
    expect(preflight).not.toHaveBeenCalled()
  })

  it('the preflight sees the path that would be read', async () => {
    const workspace = temporaryFolder()
    const preflight = vi.fn((_input: { path?: string }) => undefined)
    const crib = await openCrib({
      store: newStore(),
      workspace,
      tools: [
        defineTool({
          name: 'read',
          description: 'Reads.',
          input: { jsonSchema: { type: 'object', properties: { path: { type: 'string' } } } },
          paths: { path: 'read' },
          ...quiet,
          preflight,
          execute: () => 'read',
        }),
      ],
    })
    await crib.call(await crib.surface({ scope: 'turn' }), { name: 'read', input: { path: 'a.txt' } })
    expect(preflight.mock.calls[0]?.[0]).toEqual({ path: join(workspace, 'a.txt') })
  })
})

onBothStores('an approver’s edit', (newStore) => {
  it('needs no second approval after its path was made absolute', async () => {
    const workspace = temporaryFolder()
    const approver = vi.fn(() => ({ approved: true as const, updatedInput: { path: 'other.txt' } }))
    const crib = await openCrib({
      store: newStore(),
      workspace,
      tools: [
        defineTool({
          name: 'write',
          description: 'Writes.',
          input: { jsonSchema: { type: 'object', properties: { path: { type: 'string' } } } },
          paths: { path: 'write' },
          execute: () => 'written',
        }),
      ],
      approver,
    })
    const result = await crib.call(await crib.surface({ scope: 'turn' }), {
      name: 'write',
      input: { path: 'a.txt' },
    })
    expect(result.status).toBe('succeeded')
    expect(approver).toHaveBeenCalledOnce()
  })
})
