import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { sqliteStore, toolOutput } from 'toolcrib'
import { fileBlobs, memoryBlobs } from 'toolcrib/blobs'
import { onBothStores, shownText } from '../scenarios/open-crib.js'
import { temporaryFolder } from '../temporary-folder.js'
import { give, keptIn, numbered, readAll } from './give.js'

const picture = Buffer.from(Array.from({ length: 30_000 }, (_, index) => (index * 7919) % 251))

onBothStores('images, audio and files', (newStore) => {
  it('the caller gets the data, the log a ref', async () => {
    const { crib, id, result, story, logged } = await give(
      () =>
        toolOutput({
          content: [{ type: 'image', data: picture.toString('base64'), media_type: 'image/png' }],
        }),
      { store: newStore() },
    )
    const uri = `toolcrib://invocations/${id}/blocks/0`
    const ref = { uri, media_type: 'image/png', size_bytes: 30_000, relation: 'content_block' }
    expect(result.model_facing_content).toMatchObject([
      { type: 'image', data: picture.toString('base64'), ref },
    ])
    expect(story.result!.model_facing_content).toMatchObject([{ type: 'image', ref }])
    expect(story.result!.model_facing_content![0]).not.toHaveProperty('data')
    expect(logged).not.toContain(picture.toString('base64').slice(0, 200))
    expect(story.persistence).toMatchObject({ strategy: 'inline', reason: 'parts_kept_by_reference' })
    expect(await readAll(crib, uri)).toEqual(picture)
  })

  it.each<[string, () => unknown, string, string]>([
    ['bytes', () => new Uint8Array(picture), 'file', 'application/octet-stream'],
    ['a Buffer', () => picture, 'file', 'application/octet-stream'],
    ['a Blob', () => new Blob([picture], { type: 'image/jpeg' }), 'image', 'image/jpeg'],
    [
      'a stream of Node',
      () => toolOutput({ stream: Readable.from([picture], { objectMode: false }), mediaType: 'audio/wav' }),
      'audio',
      'audio/wav',
    ],
  ])('%s become a block of their type', async (_name, execute, type, mediaType) => {
    const { crib, id, result } = await give(execute, { store: newStore() })
    expect(result.model_facing_content).toMatchObject([{ type, media_type: mediaType, size_bytes: 30_000 }])
    expect(await readAll(crib, `toolcrib://invocations/${id}/blocks/0`)).toEqual(picture)
  })

  it('small ones stay inline', async () => {
    const { result, story } = await give(() => new Uint8Array([1, 2, 3]), { store: newStore() })
    expect(result.content).toEqual([
      { type: 'file', data: 'AQID', media_type: 'application/octet-stream', size_bytes: 3 },
    ])
    expect(story.persistence).toBeUndefined()
  })

  it('of a tool that stores nothing are returned to the caller only', async () => {
    const blobs = memoryBlobs()
    const { result, logged } = await give(() => picture, {
      store: newStore(),
      blobs,
      tool: { persistence: 'never_persist' },
      results: { maxInlineChars: 100_000 },
    })
    expect(result.content).toMatchObject([{ data: picture.toString('base64') }])
    expect(logged).not.toContain(picture.toString('base64').slice(0, 200))
    expect(await keptIn(blobs)).toEqual([])
  })
})

describe('a folder for blobs that cannot be used', () => {
  /** A file is where the folder should be. */
  function broken() {
    const path = join(temporaryFolder(), 'blobs')
    writeFileSync(path, 'not a folder')
    return { store: sqliteStore({ path: join(temporaryFolder(), 'crib.db') }), blobs: fileBlobs({ path }) }
  }

  it('does not fail a call with a long result', async () => {
    const { result, story } = await give(() => numbered(5000), broken())
    expect(result).toMatchObject({ status: 'too_large', is_error: false })
    expect(story.invocation.status).toBe('succeeded')
    expect(story.persistence).toMatchObject({
      strategy: 'drop_with_reason',
      reason: expect.stringMatching(/^could_not_be_kept: ./),
      original_size_bytes: numbered(5000).length,
    })
    expect(shownText(result)).toContain('The rest was not kept.')
    expect(result).not.toHaveProperty('persisted_payload_ref')
  })

  it('does not fail a call with a stream: the tool may finish', async () => {
    let read = 0
    const { result, story } = await give(
      () =>
        Readable.from(
          (function* () {
            for (; read < 40; read++) yield 'x'.repeat(99_999) + '\n'
          })(),
          { objectMode: false },
        ),
      broken(),
    )
    expect(read).toBe(40)
    expect(result).toMatchObject({ status: 'too_large', is_error: false })
    expect(story.persistence).toMatchObject({
      strategy: 'drop_with_reason',
      reason: expect.stringMatching(/^could_not_be_kept: ./),
      original_size_bytes: 4_000_000,
    })
  })

  it('does not fail a call with an image: the caller gets it', async () => {
    const { result, story, logged } = await give(() => picture, broken())
    expect(result.status).toBe('succeeded')
    expect(result.model_facing_content).toMatchObject([{ type: 'file', data: picture.toString('base64') }])
    expect(story.persistence).toMatchObject({
      strategy: 'drop_with_reason',
      reason: expect.stringMatching(/^could_not_be_kept: ./),
    })
    expect(story.result!.content).toEqual([
      { type: 'file', media_type: 'application/octet-stream', size_bytes: 30_000 },
    ])
    expect(logged).not.toContain(picture.toString('base64').slice(0, 200))
  })

  it('does not fail a call with a short result, which needs no blobs', async () => {
    const { result } = await give(() => 'short', broken())
    expect(result.status).toBe('succeeded')
  })
})
