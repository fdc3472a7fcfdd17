import { describe, expect, it, vi } from 'vitest'
import { createCrib, defineTool, memoryStore, type Source, type ToolDraft } from 'toolcrib'
import { createReplacing } from '../../src/crib/catalog/create-replacing.js'
import { keepListed } from '../../src/crib/catalog/keep-listed.js'
import { collect, openCrib } from '../scenarios/open-crib.js'

const tool = (name: string) => defineTool({ name, description: 'A tool.', execute: () => 1 })

/** A source whose list a test changes by hand. */
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
      // Listing and adding again takes a few turns of the loop.
      for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate)
    },
  }
}

describe('a source that changes', () => {
  it('has long lists put in the place of each other', async () => {
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
    // One after the other: the tool that came last is written down last.
    await vi.waitFor(async () => expect(await count('tool.declared')).toBe(120 + 130 + 1))
    expect(await count('toolcrib.tool.removed')).toBe(120 + 130)
  })

  it('keeps its tools when the new list cannot be taken', async () => {
    const { source, become } = changingSource([tool('a'), tool('b')])
    const crib = await openCrib({ sources: [source] })
    await become([tool('a'), tool('a')])
    expect(crib.tools().map(({ toolId }) => toolId)).toEqual(['local.a', 'local.b'])
  })

  it('leaves no trace in the log where nothing changed', async () => {
    const { source, become } = changingSource([tool('a')])
    const crib = await openCrib({ sources: [source] })
    const before = (await collect(crib.events())).length
    await become([tool('a')])
    const after = (await collect(crib.events())).slice(before)
    expect(after.map(({ event_type: type }) => type)).toEqual([])
  })
})

/** Lists that a test answers by hand. */
function openLists() {
  const open: ((listed: string) => void)[] = []
  const taken: string[] = []
  const refresh = keepListed<string>({
    list: () => new Promise((resolve) => open.push(resolve)),
    take: async (listed) => void taken.push(listed),
  })
  return { open, taken, refresh, turn: () => new Promise(setImmediate) }
}

describe('a source that says again and again that it changed', () => {
  it('is listed once more for all that it says while its lists are on their way', async () => {
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

  it('is listed at once though a list never comes', async () => {
    const { open, taken, refresh, turn } = openLists()
    refresh()
    for (const name of ['second', 'third']) {
      refresh()
      open.at(-1)!(name)
      await turn()
    }
    expect(taken).toEqual(['second', 'third'])
  })

  it('keeps the newest list where an older one comes later', async () => {
    const { open, taken, refresh, turn } = openLists()
    refresh()
    refresh()
    open[1]!('newer')
    await turn()
    open[0]!('older')
    await turn()
    expect(taken).toEqual(['newer'])
  })

  it('has only the newest of its long lists taken over, after the one that is being taken over', async () => {
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

  it('goes on after a list that cannot be taken', async () => {
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

describe('a source that cannot be listed', () => {
  it('does not leave the store open behind the error', async () => {
    const store = memoryStore()
    const close = vi.spyOn(store, 'close')
    const source: Source = { name: 'broken', list: () => Promise.reject(new Error('unreachable')) }
    await expect(createCrib({ store, sources: [source] })).rejects.toThrow('unreachable')
    expect(close).toHaveBeenCalled()
  })
})
