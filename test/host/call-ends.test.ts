import { afterEach, describe, expect, it } from 'vitest'
import {
  createCrib,
  defineHook,
  defineTool,
  memoryStore,
  sqliteStore,
  toolOutput,
  type Crib,
  type CribOptions,
  type Store,
  type ToolOptions,
} from 'toolcrib'
import { toEventList } from '../../src/storage/event-list.js'
import { recoverCalls } from '../../src/crib/recovery/recover-calls.js'
import { checkLog } from '../crib/recovery/check-log.mjs'
import { faultyStore } from '../crib/recovery/faulty-store.mjs'
import { openTemporaryFolder } from '../temporary-folder.js'

/** Ways in which a call, or its record, could fail to end. Stress tests found each of them. */
describe('a call ends', () => {
  const cleanups: (() => unknown)[] = []

  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
  })

  function newFile(): string {
    const place = openTemporaryFolder()
    cleanups.push(place.remove)
    return place.file('crib.db')
  }

  async function open(options: CribOptions, kind: 'memory' | 'sqlite' = 'memory'): Promise<Crib> {
    const store = options.store ?? (kind === 'memory' ? memoryStore() : sqliteStore({ path: newFile() }))
    const crib = await createCrib({
      cancelGraceMs: 20,
      decider: () => ({ behavior: 'allow' }),
      ...options,
      store,
    })
    cleanups.push(() => Promise.race([crib.close({ graceMs: 10 }).catch(() => {}), soon(500)]))
    return crib
  }

  const tool = (more: Partial<ToolOptions<never, never>> = {}) =>
    defineTool({ name: 'tool', description: 'A tool.', execute: () => 'done', ...more } as never)

  const soon = (ms: number): Promise<'too late'> =>
    new Promise((resolve) => setTimeout(resolve, ms, 'too late').unref())

  it('when its tool requests input and does not wait for the answer', async () => {
    const crib = await open({
      responder: () => new Promise(() => {}),
      tools: [
        tool({
          execute: ((_input: unknown, context: { requestInput(of: object): Promise<unknown> }) => {
            void context.requestInput({ message: 'which?' })
            return 'done'
          }) as never,
        }),
      ],
    })
    const surface = await crib.surface({ scope: 'turn' })
    expect(await crib.call(surface, { name: 'tool' })).toMatchObject({ status: 'succeeded' })
    expect((await checkLog(crib)).problems).toEqual([])
  })

  it('when its tool requests input twice at once', async () => {
    const crib = await open({
      responder: async () => ({ action: 'accept', content: 1 }),
      tools: [
        tool({
          execute: (async (_input: unknown, context: { requestInput(of: object): Promise<unknown> }) =>
            Promise.all([
              context.requestInput({ message: 'a?' }),
              context.requestInput({ message: 'b?' }),
            ])) as never,
        }),
      ],
    })
    const surface = await crib.surface({ scope: 'turn' })
    expect(await crib.call(surface, { name: 'tool' })).toMatchObject({ status: 'succeeded' })
    expect((await checkLog(crib)).problems).toEqual([])
  })

  it('when the decider replaces the input', async () => {
    const crib = await open({
      decider: ({ input }) =>
        (input as { n: number }).n === 2
          ? { behavior: 'allow' }
          : { behavior: 'allow', updated_input: { n: 2 } },
      tools: [tool({ execute: ((input: { n: number }) => ({ n: input.n })) as never })],
    })
    const surface = await crib.surface({ scope: 'turn' })
    const result = await crib.call(surface, { name: 'tool', input: { n: 1 } })
    expect(result).toMatchObject({ status: 'succeeded', structured_content: { n: 2 } })
  })

  it('when it was cancelled before the approval request', async () => {
    const crib = await open({
      decider: async () => ({ behavior: 'ask' }),
      approver: () => new Promise(() => {}),
      tools: [tool()],
    })
    const surface = await crib.surface({ scope: 'turn' })
    const call = crib.call(surface, { name: 'tool' })
    call.cancel()
    expect(await Promise.race([call, soon(1_000)])).toMatchObject({ status: 'canceled' })
    expect((await checkLog(crib)).problems).toEqual([])
  })

  it('when it was cancelled while a hook runs, and nothing is recorded or run after that', async () => {
    let second = 0
    const crib = await open({
      tools: [tool()],
      hooks: [
        defineHook({
          id: 'slow',
          event: 'pre_tool_use',
          run: () => soon(20).then(() => ({ message: 'late' })),
        }),
        defineHook({ id: 'next', event: 'pre_tool_use', run: () => void second++ }),
      ],
    })
    const surface = await crib.surface({ scope: 'turn' })
    const call = crib.call(surface, { name: 'tool' })
    await new Promise((resolve) => setTimeout(resolve, 5))
    call.cancel()
    expect(await call).toMatchObject({ status: 'canceled' })
    await new Promise((resolve) => setTimeout(resolve, 60))
    await crib.flush()
    expect(second).toBe(0)
    expect((await checkLog(crib)).problems).toEqual([])
  })

  it('as failed when the output of its tool throws while it is read', async () => {
    // oxlint-disable-next-line unicorn/no-thenable -- tools return such things
    const trap = Object.defineProperty({}, 'then', {
      get() {
        throw new Error('the getter threw')
      },
    })
    const crib = await open({ tools: [tool({ execute: () => trap as never })] })
    const surface = await crib.surface({ scope: 'turn' })
    const result = await crib.call(surface, { name: 'tool' })
    expect(result.error!.error_class).toMatch(/^(execution_failed|result_mapping_failed)$/)
  })

  const cycle = (): Record<string, unknown> => {
    const self: Record<string, unknown> = { big: 1n }
    self['self'] = self
    return self
  }
  const poisons: Record<string, CribOptions> = {
    'a verdict': { decider: () => ({ behavior: 'allow', suggested_updates: [cycle()] }), tools: [tool()] },
    'a reason': {
      decider: () => ({ behavior: 'deny', reason: { type: 'rule', message: 1n } }) as never,
      tools: [tool()],
    },
    'a hook': {
      hooks: [
        defineHook({
          id: 'h',
          event: 'pre_tool_use',
          run: () => ({ permission: { behavior: 'allow', more: cycle() }, message: 1n }) as never,
        }),
      ],
      tools: [tool()],
    },
    'a context': {
      hooks: [
        defineHook({ id: 'h', event: 'post_tool_use', run: () => ({ additionalContext: [1n] }) as never }),
      ],
      tools: [tool()],
    },
    'an output’s refs': {
      tools: [tool({ execute: () => toolOutput({ structured: 1, resourceRefs: [cycle()] }) as never })],
    },
    'a context modifier': {
      tools: [
        tool({
          contextModifierPolicy: 'allow_serial_only',
          execute: () => toolOutput({ structured: 1, contextModifier: cycle() }) as never,
        }),
      ],
    },
    progress: {
      tools: [
        tool({
          execute: ((_: unknown, { progress }: { progress(of: object): void }) =>
            progress({ artifact_refs: [cycle()] })) as never,
        }),
      ],
    },
    'an approval': {
      decider: () => ({ behavior: 'ask' }),
      approver: () => ({ approved: true, feedback: 1n, by: cycle() }) as never,
      tools: [tool()],
    },
  }

  it.each(Object.keys(poisons))(
    'and so does the next one, although %s cannot be written as JSON',
    async (name) => {
      const crib = await open(poisons[name]!, 'sqlite')
      const surface = await crib.surface({ scope: 'turn' })
      const first = await crib.call(surface, { name: 'tool' })
      expect(first.status).toBeTypeOf('string')
      await crib.flush()
      expect((await checkLog(crib)).problems).toEqual([])
    },
  )

  it('although the provider’s id of the call is no string', async () => {
    const crib = await open({ tools: [tool()] }, 'sqlite')
    const surface = await crib.surface({ scope: 'turn' })
    const call = crib.call(surface, { name: 'tool', nativeCallId: 7n as never })
    expect(await call).toMatchObject({ status: 'succeeded' })
    await crib.flush()
    expect((await crib.invocation(call.invocationId))!.native_call_id).toBe('7')
  })

  it('although the clock returns fractions of milliseconds', async () => {
    const crib = await open({ clock: () => 1_700_000_000_000.25, tools: [tool()] }, 'sqlite')
    const surface = await crib.surface({ scope: 'turn' })
    expect(await crib.call(surface, { name: 'tool' })).toMatchObject({ status: 'succeeded' })
    await crib.flush()
  })

  it('without running when another process closed it meanwhile', async () => {
    const path = newFile()
    let ran = 0
    let crib: Crib | undefined = undefined
    const closeElsewhere = async (invocationId: string): Promise<void> => {
      await crib!.flush()
      const other = sqliteStore({ path })
      await other.open()
      const row = (await other.getCall('default', invocationId))!
      const events = toEventList([{ type: 'tool.invocation.canceled', at: row.createdAt }], row.createdAt)
      const written = (await other.readStream('default', invocationId)).length
      await other.write({
        calls: [
          {
            row: { ...row, status: 'canceled', owner: undefined, revision: row.revision + 1 },
            firstSequence: written + 100,
            events,
          },
        ],
      })
      await other.close()
    }
    crib = await open({
      store: sqliteStore({ path }),
      decider: () => ({ behavior: 'ask' }),
      approver: async ({ invocationId }) => {
        await closeElsewhere(invocationId)
        return { approved: true }
      },
      tools: [tool({ execute: (() => ran++) as never })],
    })
    const surface = await crib.surface({ scope: 'turn' })
    const result = await crib.call(surface, { name: 'tool' })
    expect({ ran, isError: result.is_error }).toEqual({ ran: 0, isError: true })
  })

  it('and is not recovered as orphaned because its own process started a moment later', async () => {
    const path = newFile()
    const inner = sqliteStore({ path })
    await inner.open()
    cleanups.push(() => inner.close())
    let release: (() => void) | undefined
    let late: Crib | undefined
    // Between reading the owners and reading the calls, another crib opens and starts a call.
    const store: Store = {
      ...inner,
      listCalls: async (query) => {
        if (!late) {
          late = await open({
            store: sqliteStore({ path }),
            tools: [
              tool({ execute: () => new Promise((resolve) => (release = resolve as () => void)) as never }),
            ],
          })
          void late.call(await late.surface({ scope: 'turn' }), { name: 'tool' })
          await late.flush()
        }
        return inner.listCalls(query)
      },
    }
    expect(await recoverCalls(store, Date.now)).toBe(0)
    release?.()
  })

  it('with all its events stored, however many, when the store is slow', async () => {
    const path = newFile()
    const inner = sqliteStore({ path })
    const crib = await open({
      store: faultyStore(inner, { on: 'any', at: 0, when: 'before', how: 'throw', isAsync: true }),
      tools: [
        tool({
          execute: ((_: unknown, { progress }: { progress(of: object): void }) => {
            for (let n = 0; n < 3_500; n++) progress({ line_count: n })
            return 'done'
          }) as never,
        }),
      ],
    })
    const surface = await crib.surface({ scope: 'turn' })
    const call = crib.call(surface, { name: 'tool' })
    await call
    const row = await inner.getCall('default', call.invocationId)
    expect(row).toMatchObject({ status: 'succeeded' })
    const chunks = await inner.readStream('default', call.invocationId)
    expect(JSON.stringify(chunks.at(-1)!.events)).toContain('tool.result.created')
  })

  it('while other calls report progress, when the store is slow', async () => {
    let isQuiet = false
    const plan = { on: 'any', at: 0, when: 'before', how: 'throw', isAsync: true } as const
    const crib = await open({
      store: faultyStore(memoryStore(), plan),
      tools: [
        tool(),
        tool({
          name: 'talker',
          isReadOnly: true,
          execute: (async (_: unknown, { progress }: { progress(of: object): void }) => {
            for (let n = 0; !isQuiet; n++) {
              progress({ line_count: n })
              await new Promise(setImmediate)
            }
          }) as never,
        }),
      ],
    })
    const surface = await crib.surface({ scope: 'turn' })
    const talking = crib.call(surface, { name: 'talker' })
    const ended = await Promise.race([crib.call(surface, { name: 'tool' }), soon(1_500)])
    isQuiet = true
    await talking
    expect(ended).toMatchObject({ status: 'succeeded' })
  })
})

describe('a crib closes', () => {
  const decider = (): { behavior: 'allow' } => ({ behavior: 'allow' })

  it('and ends the readers that follow its events', async () => {
    const crib = await createCrib({ store: memoryStore(), decider })
    const following = (async () => {
      for await (const event of crib.events({ follow: true })) void event
      return 'ended'
    })()
    await new Promise((resolve) => setTimeout(resolve, 10))
    await crib.close()
    const late = new Promise((resolve) => setTimeout(resolve, 500, 'still following'))
    expect(await Promise.race([following, late])).toBe('ended')
  })

  it('before any of several close calls resolves', async () => {
    const store = memoryStore()
    const crib = await createCrib({ store, decider })
    void crib.close()
    await crib.close()
    expect(() => store.write({})).toThrow(/closed/)
  })

  it('its store when it could not be opened', async () => {
    const store = memoryStore()
    const same = defineTool({ name: 'same', description: 'One of two.', execute: () => 1 })
    await expect(createCrib({ store, tools: [same, { ...same }], decider })).rejects.toThrow(TypeError)
    expect(() => store.write({})).toThrow(/closed/)
  })

  it('and loses no declaration of a tool when it is killed during the write', async () => {
    const place = openTemporaryFolder()
    const path = place.file('crib.db')
    try {
      const tools = [defineTool({ name: 'tool', description: 'A tool.', execute: () => 1 })]
      for (let at = 1; at <= 6; at++) {
        const store = faultyStore(sqliteStore({ path: `${path}${at}` }), {
          on: 'write',
          at,
          when: 'after',
          how: 'die',
        })
        const cut = await createCrib({ store, tools, decider }).catch(() => undefined)
        store.die()
        if (cut) await cut.close().catch(() => {})
        else await store.close()
        const crib = await createCrib({ store: sqliteStore({ path: `${path}${at}` }), tools, decider })
        const types: string[] = []
        for await (const { event_type } of crib.events()) types.push(event_type)
        await crib.close()
        expect({ at, types }).toEqual({ at, types: expect.arrayContaining(['tool.declared']) })
      }
    } finally {
      place.remove()
    }
  })
})
