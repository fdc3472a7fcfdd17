import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { defineTool, type Crib, type CribOptions, type Source, type ToolDraft } from 'toolcrib'
import { createReplacing } from '../../src/crib/catalog/create-replacing.js'
import { keepListed } from '../../src/crib/catalog/keep-listed.js'
import { collect, openCrib } from '../scenarios/open-crib.js'

const tool = (name: string) => defineTool({ name, description: 'A tool.', execute: () => 1 })

/** A source whose list a test changes. */
function changingSource(first: readonly ToolDraft[]) {
  let list: readonly ToolDraft[] = first
  let changed = (): void => {}
  const source: Source = {
    name: 'changing',
    list: async () => list,
    watch(callback) {
      changed = callback
      return () => (changed = () => {})
    },
  }
  return {
    source,
    async become(next: readonly ToolDraft[]): Promise<void> {
      list = next
      changed()
      // Listing and adding again takes a few turns of the event loop.
      for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate)
    },
  }
}

describe('a source that changes', () => {
  it('has its long lists replaced by each other', async () => {
    const many = (count: number, prefix: string): ToolDraft[] =>
      Array.from({ length: count }, (_, at) => tool(`${prefix}${at}`))
    const { source, become } = changingSource(many(120, 'a'))
    const crib = await openCrib({ sources: [source] })
    const ids = (): string[] => crib.tools().map(({ toolId }) => toolId)
    await become([...many(120, 'b'), tool('b0')])
    await become(many(130, 'b'))
    await vi.waitFor(() => expect(ids()).toHaveLength(130))
    expect(ids().every((toolId) => toolId.startsWith('local.b'))).toBe(true)
    await become([tool('c')])
    await vi.waitFor(() => expect(ids()).toEqual(['local.c']))
    const count = async (wanted: string): Promise<number> =>
      (await collect(crib.events())).filter(({ event_type: type }) => type === wanted).length
    // One after the other: the tool that was added last is recorded last.
    await vi.waitFor(async () => expect(await count('tool.declared')).toBe(120 + 130 + 1))
    expect(await count('toolcrib.tool.removed')).toBe(120 + 130)
  })

  it('keeps its tools when the new list is invalid', async () => {
    const { source, become } = changingSource([tool('a'), tool('b')])
    const crib = await openCrib({ sources: [source] })
    await become([tool('a'), tool('a')])
    expect(crib.tools().map(({ toolId }) => toolId)).toEqual(['local.a', 'local.b'])
  })

  it('writes nothing to the log where nothing changed', async () => {
    const { source, become } = changingSource([tool('a')])
    const crib = await openCrib({ sources: [source] })
    const before = (await collect(crib.events())).length
    await become([tool('a')])
    const after = (await collect(crib.events())).slice(before)
    expect(after.map(({ event_type: type }) => type)).toEqual([])
  })
})

/** Lists that a test answers. */
function openLists() {
  const open: ((listed: string) => void)[] = []
  const taken: string[] = []
  const refresh = keepListed<string>({
    list: () => new Promise((resolve) => open.push(resolve)),
    take: async (listed) => void taken.push(listed),
  })
  return { open, taken, refresh, turn: () => new Promise(setImmediate) }
}

describe('a source that announces many changes', () => {
  it('is listed once more for all changes announced while its lists are loading', async () => {
    const { open, taken, refresh, turn } = openLists()
    for (let times = 0; times < 100; times++) refresh()
    expect(open).toHaveLength(2)
    open[0]!('first')
    await turn()
    expect(open).toHaveLength(3)
    open[1]!('second')
    open[2]!('third')
    await turn()
    expect(taken).toEqual(['first', 'second', 'third'])
    expect(open).toHaveLength(3)
  })

  it('is listed at once though an earlier list never arrives', async () => {
    const { open, taken, refresh, turn } = openLists()
    refresh()
    for (const name of ['second', 'third']) {
      refresh()
      open.at(-1)!(name)
      await turn()
    }
    expect(taken).toEqual(['second', 'third'])
  })

  it('keeps the newest list where an older one arrives later', async () => {
    const { open, taken, refresh, turn } = openLists()
    refresh()
    refresh()
    open[1]!('newer')
    await turn()
    open[0]!('older')
    await turn()
    expect(taken).toEqual(['newer'])
  })

  it('has only the newest of its long lists applied, after the one that is being applied', async () => {
    const swapped: number[] = []
    const replace = createReplacing<number>({
      isShort: () => false,
      prepare: () => new Promise(setImmediate),
      swap: async (list) => void swapped.push(list),
    })
    await Promise.all(Array.from({ length: 100 }, (_, list) => replace(list)))
    expect(swapped).toEqual([0, 99])
    await replace(100)
    expect(swapped).toEqual([0, 99, 100])
  })

  it('continues after an invalid list', async () => {
    const swapped: string[] = []
    const replace = createReplacing<string>({
      isShort: (list) => list === 'short',
      prepare: async () => {},
      async swap(list) {
        if (list === 'wrong') throw new TypeError('wrong')
        swapped.push(list)
      },
    })
    const [wrong, next] = await Promise.allSettled([replace('wrong'), replace('next')])
    expect([wrong.status, next.status]).toEqual(['rejected', 'fulfilled'])
    await replace('short')
    expect(swapped).toEqual(['next', 'short'])
  })
})

/** A source that a test lets fail and recover. */
function failingSource(name: string, tools: readonly ToolDraft[]) {
  const state = { problem: undefined as Error | undefined, lists: 0 }
  let changed = (): void => {}
  const source: Source = {
    name,
    async list() {
      state.lists++
      if (state.problem) throw state.problem
      return tools
    },
    watch(callback) {
      changed = callback
      return () => (changed = () => {})
    },
  }
  return { source, state, change: () => changed() }
}

const eventsOf = async (crib: Crib) =>
  (await collect(crib.events()))
    .filter(({ event_type: type }) => type.startsWith('toolcrib.source.'))
    .map(({ event_type: type, data }) => ({ type, data }))

describe('a source that cannot be listed', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
  afterEach(() => void vi.useRealTimers())

  it('is reported and retried, and the tools of the others are there', async () => {
    const broken = failingSource('broken', [tool('late')])
    broken.state.problem = new Error('unreachable')
    const well = failingSource('well', [tool('here')])
    const crib = await openCrib({ sources: [broken.source, well.source] })
    expect(crib.tools().map(({ toolId }) => toolId)).toEqual(['local.here'])
    expect(crib.pendingProviders()).toEqual(['broken'])
    expect(crib.sources()).toEqual([
      { name: 'broken', state: 'failed', tools: 0, problem: 'unreachable', nextRetryAt: expect.any(Number) },
      { name: 'well', state: 'ready', tools: 1 },
    ])
    const failed = {
      type: 'toolcrib.source.failed',
      data: { source: 'broken', tools: 0, message: 'unreachable' },
    }
    expect(await eventsOf(crib)).toEqual([failed])
    // The same problem is recorded once.
    await vi.advanceTimersByTimeAsync(2000)
    await crib.caughtUp()
    expect(broken.state.lists).toBe(2)
    expect(await eventsOf(crib)).toEqual([failed])
    broken.state.problem = undefined
    await vi.advanceTimersByTimeAsync(4000)
    await crib.caughtUp()
    expect(crib.tools().map(({ toolId }) => toolId)).toEqual(['local.here', 'local.late'])
    expect(crib.pendingProviders()).toEqual([])
    expect(crib.sources().map(({ state }) => state)).toEqual(['ready', 'ready'])
    expect(await eventsOf(crib)).toEqual([
      failed,
      { type: 'toolcrib.source.recovered', data: { source: 'broken', tools: 1 } },
    ])
  })

  it('is not awaited for ever: its tools are added when it has listed them', async () => {
    let answer: (drafts: readonly ToolDraft[]) => void = () => {}
    const slow: Source = {
      name: 'slow',
      list: () => new Promise((resolve) => (answer = resolve)),
    }
    let crib: Crib | undefined
    const opening = openCrib({ sources: [slow, failingSource('well', [tool('here')]).source] })
    void opening.then((opened) => (crib = opened))
    while (!crib) await vi.advanceTimersByTimeAsync(1000)
    expect(crib.tools().map(({ toolId }) => toolId)).toEqual(['local.here'])
    expect(crib.sources()).toMatchObject([{ name: 'slow', state: 'connecting' }, { state: 'ready' }])
    expect(crib.pendingProviders()).toEqual(['slow'])
    answer([tool('late')])
    await crib.caughtUp()
    expect(crib.tools().map(({ toolId }) => toolId)).toEqual(['local.here', 'local.late'])
  })

  it('is opened again only where opening it failed', async () => {
    const opened = vi.fn().mockRejectedValueOnce(new Error('locked')).mockResolvedValue(undefined)
    const { source, change } = failingSource('locked', [tool('a')])
    const crib = await openCrib({ sources: [{ ...source, open: opened }] })
    expect(crib.sources()).toMatchObject([{ state: 'failed', problem: 'locked' }])
    await vi.advanceTimersByTimeAsync(2000)
    await crib.caughtUp()
    change()
    await crib.caughtUp()
    expect(crib.tools()).toHaveLength(1)
    expect(opened).toHaveBeenCalledTimes(2)
  })

  it('keeps its tools while a later list fails, and its secrets are masked in the report', async () => {
    const secret = 'hunter2hunter2'
    const { source, state, change } = failingSource('later', [tool('a')])
    const onSource = vi.fn<NonNullable<CribOptions['onSource']>>()
    const crib = await openCrib({ sources: [source], redaction: { secrets: [secret] }, onSource })
    state.problem = new Error(`no answer from https://x:${secret}@host`)
    change()
    await crib.caughtUp()
    expect(crib.tools()).toHaveLength(1)
    expect(crib.sources()).toMatchObject([{ name: 'later', state: 'failed', tools: 1 }])
    expect(crib.pendingProviders()).toEqual([])
    expect(JSON.stringify([crib.sources(), await eventsOf(crib), onSource.mock.calls])).not.toContain(secret)
    state.problem = undefined
    change()
    await crib.caughtUp()
    expect(crib.sources()).toEqual([{ name: 'later', state: 'ready', tools: 1 }])
    expect(onSource.mock.calls.map(([{ state }]) => state)).toEqual(['failed', 'ready'])
  })

  it('is not listed after its crib is closed or it was removed', async () => {
    const leaving = failingSource('leaving', [])
    const staying = failingSource('staying', [])
    for (const { state } of [leaving, staying]) state.problem = new Error('away')
    const crib = await openCrib({ sources: [leaving.source, staying.source] })
    await crib.replaceSources([staying.source])
    expect(crib.sources().map(({ name }) => name)).toEqual(['staying'])
    await crib.close()
    await vi.advanceTimersByTimeAsync(100_000)
    expect([leaving.state.lists, staying.state.lists]).toEqual([1, 1])
  })
})

describe('several sources', () => {
  it('are opened and listed in parallel', async () => {
    const meet = new Set<string>()
    let all = (): void => {}
    const everybody = new Promise<void>((resolve) => (all = resolve))
    const sources = ['a', 'b', 'c'].map((name): Source => ({
      name,
      async open() {
        meet.add(name)
        if (meet.size === 3) all()
        await everybody
      },
      list: async () => [tool(name)],
    }))
    const crib = await openCrib({ sources })
    expect(crib.tools()).toHaveLength(3)
  })

  it('keep the order in which they were given: of two tools with one name the first stays', async () => {
    const slow: Source = {
      name: 'slow',
      async list() {
        for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate)
        return [tool('same')]
      },
    }
    const fast: Source = { name: 'fast', list: async () => [tool('same')] }
    const crib = await openCrib({ sources: [slow, fast] })
    expect(crib.tools().map(({ source }) => source)).toEqual(['slow'])
    expect(crib.sources()).toMatchObject([{ state: 'ready' }, { state: 'failed', tools: 0 }])
  })
})
