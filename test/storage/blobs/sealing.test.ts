import { describe, expect, it } from 'vitest'
import { sealBytes } from '../../../src/storage/blobs/sealing/seal-bytes.js'
import { unsealBytes } from '../../../src/storage/blobs/sealing/unseal-bytes.js'
import { bytesOf, codeOf, collect } from './blob-bytes.js'

const KEY = bytesOf(1, 32)
const FRAME = 64 * 1024
const SEALED_FRAME = FRAME + 16
const HEADER = 44

async function* inChunks(bytes: Buffer, chunkBytes = 10_000): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes)
}

const seal = (bytes: Buffer, chunkBytes?: number): Promise<Buffer> =>
  collect(sealBytes(inChunks(bytes, chunkBytes), KEY))
const unseal = (bytes: Buffer, chunkBytes?: number): Promise<Buffer> =>
  collect(unsealBytes(inChunks(bytes, chunkBytes), KEY))

describe('a sealed stream', () => {
  it.each([0, 1, FRAME - 1, FRAME, FRAME + 1, 2 * FRAME, 1_000_000])(
    'of %i bytes opens again',
    async (length) => {
      const bytes = bytesOf(length, length)
      for (const chunkBytes of [777, FRAME, 2_000_000]) {
        const sealed = await seal(bytes, chunkBytes)
        expect(sealed.length).toBe(HEADER + length + 16 * Math.max(1, Math.ceil(length / FRAME)))
        for (const opened of [await unseal(sealed, 1001), await unseal(sealed, 2_000_000)])
          expect(opened.equals(bytes)).toBe(true)
      }
    },
  )

  it('differs each time, and shows nothing of its content', async () => {
    const bytes = Buffer.alloc(200_000, 'secret ')
    const [one, two] = [await seal(bytes), await seal(bytes)]
    expect(one.subarray(5, HEADER).equals(two.subarray(5, HEADER))).toBe(false)
    expect(one.includes('secret')).toBe(false)
    expect(one.subarray(HEADER, HEADER + FRAME).equals(two.subarray(HEADER, HEADER + FRAME))).toBe(false)
    const [first, second] = [0, 1].map((n) =>
      one.subarray(HEADER + n * SEALED_FRAME, HEADER + n * SEALED_FRAME + 100),
    )
    expect(first!.equals(second!)).toBe(false)
  })

  it('decrypts with its own key only', async () => {
    const sealed = await seal(bytesOf(2, 100))
    expect(await codeOf(collect(unsealBytes(inChunks(sealed), bytesOf(9, 32))))).toBe('toolcrib.blob_sealed')
    expect(await codeOf(collect(unsealBytes(inChunks(sealed), bytesOf(1, 16))))).toBe('toolcrib.blob_invalid')
    expect(await codeOf(collect(sealBytes(inChunks(sealed), bytesOf(1, 31))))).toBe('toolcrib.blob_invalid')
  })

  const bytes = bytesOf(3, 3 * FRAME + 500)

  it('detects every changed bit', async () => {
    const sealed = await seal(bytes)
    const places = [0, 4, 5, 36, 37, 43, 44, HEADER + FRAME, HEADER + SEALED_FRAME, sealed.length - 1]
    for (const place of places) {
      const changed = Buffer.from(sealed)
      changed[place]! ^= 1
      expect(await codeOf(unseal(changed))).toBe('toolcrib.blob_sealed')
    }
  })

  it('detects truncation at any point', async () => {
    const sealed = await seal(bytes)
    const frames = [0, 1, 2, 3].map((n) => HEADER + n * SEALED_FRAME)
    for (const length of [0, 1, HEADER - 1, ...frames, frames[1]! + 5, frames[2]! - 1, sealed.length - 1])
      expect(await codeOf(unseal(sealed.subarray(0, length)))).toBe('toolcrib.blob_sealed')
  })

  it('detects frames that were swapped, repeated, omitted or taken from another stream', async () => {
    const [sealed, other] = [await seal(bytes), await seal(bytes)]
    const frame = (n: number, from = sealed): Buffer =>
      from.subarray(HEADER + n * SEALED_FRAME, HEADER + (n + 1) * SEALED_FRAME)
    const header = sealed.subarray(0, HEADER)
    for (const frames of [
      [frame(1), frame(0), frame(2), frame(3)],
      [frame(0), frame(0), frame(1), frame(2), frame(3)],
      [frame(0), frame(2), frame(3)],
      [frame(0), frame(1), frame(2), frame(3), frame(3)],
      [frame(0), frame(1, other), frame(2), frame(3)],
    ])
      expect(await codeOf(unseal(Buffer.concat([header, ...frames])))).toBe('toolcrib.blob_sealed')
    expect(await codeOf(unseal(Buffer.concat([sealed, Buffer.from('x')])))).toBe('toolcrib.blob_sealed')
  })

  it('needs memory for a few frames at any length', async () => {
    let given = 0
    let taken = 0
    let ahead = 0
    async function* endless(): AsyncGenerator<Uint8Array> {
      const chunk = Buffer.alloc(100_000)
      for (; given < 50_000_000; given += chunk.length) {
        ahead = Math.max(ahead, given - taken)
        yield chunk
      }
    }
    for await (const chunk of unsealBytes(sealBytes(endless(), KEY), KEY)) taken += chunk.length
    expect(taken).toBe(50_000_000)
    expect(ahead).toBeLessThan(500_000)
  })
})
