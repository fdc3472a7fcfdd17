import { join } from 'node:path'
import { afterEach, describe } from 'vitest'
import { createCrib, memoryStore, sqliteStore, type Crib, type CribOptions, type Store } from 'toolcrib'
import { temporaryFolder } from '../temporary-folder.js'

const opened: Crib[] = []

// At the top level: a hook that is registered within a running test would never be called.
afterEach(async () => {
  for (const crib of opened.splice(0)) await crib.close({ graceMs: 0 })
})

/** A crib that is closed after the test. A cancellation waits only a moment by default. */
export async function openCrib(options: CribOptions = {}): Promise<Crib> {
  const crib = await createCrib({ store: memoryStore(), cancelGraceMs: 10, ...options })
  opened.push(crib)
  return crib
}

export function temporaryStorePath(): string {
  return join(temporaryFolder(), 'crib.db')
}

/** Runs the same tests on a store in memory and on one on disk. */
export function onBothStores(title: string, tests: (newStore: () => Store) => void): void {
  const kinds: [string, () => Store][] = [
    ['memory', () => memoryStore()],
    ['sqlite', () => sqliteStore({ path: temporaryStorePath() })],
  ]
  describe.each(kinds)(`${title} (%s)`, (_kind, newStore) => tests(newStore))
}

export interface Gate<Value> {
  readonly promise: Promise<Value>
  open(value: Value): void
}

/** A promise that a test resolves. */
export function createGate<Value = void>(): Gate<Value> {
  let open!: (value: Value) => void
  const promise = new Promise<Value>((resolve) => (open = resolve))
  return { promise, open }
}

/** A clock that advances when it is read: every reading is one millisecond later. */
export function steppingClock(start = Date.UTC(2026, 0, 1)): () => number {
  let now = start
  return () => now++
}

export async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = []
  for await (const item of items) found.push(item)
  return found
}

/** The text that a model would read. */
export function shownText(result: {
  model_facing_content?: readonly { text?: string }[] | undefined
}): string {
  return (result.model_facing_content ?? []).map(({ text }) => text ?? '').join('\n')
}
