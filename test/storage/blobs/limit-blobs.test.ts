import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fileBlobs } from '../../../src/storage/blobs/files/file-blobs.js'
import { memoryBlobs } from '../../../src/storage/blobs/memory/memory-blobs.js'
import { limitBlobs } from '../../../src/storage/blobs/limit-blobs.js'
import type { BlobStore } from '../../../src/storage/blobs/blob-store.js'
import { openTemporaryFolder, type TemporaryFolder } from '../../temporary-folder.js'
import { bytesOf, codeOf, collect, storeBytes } from './blob-bytes.js'
import { blobStoreContract } from '../../contracts/blob-store-contract.js'

blobStoreContract('limited', {
  make: () => limitBlobs(memoryBlobs(), () => ({ tenantBytes: 1e9, tenantCount: 100, blobBytes: 1e9 })),
})

describe('a quota', () => {
  let place: TemporaryFolder
  let store: BlobStore

  beforeEach(async () => {
    place = openTemporaryFolder()
    store = limitBlobs(fileBlobs({ path: place.file('blobs') }), (tenant) =>
      tenant === 'free' ? {} : { tenantBytes: 1000, tenantCount: 3, blobBytes: 600 },
    )
    await store.open()
  })

  afterEach(async () => {
    await store.close()
    place.remove()
  })

  it('applies to a single blob, and not to another tenant', async () => {
    expect(await codeOf(storeBytes(store, 't', bytesOf(1, 601), 100))).toBe('toolcrib.blob_quota')
    expect(await store.usage('t')).toEqual({ bytes: 0, count: 0 })
    expect((await storeBytes(store, 't', bytesOf(1, 600), 100)).sizeBytes).toBe(600)
    expect((await storeBytes(store, 'free', bytesOf(1, 100_000))).sizeBytes).toBe(100_000)
  })

  it('applies to all blobs of a tenant, and allows more after one was removed', async () => {
    const { digest } = await storeBytes(store, 't', bytesOf(1, 600))
    expect(await codeOf(storeBytes(store, 't', bytesOf(2, 401), 100))).toBe('toolcrib.blob_quota')
    await storeBytes(store, 't', bytesOf(3, 400), 100)
    expect(await codeOf(storeBytes(store, 't', 'x'))).toBe('toolcrib.blob_quota')
    await store.remove('t', digest)
    await storeBytes(store, 't', bytesOf(2, 401), 100)
    await storeBytes(store, 't', '')
    expect(await codeOf(storeBytes(store, 't', 'y'))).toBe('toolcrib.blob_quota')
  })

  it('counts the bytes of open writers, of all together', async () => {
    const [one, two] = [await store.create('t'), await store.create('t')]
    await one.write(bytesOf(1, 500))
    await two.write(bytesOf(2, 500))
    expect(await codeOf(one.write(bytesOf(3, 1)))).toBe('toolcrib.blob_quota')
    expect(await codeOf(one.write(bytesOf(3, 1)))).toBe('toolcrib.blob_invalid')
    expect(await codeOf(one.commit())).toBe('toolcrib.blob_invalid')
    // The bytes of the refused blob are free again.
    const three = await store.create('t')
    await three.write(bytesOf(4, 500))
    const { digest } = await two.commit()
    await three.abort()
    expect(await collect(store.read('t', digest, { verify: true }))).toHaveLength(500)
    expect(await store.usage('t')).toEqual({ bytes: 500, count: 1 })
    expect((await storeBytes(store, 't', bytesOf(5, 500))).sizeBytes).toBe(500)
  })
})
