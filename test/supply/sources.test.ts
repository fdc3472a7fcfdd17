import { describe, expect, it, vi } from 'vitest'
import { createCrib, defineTool, memoryStore, type Source, type ToolDraft } from 'toolcrib'
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

describe('a source that cannot be listed', () => {
  it('does not leave the store open behind the error', async () => {
    const store = memoryStore()
    const close = vi.spyOn(store, 'close')
    const source: Source = { name: 'broken', list: () => Promise.reject(new Error('unreachable')) }
    await expect(createCrib({ store, sources: [source] })).rejects.toThrow('unreachable')
    expect(close).toHaveBeenCalled()
  })
})
