import { expect, it } from 'vitest'
import { createUsageCount, type Covered } from '../../../src/storage/blobs/usage-count.js'

/** Counts that continue when the test says so. */
function slowWalks(): { walk(tenant: string, covered: Covered): Promise<void>; walks: Walk[] } {
  const walks: Walk[] = []
  return {
    walks,
    walk: (_, covered) =>
      new Promise((resolve, reject) => {
        walks.push({ covered, resolve, reject })
      }),
  }
}

interface Walk {
  covered: Covered
  resolve(): void
  reject(error: Error): void
}

it('a count includes changes meanwhile exactly once, before and after its position', async () => {
  const { walk, walks } = slowWalks()
  const usage = createUsageCount({ staleMs: 60_000, walk })
  const first = usage.of('t')
  walks[0]!.covered('4~', { bytes: 100, count: 2 })
  // The count has passed it: it must be added. The other one is still ahead, and is found later.
  usage.changed('t', '30', { bytes: 7, count: 1 })
  usage.changed('t', '70', { bytes: 5, count: 1 })
  usage.changed('u', '30', { bytes: 1000, count: 1 })
  walks[0]!.covered('f~', { bytes: 5, count: 1 })
  walks[0]!.resolve()
  expect(await first).toEqual({ bytes: 112, count: 4 })
  usage.changed('t', '30', { bytes: -7, count: -1 })
  expect(await usage.of('t')).toEqual({ bytes: 105, count: 3 })
  expect(walks).toHaveLength(1)
})

it('an old count is returned at once, and renewed for the next reader', async () => {
  const { walk, walks } = slowWalks()
  const usage = createUsageCount({ staleMs: -1, walk })
  const first = usage.of('t')
  walks[0]!.covered('f~', { bytes: 1, count: 1 })
  walks[0]!.resolve()
  expect(await first).toEqual({ bytes: 1, count: 1 })
  expect(await usage.of('t')).toEqual({ bytes: 1, count: 1 })
  expect(await usage.of('t')).toEqual({ bytes: 1, count: 1 })
  expect(walks).toHaveLength(2)
  // Another process stored it.
  walks[1]!.covered('f~', { bytes: 500, count: 9 })
  walks[1]!.resolve()
  await new Promise(setImmediate)
  expect(await usage.of('t')).toEqual({ bytes: 500, count: 9 })
  walks[2]!.reject(new Error('not now'))
  await new Promise(setImmediate)
  expect(await usage.of('t')).toEqual({ bytes: 500, count: 9 })
})

it('a first count that fails rejects, and is tried again', async () => {
  const { walk, walks } = slowWalks()
  const usage = createUsageCount({ staleMs: 60_000, walk })
  const first = usage.of('t')
  walks[0]!.reject(new Error('no access'))
  await expect(first).rejects.toThrow('no access')
  const second = usage.of('t')
  walks[1]!.resolve()
  expect(await second).toEqual({ bytes: 0, count: 0 })
})
