import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fileBlobs } from '../../../src/storage/blobs/files/file-blobs.js'
import { openTemporaryFolder, type TemporaryFolder } from '../../temporary-folder.js'
import { bytesOf, codeOf, collect, storeBytes } from './blob-bytes.js'

function mount(folder: string): void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', folder], { stdio: 'ignore' })
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
if (reason) console.log(`skipped: blobs on a full disk, for ${reason}`)

describe.skipIf(reason !== undefined)('blobs on a full disk', () => {
  let place: TemporaryFolder
  let disk: string

  beforeEach(() => {
    place = openTemporaryFolder()
    disk = place.file('disk')
    mkdirSync(disk)
    mount(disk)
  })

  afterEach(() => {
    unmount(disk)
    place.remove()
  })

  it('are refused with a sentence and leave no file; smaller ones still fit', async () => {
    const store = fileBlobs({ path: join(disk, 'blobs') })
    await store.open()
    for (const length of [5_000_000, 50_000_000]) {
      expect(await codeOf(storeBytes(store, 't', bytesOf(1, length)))).toBe('toolcrib.blobs_full')
      expect(readdirSync(join(disk, 'blobs', 'incoming'))).toEqual([])
    }
    const { digest } = await storeBytes(store, 't', bytesOf(2, 3_000_000))
    expect(await collect(store.read('t', digest, { verify: true }))).toHaveLength(3_000_000)
    expect(await store.usage('t')).toEqual({ bytes: 3_000_000, count: 1 })
    await store.close()
  })
})
