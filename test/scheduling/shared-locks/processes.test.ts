import { readFileSync, writeFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { endChildren, runChild, startChild, type Child } from '../../storage/run-child.js'
import { openTemporaryFolder, type TemporaryFolder } from '../../temporary-folder.js'
import { until } from '../../until.js'
import { findOverlaps, readRecord } from './find-overlaps.js'
import { closeLocks, openLocks } from './open-locks.js'

const child = (name: string): URL => new URL(`./children/${name}.mjs`, import.meta.url)

let slot: TemporaryFolder
let path: string
let record: string

beforeEach(() => {
  slot = openTemporaryFolder()
  path = slot.file('crib.db')
  record = slot.file('record')
  writeFileSync(record, '')
})

afterEach(async () => {
  await endChildren()
  await closeLocks()
  slot.remove()
})

const ROUNDS = 30
const LANES = 3

function hammer(name: string, rounds = ROUNDS): Child {
  return startChild(child('hammer'), [path, record, name, String(rounds)])
}

async function expectCleanEnds(children: readonly Child[]): Promise<void> {
  for (const each of children) {
    const { code, signal, stderr } = await each.end
    expect({ code, signal, stderr }).toEqual({ code: 0, signal: null, stderr: '' })
  }
}

describe('processes that take the same locks', () => {
  it('two of them lose no increment', async () => {
    const file = slot.file('count')
    writeFileSync(file, '0')
    const times = 100
    await Promise.all(
      ['a', 'b'].map((name) => runChild(child('count-up'), [path, file, name, String(times)])),
    )
    expect(Number(readFileSync(file, 'utf8'))).toBe(2 * times)
    expect(await (await openLocks({ path, name: 'test' })).size()).toBe(0)
  })

  for (const count of [2, 4]) {
    it(`${count} of them never hold conflicting locks together, and all finish`, async () => {
      const names = Array.from({ length: count }, (_, index) => `p${index}`)
      await expectCleanEnds(names.map((name) => hammer(name)))
      const lines = readRecord(record)
      expect(lines).toHaveLength(2 * count * LANES * ROUNDS)
      expect(findOverlaps(lines)).toEqual([])
      expect(await (await openLocks({ path, name: 'test' })).size()).toBe(0)
    })
  }

  it('continue after one is killed, and never hold them together', async () => {
    const doomed = hammer('doomed', 100_000)
    const others = ['p1', 'p2', 'p3'].map((name) => hammer(name))
    await until(() => readRecord(record).filter(({ name }) => name === 'doomed').length > 20)
    doomed.kill('SIGKILL')
    await expectCleanEnds(others)
    const lines = readRecord(record)
    expect(lines.filter(({ name }) => name !== 'doomed')).toHaveLength(2 * 3 * LANES * ROUNDS)
    expect(findOverlaps(lines)).toEqual([])
  })

  it('write among constant readers: a writer gets its turns', async () => {
    const readers = ['r1', 'r2', 'r3'].map((name) => startChild(child('read-on'), [path, record, name]))
    for (const each of readers) await each.said('reads')
    const TURNS = 5
    await runChild(child('write-some'), [path, record, 'w', String(TURNS)])
    for (const each of readers) each.say('stop')
    await expectCleanEnds(readers)
    const lines = readRecord(record)
    expect(findOverlaps(lines)).toEqual([])
    expect(lines.filter(({ at, name }) => at === 'in' && name === 'w')).toHaveLength(TURNS)
    expect(new Set(lines.map(({ name }) => name)).size).toBe(4)
  })
})

describe('a process that is killed', () => {
  const once = (name: string, mode = 'exclusive'): Child =>
    startChild(child('take-once'), [path, name, 'path:/work', mode])

  it('releases its locks to waiting processes', async () => {
    const look = await openLocks({ path, name: 'test' })
    const holder = once('holder')
    await holder.said('held')
    const waiter = once('waiter')
    await until(async () => (await look.states()).includes('waiting inv_waiter_0'))
    holder.kill('SIGKILL')
    await waiter.said('held')
    waiter.say('release')
    await expectCleanEnds([waiter])
    expect(await look.size()).toBe(0)
  })

  it('while it waits does not block those behind it', async () => {
    const look = await openLocks({ path, name: 'test' })
    const holder = once('holder', 'shared')
    await holder.said('held')
    const writer = once('writer')
    await until(async () => (await look.size()) === 2)
    const reader = once('reader', 'shared')
    await until(async () => (await look.size()) === 3)
    writer.kill('SIGKILL')
    await reader.said('held')
    for (const each of [holder, reader]) each.say('release')
    await expectCleanEnds([holder, reader])
    expect(await look.size()).toBe(0)
  })

  it('a process that is only stopped keeps its locks', async () => {
    const look = await openLocks({ path, name: 'test' })
    const holder = once('holder')
    await holder.said('held')
    holder.kill('SIGSTOP')
    const waiter = once('waiter')
    await until(async () => (await look.states()).includes('waiting inv_waiter_0'))
    // Longer than the interval in which waiting processes look for dead owners.
    await new Promise((resolve) => setTimeout(resolve, 1_200))
    expect(await look.states()).toEqual(['held inv_holder_0', 'waiting inv_waiter_0'])
    holder.kill('SIGCONT')
    holder.say('release')
    await waiter.said('held')
    waiter.say('release')
    await expectCleanEnds([holder, waiter])
  })
})
