import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileBlobs } from '../../../src/storage/blobs/files/file-blobs.js'
import { openTemporaryFolder, type TemporaryFolder } from '../../temporary-folder.js'
import { endChildren, startChild } from '../run-child.js'
import { seededRandom } from '../make-records.js'
import { collect, digestOf } from './blob-bytes.js'

const writeBlobs = new URL('./children/write-blobs.mjs', import.meta.url)
const stopAfterName = new URL('./children/stop-after-name.mjs', import.meta.url)
const ROUNDS = 8

describe('blobs in files whose writers are killed', () => {
  let place: TemporaryFolder
  let root: string

  beforeEach(() => {
    place = openTemporaryFolder()
    root = place.file('blobs')
  })

  afterEach(async () => {
    await endChildren()
    place.remove()
  })

  /** Reads every stored blob to its end, and returns the digests. */
  async function readAll(): Promise<Set<string>> {
    const store = fileBlobs({ path: root })
    await store.open()
    const found = new Set<string>()
    for await (const { tenant, digest, sizeBytes } of store.list()) {
      const hash = createHash('sha256')
      let length = 0
      for await (const chunk of store.read(tenant, digest)) {
        hash.update(chunk)
        length += chunk.length
      }
      expect({ digest: `sha256:${hash.digest('hex')}`, length }).toEqual({ digest, length: sizeBytes })
      found.add(`${tenant} ${digest}`)
    }
    await store.close()
    return found
  }

  it('are complete or absent at any moment; committed blobs exist; nothing else is left', async () => {
    const random = seededRandom(20)
    const committed = new Set<string>()
    let died = 0
    for (let round = 0; round < ROUNDS; round++) {
      const tenants = ['t', round % 2 === 0 ? 't' : 'An Odd Tenant']
      const children = tenants.map((tenant) => startChild(writeBlobs, [root, tenant]))
      await Promise.all(children.map((child) => child.said('writing')))
      for (const child of children) {
        await new Promise((resolve) => setTimeout(resolve, random() * 250))
        child.kill('SIGKILL')
      }
      const ends = await Promise.all(children.map(({ end }) => end))
      ends.forEach(({ stdout, signal }, index) => {
        if (signal === 'SIGKILL') died++
        // The last line may be truncated.
        for (const line of stdout.split('\n').slice(0, -1))
          if (line.startsWith('sha256:')) committed.add(`${tenants[index]} ${line}`)
      })
    }
    expect(died).toBe(2 * ROUNDS)
    expect(committed.size).toBeGreaterThan(0)
    const found = await readAll()
    expect([...committed].filter((each) => !found.has(each))).toEqual([])
    expect(readdirSync(join(root, 'incoming'))).toEqual([])
  })

  it('are complete when the writer dies between the rename and the response', async () => {
    const { signal, stdout } = await startChild(stopAfterName, [root, 'some text']).end
    expect({ signal, stdout }).toEqual({ signal: 'SIGKILL', stdout: '' })
    expect([...(await readAll())]).toEqual([`t ${digestOf(Buffer.from('some text'))}`])
  })

  it('of running writers stay while another process opens the folder', async () => {
    const child = startChild(writeBlobs, [root, 't'])
    await child.said('sha256:')
    for (let n = 0; n < 5; n++) {
      const store = fileBlobs({ path: root })
      await store.open()
      await store.close()
    }
    const before = child.process.exitCode
    child.kill('SIGKILL')
    const { stderr } = await child.end
    expect({ before, stderr }).toEqual({ before: null, stderr: '' })
    const store = fileBlobs({ path: root })
    await store.open()
    expect(readdirSync(join(root, 'incoming'))).toEqual([])
    for await (const { tenant, digest } of store.list())
      await collect(store.read(tenant, digest, { verify: true }))
    await store.close()
  })
})
