import { expect, it } from 'vitest'
import { toolOutput } from 'toolcrib'
import { memoryBlobs } from 'toolcrib/blobs'
import { onBothStores } from '../scenarios/open-crib.js'
import { give, keptIn, readAll } from './give.js'

const KEY = ['ghp', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('_')
const words = `${'filler line of words\n'.repeat(400)}token=${KEY}\nend???>>>~~~\n`
const bytes = Buffer.from(words)
const inLines = bytes.toString('base64').replaceAll(/(.{76})/g, '$1\r\n')

onBothStores('secrets behind accessors', (newStore) => {
  it.each([
    ['a number', 1],
    ['a text', 'nothing'],
  ])('that give %s when they are read first', async (_first, harmless) => {
    let reads = 0
    const shifty = {
      get value() {
        return reads++ === 0 ? harmless : `token=${KEY}`
      },
    }
    const { result, logged } = await give(() => shifty, { store: newStore() })
    expect(result.structured_content).toEqual(JSON.parse(result.content![0]!.text!))
    expect(JSON.stringify([result, logged])).not.toContain(KEY)
  })
})

onBothStores('secrets in the bytes of blocks', (newStore) => {
  it.each<[string, string, string | undefined]>([
    ['plain base64', bytes.toString('base64'), 'text/plain'],
    ['base64 in lines', inLines, 'text/plain'],
    ['base64 for addresses', bytes.toString('base64url'), 'text/plain'],
    ['a data address', `data:text/plain;base64,${bytes.toString('base64')}`, 'text/plain'],
    ['base64 without a media type', bytes.toString('base64'), undefined],
    ['base64 in lines without a media type', inLines, undefined],
    ['a text that is called a picture', bytes.toString('base64'), 'image/png'],
  ])('%s', async (_name, data, mediaType) => {
    const block = { type: 'file' as const, data, ...(mediaType && { media_type: mediaType }) }
    const blobs = memoryBlobs()
    const { crib, id, result } = await give(() => toolOutput({ content: [block] }), {
      store: newStore(),
      blobs,
    })
    expect(result.content![0]).toMatchObject({ redaction_state: 'partially_redacted' })
    const kept = await readAll(crib, `toolcrib://invocations/${id}/blocks/0`)
    expect(kept.toString()).toBe(words.replace(KEY, '[redacted]'))
    for (const { digest } of await keptIn(blobs))
      for await (const chunk of blobs.read('default', digest))
        expect(Buffer.from(chunk).toString()).not.toContain(KEY)
    expect(Buffer.from(result.model_facing_content![0]!.data!, 'base64')).toEqual(kept)
  })

  it.each([words, `token=${KEY}`])('in a Buffer of %#', async (text) => {
    const { result, logged } = await give(() => Buffer.from(text), { store: newStore() })
    const given = Buffer.from(result.model_facing_content![0]!.data!, 'base64').toString()
    expect(given).toBe(text.replace(KEY, '[redacted]'))
    expect(logged).not.toContain(Buffer.from(`token=${KEY}`).toString('base64').slice(0, 40))
  })

  it.each([KEY, `the key is ${KEY}`])('in a text where bytes belong: %#', async (data) => {
    const { result, logged } = await give(() => toolOutput({ content: [{ type: 'file', data }] }), {
      store: newStore(),
    })
    const given = Buffer.from(result.content![0]!.data!, 'base64').toString()
    expect(given).toBe(data.replace(KEY, '[redacted]'))
    expect(logged).not.toContain(KEY)
  })

  it('bytes without secrets are unchanged, in any encoding', async () => {
    const clean = Buffer.from(Array.from({ length: 9000 }, (_, index) => (index * 7919) % 251))
    const data = clean.toString('base64url').replaceAll(/(.{60})/g, '$1\n')
    const { crib, id, result } = await give(
      () => toolOutput({ content: [{ type: 'image', data, media_type: 'image/png' }] }),
      { store: newStore() },
    )
    expect(result.content![0]).not.toHaveProperty('redaction_state')
    expect(result.redaction_state ?? 'none').toBe('none')
    expect(await readAll(crib, `toolcrib://invocations/${id}/blocks/0`)).toEqual(clean)
    expect(result.model_facing_content![0]!.data).toBe(clean.toString('base64'))
  })
})
