import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readdirSync } from 'node:fs'
import { fileBlobs } from '../../../src/storage/blobs/files/file-blobs.js'
import type { BlobStore } from '../../../src/storage/blobs/blob-store.js'
import { openTemporaryFolder, type TemporaryFolder } from '../../temporary-folder.js'
import { endChildren, startChild } from '../run-child.js'
import { collect, storeBytes } from './blob-bytes.js'

const removeSlowly = new URL('./children/remove-slowly.mjs', import.meta.url)

describe('a folder of blobs that two processes share', () => {
  let place: TemporaryFolder
  let root: string
  let store: BlobStore

  beforeEach(async () => {
    place = openTemporaryFolder()
    root = place.file('blobs')
    store = fileBlobs({ path: root })
    await store.open()
  })

  afterEach(async () => {
    await store.close()
    await endChildren()
    place.remove()
  })

  it('a blob that is stored again while the other process removes it stays', async () => {
    const { digest, storedAt } = await storeBytes(store, 't', 'same bytes')
    const child = startChild(removeSlowly, [root, digest, String(storedAt + 1)])
    await child.said('looked')
    const again = await storeBytes(store, 't', 'same bytes')
    child.say('go on')
    expect(await child.end).toMatchObject({ code: 0, stdout: expect.stringContaining('removed false') })
    expect(again).toMatchObject((await store.stat('t', digest))!)
    expect(String(await collect(store.read('t', digest)))).toBe('same bytes')
    expect(readdirSync(`${root}/leaving`)).toEqual([])
  })

  it('it also stays if the other process dies halfway', async () => {
    const { digest, storedAt } = await storeBytes(store, 't', 'same bytes')
    const child = startChild(removeSlowly, [root, digest, String(storedAt + 1), 'die'])
    await child.said('looked')
    await storeBytes(store, 't', 'same bytes')
    child.say('go on')
    expect(await child.end).toMatchObject({ signal: 'SIGKILL' })
    const later = fileBlobs({ path: root })
    await later.open()
    expect(String(await collect(later.read('t', digest)))).toBe('same bytes')
    expect(readdirSync(`${root}/leaving`)).toEqual([])
    await later.close()
  })

  it('a blob that is not stored again is removed', async () => {
    const { digest, storedAt } = await storeBytes(store, 't', 'same bytes')
    const child = startChild(removeSlowly, [root, digest, String(storedAt + 1)])
    await child.said('looked')
    child.say('go on')
    expect(await child.end).toMatchObject({ stdout: expect.stringContaining('removed true') })
    expect(await store.stat('t', digest)).toBeUndefined()
  })

  it('only the first commit of bytes is new, and every other is later', async () => {
    const other = fileBlobs({ path: root })
    await other.open()
    const all = await Promise.all([store, other, store, other].map((each) => storeBytes(each, 't', 'same')))
    expect(all.filter(({ isNew }) => isNew)).toHaveLength(1)
    expect(new Set(all.map(({ storedAt }) => storedAt)).size).toBeGreaterThan(1)
    await other.close()
  })
})
