import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { BlobStore } from '../../src/storage/blobs/blob-store.js'
import { bytesOf, codeOf, collect, digestOf, storeBytes } from '../storage/blobs/blob-bytes.js'

const ODD_TENANTS = [
  '',
  ' ',
  '.',
  '..',
  '../t-acme',
  'incoming',
  'tenant.json',
  't-acme',
  'acme',
  'Acme',
  'ACME',
  'acme.',
  'a/b',
  'a\\b',
  'con',
  '__proto__',
  'ünï-çødé-漢字-🛠️',
  'é',
  'e\u0301',
  '\ud800',
  '\ud801',
  'line\nbreak\0nul',
  'a?prefix=b&c=%2F+',
  'x'.repeat(63),
  'x'.repeat(64),
  'x'.repeat(20_000),
]

const NO_DIGESTS = [
  '',
  'sha256:',
  `sha256:${'a'.repeat(63)}`,
  `sha256:${'A'.repeat(64)}`,
  `sha256:${'a'.repeat(64)}\n`,
  'a'.repeat(64),
  `sha256:../../../../${'a'.repeat(52)}`,
  `md5:${'a'.repeat(64)}`,
]

export interface BlobContractOptions {
  make(): BlobStore | Promise<BlobStore>
  /** The smallest difference between two times that the store can tell. */
  tickMs?: number
  remove?(): void | Promise<void>
}

/** The contract of every blob store. `make` returns a new, empty one each time; `remove` deletes its files. */
export function blobStoreContract(name: string, { make, remove, tickMs = 40 }: BlobContractOptions): void {
  describe(`the ${name} blob store`, () => {
    let store: BlobStore

    beforeEach(async () => {
      store = await make()
      await store.open()
    })

    afterEach(async () => {
      await store.close()
      await remove?.()
    })

    const listed = async (tenant?: string): Promise<string[]> => {
      const found: string[] = []
      for await (const each of store.list(tenant)) found.push(`${each.tenant} ${each.digest}`)
      return found.toSorted()
    }

    it('has a name and a location', () => {
      expect(store.name).toMatch(/./)
      expect(store.location).toMatch(/./)
    })

    it.each([0, 1, 65_535, 65_536, 65_537, 1_114_112, 20_000_000])('stores %i bytes', async (length) => {
      const bytes = bytesOf(length, length)
      const before = Date.now()
      const stat = await storeBytes(store, 't', bytes)
      expect(stat).toMatchObject({ digest: digestOf(bytes), sizeBytes: length })
      // Some stores have whole seconds only.
      expect(stat.storedAt).toBeGreaterThanOrEqual(before - 1000)
      expect(stat).toMatchObject((await store.stat('t', stat.digest))!)
      const read = await collect(store.read('t', stat.digest, { verify: true }))
      expect(read.equals(bytes)).toBe(true)
      expect(await store.usage('t')).toEqual({ bytes: length, count: 1 })
    })

    it('accepts chunks of every size, also a large one and one that is changed afterwards', async () => {
      const bytes = bytesOf(3, 5_000_000)
      const writer = await store.create('t')
      const reused = Buffer.alloc(1000)
      for (let at = 0; at < 100_000; at += 1000) {
        reused.set(bytes.subarray(at, at + 1000))
        await writer.write(reused)
      }
      await writer.write(new Uint8Array(0))
      await writer.write(bytes.subarray(100_000))
      const { digest } = await writer.commit()
      expect(digest).toBe(digestOf(bytes))
      expect((await collect(store.read('t', digest))).equals(bytes)).toBe(true)
    })

    it('keeps the order of writes that were not awaited', async () => {
      const bytes = bytesOf(4, 3_000_000)
      const writer = await store.create('t')
      const writes: Promise<void>[] = []
      for (let at = 0; at < bytes.length; at += 70_001)
        writes.push(writer.write(Buffer.from(bytes.subarray(at, at + 70_001))))
      const [{ digest }] = await Promise.all([writer.commit(), ...writes])
      expect(digest).toBe(digestOf(bytes))
    })

    describe('reading a part', () => {
      const bytes = bytesOf(5, 2_500_000)
      const size = bytes.length
      const edges = [0, 1, 65_536, 524_287, 524_288, 1_048_576, size - 1, size, size + 1, size * 2]

      it('returns exactly that part, at every edge', async () => {
        const { digest } = await storeBytes(store, 't', bytes)
        for (const start of edges) {
          expect((await collect(store.read('t', digest, { start }))).equals(bytes.subarray(start))).toBe(true)
          expect(
            (await collect(store.read('t', digest, { end: start }))).equals(bytes.subarray(0, start)),
          ).toBe(true)
          for (const end of [start, start + 1, start + 1000]) {
            const part = await collect(store.read('t', digest, { start, end }))
            expect(part.equals(bytes.subarray(start, end))).toBe(true)
          }
        }
        expect(await collect(store.read('t', digest, { start: 10, end: 5 }))).toHaveLength(0)
      })

      it('of an empty blob returns nothing', async () => {
        const { digest } = await storeBytes(store, 't', '')
        for (const range of [{}, { start: 0 }, { start: 5 }, { end: 0 }, { start: 0, end: 1 }])
          expect(await collect(store.read('t', digest, range))).toHaveLength(0)
      })

      it('refuses invalid ranges', async () => {
        const { digest } = await storeBytes(store, 't', 'abc')
        for (const range of [{ start: -1 }, { end: -1 }, { start: 0.5 }, { end: Number.NaN }])
          expect(await codeOf(collect(store.read('t', digest, range)))).toBe('toolcrib.blob_invalid')
      })

      it('can be stopped at any time', async () => {
        const { digest } = await storeBytes(store, 't', bytes)
        for await (const chunk of store.read('t', digest)) {
          expect(chunk.length).toBeGreaterThan(0)
          break
        }
        expect((await collect(store.read('t', digest))).length).toBe(size)
      })
    })

    it('stores the same bytes once, and renews their time', async () => {
      const first = await storeBytes(store, 't', 'the same')
      await new Promise((resolve) => setTimeout(resolve, tickMs + 10))
      const second = await storeBytes(store, 't', 'the same')
      expect(second.digest).toBe(first.digest)
      expect(second.storedAt).toBeGreaterThan(first.storedAt)
      expect(second).toMatchObject((await store.stat('t', first.digest))!)
      expect(await store.usage('t')).toEqual({ bytes: 8, count: 1 })
      expect(await listed('t')).toEqual([`t ${first.digest}`])
    })

    it('accepts many writers at once, of the same bytes and of others', async () => {
      const contents = Array.from({ length: 24 }, (_, n) => bytesOf(n % 6, 150_000 + (n % 6)))
      // Counted before, so that each of them changes the count.
      expect(await store.usage('t')).toEqual({ bytes: 0, count: 0 })
      const stats = await Promise.all(contents.map((bytes) => storeBytes(store, 't', bytes, 10_000)))
      expect(stats.map(({ digest }) => digest)).toEqual(contents.map(digestOf))
      for (const bytes of contents)
        expect((await collect(store.read('t', digestOf(bytes), { verify: true }))).equals(bytes)).toBe(true)
      expect(await store.usage('t')).toEqual({ bytes: 6 * 150_000 + 15, count: 6 })
    })

    it('stores nothing of an aborted blob, and nothing before the commit', async () => {
      const bytes = bytesOf(7, 2_000_000)
      const writer = await store.create('t')
      await writer.write(bytes)
      expect(await store.stat('t', digestOf(bytes))).toBeUndefined()
      expect(await listed()).toEqual([])
      await writer.abort()
      await writer.abort()
      expect(await store.stat('t', digestOf(bytes))).toBeUndefined()
      expect(await store.usage('t')).toEqual({ bytes: 0, count: 0 })
      expect(await codeOf(writer.write(bytes))).toBe('toolcrib.blob_invalid')
      expect(await codeOf(writer.commit())).toBe('toolcrib.blob_invalid')
    })

    it('accepts nothing after a commit, and a second commit returns the same', async () => {
      const writer = await store.create('t')
      await writer.write(Buffer.from('abc'))
      const stat = await writer.commit()
      expect(await writer.commit()).toEqual(stat)
      expect(await codeOf(writer.write(Buffer.from('d')))).toBe('toolcrib.blob_invalid')
      await writer.abort()
      expect((await collect(store.read('t', stat.digest))).toString()).toBe('abc')
    })

    it('fails with a code when there is no such blob', async () => {
      const digest = digestOf(Buffer.from('never stored'))
      expect(await store.stat('t', digest)).toBeUndefined()
      expect(await store.remove('t', digest)).toBe(false)
      expect(await store.localPath?.('t', digest)).toBeUndefined()
      expect(await codeOf(collect(store.read('t', digest)))).toBe('toolcrib.blob_missing')
      expect(await codeOf(collect(store.read('t', digest, { start: 1 })))).toBe('toolcrib.blob_missing')
    })

    it('refuses invalid digests', async () => {
      await storeBytes(store, 't', 'abc')
      for (const digest of NO_DIGESTS) {
        expect(await codeOf(Promise.resolve().then(() => store.stat('t', digest)))).toBe(
          'toolcrib.blob_invalid',
        )
        expect(await codeOf(collect(store.read('t', digest)))).toBe('toolcrib.blob_invalid')
        expect(await codeOf(store.remove('t', digest))).toBe('toolcrib.blob_invalid')
        if (store.localPath) expect(await codeOf(store.localPath('t', digest))).toBe('toolcrib.blob_invalid')
      }
    })

    it('refuses invalid tenants and chunks; after a wrong chunk the writer still accepts a right one', async () => {
      const tenant = undefined as unknown as string
      expect(await codeOf(store.create(tenant))).toBe('toolcrib.blob_invalid')
      expect(await codeOf(store.stat(tenant, digestOf(Buffer.from(''))))).toBe('toolcrib.blob_invalid')
      const writer = await store.create('t')
      for (const wrong of ['text', undefined, [1, 2], new ArrayBuffer(2)] as unknown[])
        expect(await codeOf(writer.write(wrong as Uint8Array))).toBe('toolcrib.blob_invalid')
      await writer.write(Buffer.from('abc'))
      expect((await writer.commit()).digest).toBe(digestOf(Buffer.from('abc')))
    })

    it('removes, counts and lists', async () => {
      const [one, two] = [await storeBytes(store, 't', 'one'), await storeBytes(store, 't', 'twoo')]
      const other = await storeBytes(store, 'u', 'one')
      expect(await listed()).toEqual([`t ${one.digest}`, `t ${two.digest}`, `u ${other.digest}`].toSorted())
      expect(await store.usage('t')).toEqual({ bytes: 7, count: 2 })
      expect(await store.remove('t', one.digest)).toBe(true)
      expect(await store.remove('t', one.digest)).toBe(false)
      expect(await store.stat('t', one.digest)).toBeUndefined()
      expect(await store.usage('t')).toEqual({ bytes: 4, count: 1 })
      expect(await listed('t')).toEqual([`t ${two.digest}`])
      expect(await listed('nobody')).toEqual([])
      expect((await collect(store.read('u', one.digest))).toString()).toBe('one')
      await storeBytes(store, 't', 'one')
      expect(await store.usage('t')).toEqual({ bytes: 7, count: 2 })
    })

    it('lists the same facts as for each blob', async () => {
      const stat = await storeBytes(store, 't', 'one')
      for await (const each of store.list()) expect({ tenant: 't', ...stat }).toMatchObject(each)
    })

    it('spares blobs that were stored since', async () => {
      const { digest, storedAt } = await storeBytes(store, 't', 'one')
      expect(await store.remove('t', digest, { ifStoredBefore: storedAt })).toBe(false)
      expect(await store.remove('t', digest, { ifStoredBefore: storedAt + 1 })).toBe(true)
    })

    it('reads a blob to its end that is removed meanwhile', async () => {
      const bytes = bytesOf(8, 4_000_000)
      const { digest } = await storeBytes(store, 't', bytes)
      const chunks: Uint8Array[] = []
      for await (const chunk of store.read('t', digest, { verify: true })) {
        if (chunks.length === 0) expect(await store.remove('t', digest)).toBe(true)
        chunks.push(chunk)
      }
      expect(Buffer.concat(chunks).equals(bytes)).toBe(true)
      expect(await store.stat('t', digest)).toBeUndefined()
    })

    it('keeps tenants of any name apart', async () => {
      for (const tenant of ODD_TENANTS) await storeBytes(store, tenant, `of ${JSON.stringify(tenant)}`)
      for (const tenant of ODD_TENANTS) {
        const bytes = Buffer.from(`of ${JSON.stringify(tenant)}`)
        expect((await collect(store.read(tenant, digestOf(bytes)))).equals(bytes)).toBe(true)
        expect(await store.usage(tenant)).toEqual({ bytes: bytes.length, count: 1 })
        expect(await listed(tenant)).toEqual([`${tenant} ${digestOf(bytes)}`])
      }
      expect(await listed()).toHaveLength(ODD_TENANTS.length)
    })

    it('returns a file with exactly these bytes, where it can', async () => {
      if (!store.localPath) return
      const { readFileSync } = await import('node:fs')
      const bytes = bytesOf(9, 700_000)
      const { digest } = await storeBytes(store, 't', bytes)
      const path = await store.localPath('t', digest)
      expect(readFileSync(path!).equals(bytes)).toBe(true)
      expect(await store.localPath('u', digest)).toBeUndefined()
    })

    it('does nothing before it is open and after it is closed; open writers are aborted', async () => {
      const { digest } = await storeBytes(store, 't', 'one')
      const writer = await store.create('t')
      await writer.write(Buffer.from('two'))
      await store.close()
      await store.close()
      const closed = 'toolcrib.blobs_closed'
      expect(await codeOf(store.create('t'))).toBe(closed)
      expect(await codeOf(store.stat('t', digest))).toBe(closed)
      expect(await codeOf(collect(store.read('t', digest)))).toBe(closed)
      expect(await codeOf(store.remove('t', digest))).toBe(closed)
      expect(await codeOf(store.usage('t'))).toBe(closed)
      expect(await codeOf(store.open())).toBe(closed)
      expect(await codeOf(writer.commit())).not.toBe('nothing failed')
    })
  })
}
