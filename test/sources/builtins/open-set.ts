import { afterEach } from 'vitest'
import { createCrib, memoryStore, type Call, type Crib, type CribOptions, type Surface } from 'toolcrib'
import type { Source } from '../../../src/sources/source.js'

export interface OpenedSet {
  readonly crib: Crib
  readonly surface: Surface
  call(name: string, input?: unknown): Call
}

const opened: Crib[] = []

afterEach(async () => {
  for (const crib of opened.splice(0)) await crib.close({ graceMs: 100 })
})

/** A crib with a set of built-in tools, which allows every call unless the test says otherwise. */
export async function openSet(source: Source, options: CribOptions = {}): Promise<OpenedSet> {
  const crib = await createCrib({
    store: memoryStore(),
    sources: [source],
    retries: { max: 0, baseMs: 1 },
    ...(!options.permission && { decider: () => ({ behavior: 'allow' as const }) }),
    ...options,
  })
  opened.push(crib)
  const surface = await crib.surface()
  return { crib, surface, call: (name, input = {}) => crib.call(surface, { name, input }) }
}
