import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join, sep } from 'node:path'
import { fileBlobs } from '../../../src/storage/blobs/files/file-blobs.js'
import type { BlobStore } from '../../../src/storage/blobs/blob-store.js'
import { openTemporaryFolder, type TemporaryFolder } from '../../temporary-folder.js'
import { bytesOf, codeOf, collect, digestOf, storeBytes } from './blob-bytes.js'
import { blobStoreContract } from '../../contracts/blob-store-contract.js'

let place: TemporaryFolder

blobStoreContract('files', {
  make: () => {
    place = openTemporaryFolder()
    return fileBlobs({ path: place.file('deep/blobs') })
  },
  remove: () => place.remove(),
})

describe('blobs in files', () => {
  let store: BlobStore
  let root: string
  let umask: number

  beforeEach(async () => {
    umask = process.umask()
    place = openTemporaryFolder()
    root = place.file('blobs')
    store = fileBlobs({ path: root })
    await store.open()
  })

  afterEach(async () => {
    process.umask(umask)
    await store.close()
    place.remove()
  })

  const entries = (): string[] => readdirSync(root, { recursive: true, encoding: 'utf8' }).toSorted()
  const pathOf = (digest: string, tenant = 't-t'): string =>
    join(root, tenant, digest.slice(7, 9), digest.slice(7))

  it.each(['000', '022', '777'])('are readable by their owner alone, under the umask %s', async (mask) => {
    await store.close()
    root = place.file(`masked-${mask}`)
    store = fileBlobs({ path: root })
    process.umask(Number.parseInt(mask, 8))
    await store.open()
    const writer = await store.create('t')
    await writer.write(Buffer.from('abc'))
    const incoming = readdirSync(join(root, 'incoming')).map((name) => join('incoming', name))
    expect(incoming).toHaveLength(1)
    expect(statSync(join(root, incoming[0]!)).mode & 0o7777).toBe(0o600)
    await writer.commit()
    await storeBytes(store, 'An odd tenant', 'abc')
    expect(statSync(root).mode & 0o7777).toBe(0o700)
    for (const entry of entries()) {
      const stat = statSync(join(root, entry))
      expect([entry, stat.mode & 0o7777]).toEqual([entry, stat.isDirectory() ? 0o700 : 0o600])
    }
  })

  it('have a path that follows from the digest', async () => {
    const { digest } = await storeBytes(store, 't', 'abc')
    expect(existsSync(pathOf(digest))).toBe(true)
    expect(await store.localPath!('t', digest)).toBe(pathOf(digest))
    expect(entries()).toEqual(
      ['incoming', 'leaving', 't-t', `t-t${sep}ba`, `t-t${sep}ba${sep}${digest.slice(7)}`].toSorted(),
    )
  })

  it('that were changed fail at the end of a whole read, and are repaired by storing them again', async () => {
    const bytes = bytesOf(1, 1_500_000)
    const { digest } = await storeBytes(store, 't', bytes)
    truncateSync(pathOf(digest), 1_000_000)
    expect(await codeOf(collect(store.read('t', digest, { verify: true })))).toBe('toolcrib.blob_corrupt')
    expect(await collect(store.read('t', digest, { start: 999_990, verify: true }))).toHaveLength(10)
    await storeBytes(store, 't', bytes)
    expect((await collect(store.read('t', digest, { verify: true }))).equals(bytes)).toBe(true)
    expect(await store.usage('t')).toEqual({ bytes: bytes.length, count: 1 })
  })

  it('are not read through a link in their place', async () => {
    const { digest } = await storeBytes(store, 't', 'abc')
    const secret = place.file('secret')
    writeFileSync(secret, 'secret')
    renameSync(pathOf(digest), place.file('moved'))
    symlinkSync(secret, pathOf(digest))
    expect(await codeOf(collect(store.read('t', digest)))).toBe('toolcrib.blob_corrupt')
    expect(await store.stat('t', digest)).toBeUndefined()
    expect(await store.localPath!('t', digest)).toBeUndefined()
    await storeBytes(store, 't', 'abc')
    expect((await collect(store.read('t', digest))).toString()).toBe('abc')
    expect(statSync(secret).size).toBe(6)
  })

  it.each(['t-t', `t-t${sep}ba`])('are neither read nor written through a link at %s', async (folder) => {
    const { digest } = await storeBytes(store, 't', 'abc')
    const elsewhere = place.file('elsewhere')
    renameSync(join(root, folder), elsewhere)
    symlinkSync(elsewhere, join(root, folder))
    const before = readdirSync(elsewhere, { recursive: true })
    expect(await codeOf(collect(store.read('t', digest)))).toBe('toolcrib.blobs_failed')
    expect(await codeOf(store.stat('t', digest))).toBe('toolcrib.blobs_failed')
    expect(await codeOf(store.remove('t', digest))).toBe('toolcrib.blobs_failed')
    expect(await codeOf(storeBytes(store, 't', 'abc'))).toBe('toolcrib.blobs_failed')
    expect(readdirSync(elsewhere, { recursive: true })).toEqual(before)
    expect(readdirSync(join(root, 'incoming'))).toEqual([])
  })

  it.skipIf(process.platform === 'win32')('do not make a reader wait for a pipe in their place', async () => {
    const digest = digestOf(Buffer.from('abc'))
    mkdirSync(join(root, 't-t', 'ba'), { recursive: true })
    execFileSync('mkfifo', [pathOf(digest)])
    expect(await codeOf(collect(store.read('t', digest)))).toBe('toolcrib.blob_corrupt')
  })

  it('of running writers stay when the folder is opened, those of dead writers are removed', async () => {
    const bytes = bytesOf(2, 3_000_000)
    const writer = await store.create('t')
    await writer.write(bytes.subarray(0, 2_000_000))
    const incoming = join(root, 'incoming')
    const [own] = readdirSync(incoming)
    const long = new Date(Date.now() - 3 * 24 * 60 * 60 * 1000)
    utimesSync(join(incoming, own!), long, long)
    const dead = own!.replace(/^([^-]+)-\d+-\d+/, '$1-999999999-1')
    const reused = own!.replace(/^([^-]+-\d+)-\d+/, '$1-1')
    const foreign = own!.replace(/^[^-]+/, '0123456789abcdef')
    const oldForeign = own!.replace(/^[^-]+/, 'fedcba9876543210')
    for (const name of [dead, reused, foreign, oldForeign]) writeFileSync(join(incoming, name), 'left')
    utimesSync(join(incoming, oldForeign), long, long)

    const second = fileBlobs({ path: root })
    await second.open()
    expect(readdirSync(incoming).toSorted()).toEqual([own!, foreign].toSorted())
    await writer.write(bytes.subarray(2_000_000))
    const { digest } = await writer.commit()
    expect((await collect(second.read('t', digest, { verify: true }))).equals(bytes)).toBe(true)
    await second.close()
  })

  it('leave no temporary file, however a writer ends', async () => {
    const aborted = await store.create('t')
    await aborted.write(bytesOf(1, 2_000_000))
    await aborted.abort()
    const left = await store.create('t')
    await left.write(bytesOf(1, 2_000_000))
    await storeBytes(store, 't', 'abc')
    await store.close()
    expect(readdirSync(join(root, 'incoming'))).toEqual([])
  })

  it('of another process are visible at once, and survive a restart', async () => {
    const second = fileBlobs({ path: root })
    await second.open()
    const { digest } = await storeBytes(store, 'Odd Tenant', 'abc')
    expect((await collect(second.read('Odd Tenant', digest))).toString()).toBe('abc')
    expect(await second.usage('Odd Tenant')).toEqual({ bytes: 3, count: 1 })
    await second.close()
  })

  it('need a folder', async () => {
    writeFileSync(place.file('file'), '')
    expect(await codeOf(fileBlobs({ path: place.file('file') }).open())).toBe('toolcrib.blobs_unreachable')
    expect(await codeOf(fileBlobs({ path: place.file('file/below') }).open())).toBe(
      'toolcrib.blobs_unreachable',
    )
  })
})
