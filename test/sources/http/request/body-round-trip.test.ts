import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { BodyContent } from '../../../../src/sources/http/http-operation.js'
import { buildRequest } from '../../../../src/sources/http/request/build-request.js'
import { BASE_URL, makeBody, makeOperation } from './make-operation.js'
import { openRecordingServer, type RecordingServer } from './recording-server.js'

let server: RecordingServer
beforeAll(async () => {
  server = await openRecordingServer()
})
afterAll(() => server.close())

/** The body that arrived, and its type. */
async function send(
  content: Partial<BodyContent>,
  value: unknown,
): Promise<{ body: Buffer; type: string | undefined }> {
  const operation = makeOperation({ method: 'PUT', path: '/things', body: makeBody([content]) })
  const built = buildRequest(operation, { input: { body: value }, baseUrl: BASE_URL })
  const { method, url, headers, body } = await server.send(built)
  expect({ method, url }).toEqual({ method: 'PUT', url: '/things' })
  expect(body).toEqual(Buffer.from(built.body ?? ''))
  expect(headers['content-type']).toBe(built.contentType)
  return { body, type: headers['content-type'] }
}

const json = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<unknown>

it('sends any JSON value so that a reader finds the same', async () => {
  await fc.assert(
    fc.asyncProperty(json, async (value) => {
      const { body } = await send({}, value)
      expect(JSON.parse(String(body))).toEqual(JSON.parse(JSON.stringify(value)))
    }),
    { numRuns: 150 },
  )
})

it.each(['application/x-ndjson', 'application/json-seq'])('sends any list as %s', async (mediaType) => {
  await fc.assert(
    fc.asyncProperty(fc.array(json, { maxLength: 5 }), async (values) => {
      const { body } = await send({ mediaType, kind: 'lines' }, values)
      const lines = String(body).split('\n')
      expect(lines.pop()).toBe('')
      const start = mediaType === 'application/json-seq' ? '\u001E' : ''
      const texts = lines.map((line) => {
        expect(line.startsWith(start)).toBe(true)
        return line.slice(start.length)
      })
      expect(texts.map((text) => JSON.parse(text))).toEqual(JSON.parse(JSON.stringify(values)))
    }),
    { numRuns: 80 },
  )
})

it('sends any form as the URL Standard writes it', async () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 15 }),
    fc.string({ unit: fc.constantFrom(..."%20&=+;~*!'()-._ \r\n\0ü🦊"), maxLength: 15 }),
  )
  const value = fc.dictionary(text, fc.oneof(text, fc.array(text, { minLength: 1, maxLength: 3 })), {
    maxKeys: 4,
  })
  await fc.assert(
    fc.asyncProperty(value, async (members) => {
      const { body, type } = await send(
        { mediaType: 'application/x-www-form-urlencoded', kind: 'form' },
        members,
      )
      const pairs = Object.entries(members).flatMap(([name, each]) =>
        [each].flat().map((item): [string, string] => [name, item]),
      )
      expect(String(body)).toBe(new URLSearchParams(pairs).toString())
      expect([...new URLSearchParams(String(body))]).toEqual(pairs)
      expect(type).toBe('application/x-www-form-urlencoded')
    }),
    { numRuns: 200 },
  )
})

it('sends any bytes unchanged', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), fc.boolean(), async (bytes, isText) => {
      const given = isText ? Buffer.from(bytes).toString('base64') : bytes
      const { body } = await send({ mediaType: 'application/octet-stream', kind: 'binary' }, given)
      expect(new Uint8Array(body)).toEqual(bytes)
    }),
    { numRuns: 80 },
  )
})

it('sends any text as UTF-8', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary' }), async (text) => {
      const { body } = await send({ mediaType: 'application/xml', kind: 'text' }, text)
      expect(body).toEqual(Buffer.from(text, 'utf8'))
    }),
    { numRuns: 80 },
  )
})
