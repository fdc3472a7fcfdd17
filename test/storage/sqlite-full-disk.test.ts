import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createCrib, defineTool, isStoreError, sqliteStore } from 'toolcrib'
import { openTemporaryFolder, type TemporaryFolder } from '../temporary-folder.js'
import { makeCall, makeChunk, wholeLog } from './make-records.js'

function mount(folder: string): void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', folder], { stdio: 'ignore' })
}

function unmount(folder: string): void {
  execFileSync('umount', ['-l', folder], { stdio: 'ignore' })
}

function whyNoDisk(): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'only root may mount a small disk'
  const place = openTemporaryFolder()
  try {
    mount(place.path)
    unmount(place.path)
    return undefined
  } catch {
    return 'mounting is not allowed here'
  } finally {
    place.remove()
  }
}

const reason = whyNoDisk()
if (reason) console.log(`skipped: the full disk, for ${reason}`)

describe.skipIf(reason !== undefined)('a full disk', () => {
  let place: TemporaryFolder
  let disk: string
  let path: string

  beforeEach(() => {
    place = openTemporaryFolder()
    disk = place.file('disk')
    mkdirSync(disk)
    mount(disk)
    path = `${disk}/crib.db`
  })

  afterEach(() => {
    unmount(disk)
    place.remove()
  })

  /** Leaves no byte free. */
  function fill(): void {
    const { bavail, bsize } = statfsSync(disk)
    writeFileSync(`${disk}/filler`, Buffer.alloc(bavail * bsize))
  }

  function free(): void {
    rmSync(`${disk}/filler`)
  }

  it('is named by the store; a write that did not fit left nothing, and succeeds later', async () => {
    const store = sqliteStore({ path })
    await store.open()
    await store.write({ calls: [makeCall('inv_1', {}, 2)] })
    fill()
    const big = { tenant: 't1', kind: 'k', id: 'd', updatedAt: 1, value: 'x'.repeat(200_000) }
    const group = { calls: [makeCall('inv_2')], chunks: [makeChunk('s')], documents: [big] }
    let problem: unknown
    try {
      await store.write(group)
    } catch (error) {
      problem = error
    }
    expect(isStoreError(problem) && problem.code).toBe('toolcrib.store_full')
    expect((problem as Error).message).toMatch(/disk .* is full/)
    expect(await wholeLog(store)).toEqual(['inv_1#1', 'inv_1#2'])
    expect(await store.getDocument('t1', 'k', 'd')).toBeUndefined()
    free()
    await store.write(group)
    expect(await wholeLog(store)).toEqual(['inv_1#1', 'inv_1#2', 'inv_2#1', 's#1'])
    await store.sync()
    await store.close()
  })

  it('is named when a file is opened on it', async () => {
    fill()
    let problem: unknown
    try {
      await sqliteStore({ path }).open()
    } catch (error) {
      problem = error
    }
    expect(isStoreError(problem) && problem.code).toBe('toolcrib.store_full')
  })

  it('ends calls with a result that names it; pending facts are written once there is space', async () => {
    let ran = 0
    const crib = await createCrib({
      store: sqliteStore({ path }),
      decider: () => ({ behavior: 'allow' }),
      tools: [
        defineTool({
          name: 'write',
          description: 'Writes.',
          execute: () => {
            ran++
            return 'written'
          },
        }),
        defineTool({
          name: 'read',
          description: 'Reads.',
          isReadOnly: true,
          isOpenWorld: false,
          execute: () => 'x'.repeat(40_000),
        }),
      ],
    })
    const surface = await crib.surface({ scope: 'turn' })
    expect(await crib.call(surface, { name: 'write' })).toMatchObject({ status: 'succeeded' })
    fill()
    // Large results until the log of the file has no room left.
    const ids: string[] = []
    const results = []
    for (let n = 0; n < 60; n++) {
      const call = crib.call(surface, { name: n % 2 === 0 ? 'read' : 'write', nativeCallId: `n${n}` })
      ids.push(call.invocationId)
      results.push(await call)
    }
    const refused = results.filter(({ error }) => error?.error_code === 'toolcrib.store_full')
    expect(refused.length).toBeGreaterThan(0)
    for (const { status, is_error, error } of refused) {
      expect({ status, is_error }).toEqual({ status: 'failed', is_error: true })
      expect(error).toMatchObject({ error_class: 'dependency_unavailable' })
      expect(error!.message).toMatch(/did not run.*disk .* is full/)
    }
    // A caller that got "succeeded" for a writing call got the truth, recorded or not yet.
    const succeeded = results.filter(({ content }) => content?.[0]?.text === 'written')
    expect(ran).toBe(1 + succeeded.length)

    free()
    await crib.flush()
    for (const [index, id] of ids.entries()) {
      const story = await crib.story(id)
      expect(story?.invocation.native_call_id).toBe(`n${index}`)
      expect(story?.result?.status).toBe(results[index]!.status)
      expect(story?.invocation.ended_at).toBeDefined()
    }
    expect(await crib.call(surface, { name: 'write' })).toMatchObject({ status: 'succeeded' })
    const open = await crib.store.listCalls({ open: true, limit: 10 })
    expect(open.rows).toEqual([])
    await crib.close()
  })
})
