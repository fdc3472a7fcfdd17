import { afterEach, expect, it, vi } from 'vitest'
import { lazyKeys } from '../../src/approvals/lazy-keys.js'
import { openNamedTokens, type NamedTokens } from '../../src/host/identities/named-tokens.js'
import { memoryStore } from '../../src/storage/memory/memory-store.js'
import type { Store } from '../../src/storage/store.js'
import { until } from '../until.js'

afterEach(() => void vi.useRealTimers())

function open(store: Store): Promise<NamedTokens> {
  return openNamedTokens({
    store,
    keys: lazyKeys(store, undefined),
    tenant: 'default',
    owner: 'olga',
    surfaceProblem: () => undefined,
  })
}

it('a used token stays used after its use is stored, in every process that shares the store', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const store = memoryStore()
  await store.open()
  const [here, there] = [await open(store), await open(store)]
  const made = await here.create({ name: 'ci', roles: ['caller'] }, { by: 'person:olga', actors: [] })
  if (!made.ok) throw new Error(made.message)
  const { tokenId } = made.record

  here.noteUse(tokenId)
  const usedAt = here.lastUsedAt(tokenId)
  expect(usedAt).toBeTypeOf('number')
  await vi.advanceTimersByTimeAsync(180_000)
  expect(here.lastUsedAt(tokenId)).toBe(usedAt)
  await until(() => there.lastUsedAt(tokenId) === usedAt)

  for (const tokens of [here, there]) await tokens.close()
  await store.close()
})
