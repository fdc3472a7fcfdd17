import { createHash } from 'node:crypto'
import { memoryBlobs, type BlobStore } from 'toolcrib'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../temporary-folder.js'
import { until } from '../../until.js'
import { bare, documentOf, openTools, writeDocument } from './open-tools.js'
import { startApi, type Answer } from './start-api.js'

const DOCUMENT = documentOf({ '/thing': { get: bare('getThing'), post: bare('postThing') } })
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const MEGABYTE = 1024 * 1024

async function open(answer: Answer, settings: object = {}, options: object = {}) {
  const api = await startApi(answer)
  const document = writeDocument(DOCUMENT)
  return { api, ...(await openTools({ document, server: api.url, ...settings }, options)) }
}

const answering =
  (body: string | Buffer, headers: Record<string, string> = {}, status = 200): Answer =>
  (_, response) =>
    void response.writeHead(status, headers).end(body)

/** Sends this many megabytes, as fast as they are read. */
function streaming(megabytes: number, headers: Record<string, string> = {}, sent = { megabytes: 0 }): Answer {
  return async (_, response) => {
    sent.megabytes = 0
    response.writeHead(200, { 'content-type': 'application/octet-stream', ...headers })
    for (; sent.megabytes < megabytes && !response.destroyed; sent.megabytes++)
      await new Promise((resolve) => response.write(megabyteOf(sent.megabytes), resolve))
    response.end()
    return undefined
  }
}

const megabyteOf = (number: number): Buffer => Buffer.alloc(MEGABYTE, 65 + (number % 26))

describe('an answer', () => {
  it.each([
    ['application/json', '{"a":1}', { a: 1 }],
    ['application/json; charset=utf-8', '[1,2]', [1, 2]],
    ['application/hal+json', '{"a":1}', { a: 1 }],
    ['application/json', '7', 7],
    ['application/json', 'false', false],
    ['application/json', '\uFEFF{"a":1}', { a: 1 }],
    ['', '{"a":1}', { a: 1 }],
    ['application/octet-stream', '{"a":1}', { a: 1 }],
  ])('of the type %j with %s is data', async (type, body, value) => {
    const { call } = await open(answering(body, type === '' ? {} : { 'content-type': type }))
    expect((await call('getThing')).structured_content).toEqual(value)
  })

  it.each([
    ['text/plain', Buffer.from('Grüße'), 'Grüße'],
    ['text/plain; charset=iso-8859-1', Buffer.from('Grüße', 'latin1'), 'Grüße'],
    ['application/xml', Buffer.from('<a/>'), '<a/>'],
    ['application/json', Buffer.from('{"a":'), '{"a":'],
    ['application/json', Buffer.from('"text"'), '"text"'],
    ['application/x-ndjson', Buffer.from('{"a":1}\n{"a":2}\n'), '{"a":1}\n{"a":2}\n'],
    ['application/json-seq', Buffer.from('\x1e{"a":1}\n'), '\x1e{"a":1}\n'],
  ])('of the type %j is text', async (type, body, text) => {
    const { call } = await open(answering(body, { 'content-type': type }))
    const result = await call('getThing')
    expect(result.content).toEqual([{ type: 'text', text }])
    expect(result).not.toHaveProperty('structured_content')
  })

  it.each([
    ['{ "id": 12345678901234567890 }', '{ "id": 12345678901234567890 }'],
    ['[ -9007199254740993 ]', '[ -9007199254740993 ]'],
    ['9007199254740993', '9007199254740993'],
    ['{ "a": [null, { "b": 9007199254740993 }] }', '{ "a": [null, { "b": 9007199254740993 }] }'],
    ['{ "id": 9007199254740991 }', '{"id":9007199254740991}'],
    ['{ "id": "12345678901234567890" }', '{"id":"12345678901234567890"}'],
  ])('keeps all digits of %s in its text', async (body, text) => {
    const { call } = await open(answering(body, { 'content-type': 'application/json' }))
    const result = await call('getThing')
    expect(result.model_facing_content).toEqual([{ type: 'text', text }])
    expect(result.structured_content).toEqual(JSON.parse(body))
  })

  it.each([
    ['image/png', 'image'],
    ['audio/mpeg', 'audio'],
    ['video/mp4', 'video'],
    ['application/pdf', 'file'],
    ['application/octet-stream', 'file'],
  ])('of the type %s is a block of the type %s', async (mediaType, type) => {
    const headers = { 'content-type': mediaType, 'content-disposition': 'attachment; filename="../../a.bin"' }
    const { call } = await open(answering(PNG, headers))
    const { model_facing_content: shown } = await call('getThing')
    expect(shown).toMatchObject([
      { type, media_type: mediaType, name: 'a.bin', size_bytes: PNG.length, data: PNG.toString('base64') },
    ])
  })

  it('without content is a success', async () => {
    const { call } = await open(answering('', {}, 204))
    expect(await call('getThing')).toMatchObject({
      status: 'succeeded',
      toolcrib: { empty_output: true, native: { status: 204 } },
    })
  })

  it('that nothing has changed is a success', async () => {
    const { call } = await open(answering('', { etag: '"1"' }, 304))
    expect(await call('getThing')).toMatchObject({
      status: 'succeeded',
      toolcrib: { native: { status: 304 } },
    })
  })
})

describe('a long answer', () => {
  it('of 20 MB ends as a ref, and is read back page by page', async () => {
    const store = `${temporaryFolder()}/crib.db`
    const answer = streaming(20, { 'content-type': 'text/plain', 'x-request-id': 'req-20' })
    const { call, crib } = await open(answer, {}, { store })
    const { persisted_payload_ref: ref, toolcrib, status } = await call('getThing')
    expect(status).toBe('succeeded')
    const hash = createHash('sha256')
    for (let number = 0; number < 20; number++) hash.update(megabyteOf(number))
    expect(ref).toMatchObject({ size_bytes: 20 * MEGABYTE, digest: `sha256:${hash.digest('hex')}` })
    expect(toolcrib!['native']).toMatchObject({ status: 200, request_id: 'req-20' })
    const page = await crib.read(ref!, { by: 'bytes', offset: 19 * MEGABYTE, length: 3 })
    expect(page).toMatchObject({ offset: 19 * MEGABYTE, text: expect.stringContaining('TTT') })
  })

  it('is read no faster than it is stored', async () => {
    let release = (): void => {}
    const released = new Promise<void>((resolve) => (release = resolve))
    const blobs: BlobStore = memoryBlobs()
    const create = blobs.create.bind(blobs)
    blobs.create = async (tenant) => {
      const writer = await create(tenant)
      return {
        ...writer,
        commit: () => writer.commit(),
        abort: () => writer.abort(),
        write: (chunk) => released.then(() => writer.write(chunk)),
      }
    }
    const sent = { megabytes: 0 }
    const { call } = await open(streaming(64, {}, sent), {}, { blobs })
    const called = call('getThing')
    let before = -1
    await until(() => {
      const isStill = sent.megabytes > 0 && sent.megabytes === before
      before = sent.megabytes
      return isStill
    }, 'the API has to wait')
    // What is on the way: the buffers of both ends of the connection, and one part of the answer.
    expect(sent.megabytes).toBeLessThan(32)
    release()
    expect((await called).persisted_payload_ref?.size_bytes).toBe(64 * MEGABYTE)
  })

  it('beyond the limit is refused, whether the API says its length or not', async () => {
    const announced = await open(answering(Buffer.alloc(2_000), { 'content-type': 'text/plain' }), {
      maxResponseBytes: 1_000,
    })
    const whole = await announced.call('getThing')
    expect(whole.error).toMatchObject({
      error_class: 'execution_failed',
      error_code: 'toolcrib.answer_too_large',
      message:
        'The answer of the API "shop" is not read: it answered with more than 1000 bytes; the call may have run. "maxResponseBytes" of the API sets the limit.',
    })
    expect(announced.api.requests).toHaveLength(1)
    const streamed = await open(streaming(12), { maxResponseBytes: 6 * MEGABYTE })
    const { error, toolcrib, persisted_payload_ref: ref } = await streamed.call('getThing')
    expect(error).toMatchObject({ error_code: 'toolcrib.answer_too_large' })
    expect({ ref, toolcrib }).not.toHaveProperty('ref.uri')
    expect(streamed.api.requests).toHaveLength(1)
  })

  it('that breaks off is a failure', async () => {
    const { call, api } = await open(async (_, response) => {
      response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': 12 * MEGABYTE })
      for (let number = 0; number < 6; number++)
        await new Promise((resolve) => response.write(megabyteOf(number), resolve))
      response.destroy()
      return undefined
    })
    const { error } = await call('getThing', {}, { retries: 0 })
    expect(error).toMatchObject({ error_class: 'dependency_unavailable', error_code: 'toolcrib.server_lost' })
    expect(error?.toolcrib).toMatchObject({
      retry: { safe: true },
      native: { operation_id: 'getThing', status: 200 },
    })
    const posted = await call('postThing')
    expect(posted.error).toMatchObject({
      error_class: 'execution_failed',
      toolcrib: { retry: { safe: false } },
    })
    expect(api.requests).toHaveLength(2)
  })
})
