import { createHash } from 'node:crypto'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { sqliteStore, toolOutput } from 'toolcrib'
import { fileBlobs, memoryBlobs } from 'toolcrib/blobs'
import { createGate, onBothStores, openCrib, shownText } from '../scenarios/open-crib.js'
import { temporaryFolder } from '../temporary-folder.js'
import { give, giver, keptIn, numbered, readAll } from './give.js'

const long = numbered(200_000)
const digestOf = (data: string | Buffer) => `sha256:${createHash('sha256').update(data).digest('hex')}`

/** In chunks that end anywhere, also within a character. */
function* pieces(text: string, size = 10_007): Generator<Buffer> {
  const bytes = Buffer.from(text)
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size)
}

const nodeStream = (text: string) => Readable.from(pieces(text), { objectMode: false })
const webStream = (text: string) => Readable.toWeb(nodeStream(text)) as ReadableStream
const blob = (text: string) => new Blob([text], { type: 'text/plain' })

onBothStores('a stream', (newStore) => {
  describe.each([
    ['of Node', nodeStream],
    ['of the web', webStream],
    ['in a Blob', blob],
  ])('%s', (_kind, toStream) => {
    it('that is short is handled like its text', async () => {
      const { result, story } = await give(() => toStream('short ✓'), { store: newStore() })
      expect(result.content).toEqual([{ type: 'text', text: 'short ✓' }])
      expect(story.persistence).toBeUndefined()
    })

    it('that is a little too long is stored by reference', async () => {
      const text = numbered(5000)
      const { crib, ref, result } = await give(() => toStream(text), { store: newStore() })
      expect(result.persisted_payload_ref).toMatchObject({ uri: ref, digest: digestOf(text) })
      expect(String(await readAll(crib, ref))).toBe(text)
    })

    it('that is long is never whole in memory, and all of it is stored', async () => {
      const { crib, ref, result, story } = await give(() => toStream(long), { store: newStore() })
      expect(result).toMatchObject({
        status: 'succeeded',
        persisted_payload_ref: {
          uri: ref,
          media_type: 'text/plain',
          size_bytes: long.length,
          digest: digestOf(long),
          toolcrib: { line_count: 200_000 },
        },
      })
      expect(story.persistence).toMatchObject({ original_size_bytes: long.length })
      expect(shownText(result)).toMatch(/^line 1 of many\n/)
      expect(shownText(result)).toContain('line 200000 of many')
      expect(digestOf(await readAll(crib, ref))).toBe(digestOf(long))
    })

    it('that is empty has the marker of an empty output', async () => {
      const { result } = await give(() => toStream(''), { store: newStore() })
      expect(result).toMatchObject({ status: 'succeeded', content: [], toolcrib: { empty_output: true } })
      expect(shownText(result)).toBe('The tool finished and returned nothing.')
    })
  })

  it('inside a promise or beside other content is a stream as well', async () => {
    const { ref, result } = await give(
      async () =>
        toolOutput({
          stream: nodeStream(long),
          mediaType: 'text/csv',
          name: 'rows.csv',
          summary: 'All rows',
          partialFailure: 'One row was unreadable.',
        }),
      { store: newStore() },
    )
    expect(result).toMatchObject({
      status: 'partial_succeeded',
      summary: 'All rows',
      persisted_payload_ref: { uri: ref, media_type: 'text/csv', name: 'rows.csv' },
    })
  })

  it('of JSON is structured content where it is short, and read by pointer where it is long', async () => {
    const json = (value: unknown) =>
      toolOutput({ stream: nodeStream(JSON.stringify(value)), mediaType: 'application/json' })
    const short = await give(() => json({ a: 1 }), { store: newStore() })
    expect(short.result.structured_content).toEqual({ a: 1 })
    const rows = Array.from({ length: 100_000 }, (_, id) => ({ id, name: `row ${id}` }))
    const { crib, ref } = await give(() => json({ rows }), { store: newStore() })
    const page = await crib.read(ref, { by: 'pointer', pointer: '/rows/77777/name' })
    expect(JSON.stringify(page)).toContain('row 77777')
  })

  it('that claims to be JSON and is not stays text', async () => {
    const { result } = await give(
      () => toolOutput({ stream: nodeStream('{"half":'), mediaType: 'application/json' }),
      { store: newStore() },
    )
    expect(result.content).toEqual([{ type: 'text', text: '{"half":' }])
  })

  it('of multi-byte characters arrives unchanged', async () => {
    const text = '☃ snow 👩‍🚀 – ü\n'.repeat(100_000)
    const { crib, ref, result } = await give(() => nodeStream(text), { store: newStore() })
    expect(result.persisted_payload_ref).toMatchObject({ digest: digestOf(text) })
    expect(String(await readAll(crib, ref))).toBe(text)
    expect(shownText(result)).not.toContain('\ufffd')
  })

  it('of binary data is stored byte for byte', async () => {
    const bytes = Buffer.from(
      Array.from({ length: 2_000_003 }, (_, index) => (index * 31 + (index >> 8)) % 256),
    )
    const { crib, ref, result } = await give(() => Readable.from([bytes], { objectMode: false }), {
      store: newStore(),
    })
    expect(result.persisted_payload_ref).toMatchObject({
      media_type: 'application/octet-stream',
      digest: digestOf(bytes),
    })
    expect(shownText(result)).toContain('2,000,003 bytes')
    expect((await readAll(crib, ref)).equals(bytes)).toBe(true)
  })

  it('of objects is rejected with a sentence', async () => {
    const { result } = await give(() => Readable.from([{ a: 1 }]), { store: newStore() })
    expect(result).toMatchObject({ status: 'failed', is_error: true })
    expect(result.error!.message).toContain('a stream of object cannot be kept; give texts or bytes')
  })

  it('larger than the quota does not fail the call: the preview says why the rest was not stored', async () => {
    let read = 0
    const blobs = memoryBlobs()
    const { result, story } = await give(
      () =>
        Readable.from(
          (function* () {
            for (; read < 500; read++) yield `${read} ${'x'.repeat(9_990)}\n`
          })(),
          { objectMode: false },
        ),
      { store: newStore(), blobs, results: { maxBytes: 2_000_000 } },
    )
    expect(read).toBe(500)
    expect(result).toMatchObject({ status: 'too_large', is_error: false })
    expect(story.persistence).toMatchObject({
      strategy: 'drop_with_reason',
      reason: expect.stringMatching(/^could_not_be_kept: .*2000000 bytes/),
    })
    expect(shownText(result)).toContain('The rest was not kept.')
    expect(await keptIn(blobs)).toEqual([])
  })
})

describe('a stream that does not end regularly', () => {
  /** Yields some megabytes, then does what the test says. */
  function broken(then: () => Promise<void> | void) {
    const seen = { destroyed: false }
    const source = Readable.from(
      (async function* () {
        try {
          for (let part = 0; part < 30; part++) yield 'x'.repeat(99_999) + '\n'
          await then()
          yield 'and on'
        } finally {
          seen.destroyed = true
        }
      })(),
      { objectMode: false },
    )
    source.once('close', () => (seen.destroyed = true))
    return { source, seen }
  }

  function place() {
    const folder = temporaryFolder()
    return {
      folder,
      options: {
        store: sqliteStore({ path: join(folder, 'crib.db') }),
        blobs: fileBlobs({ path: join(folder, 'blobs') }),
      },
    }
  }

  const filesBelow = (folder: string): string[] =>
    readdirSync(join(folder, 'blobs'), { recursive: true, encoding: 'utf8' }).filter((name) =>
      statSync(join(folder, 'blobs', name)).isFile(),
    )

  it('because it fails: an error, and nothing is stored', async () => {
    const { folder, options } = place()
    const { source, seen } = broken(() => Promise.reject(new Error('the line went dead')))
    const { result, story } = await give(() => source, options)
    expect(result).toMatchObject({ status: 'failed', is_error: true })
    expect(result.error!.message).toContain('the line went dead')
    expect(story.persistence).toBeUndefined()
    expect(seen.destroyed).toBe(true)
    expect(filesBelow(folder)).toEqual([])
  })

  it('because it times out', async () => {
    const { folder, options } = place()
    const { source, seen } = broken(() => new Promise(() => {}))
    const { result } = await give(() => source, {
      ...options,
      cancelGraceMs: 2000,
      tool: { timeoutMs: 300 },
    })
    expect(result).toMatchObject({ status: 'timed_out', is_error: true })
    expect(result).not.toHaveProperty('persisted_payload_ref')
    await expect.poll(() => seen.destroyed || source.destroyed).toBe(true)
    await expect.poll(() => filesBelow(folder)).toEqual([])
  })

  it('because the call is cancelled: a partial output is not stored', async () => {
    const { folder, options } = place()
    const reached = createGate()
    const { source } = broken(() => {
      reached.open()
      return new Promise(() => {})
    })
    const crib = await openCrib({ ...options, tools: [giver(() => source)], cancelGraceMs: 2000 })
    const call = crib.call(await crib.surface({ scope: 'turn' }), { name: 'give' })
    await reached.promise
    call.cancel()
    const result = await call
    expect(result).toMatchObject({ status: 'canceled', is_error: true })
    expect(result).not.toHaveProperty('persisted_payload_ref')
    expect(source.destroyed).toBe(true)
    expect(filesBelow(folder)).toEqual([])
  })

  it('because the crib closes', async () => {
    const { folder, options } = place()
    const reached = createGate()
    const { source } = broken(() => {
      reached.open()
      return new Promise(() => {})
    })
    const crib = await openCrib({ ...options, tools: [giver(() => source)] })
    const call = crib.call(await crib.surface({ scope: 'turn' }), { name: 'give' })
    await reached.promise
    await crib.close({ graceMs: 0 })
    expect(await call).toMatchObject({ is_error: true })
    expect(source.destroyed).toBe(true)
    expect(filesBelow(folder)).toEqual([])
  })
})
