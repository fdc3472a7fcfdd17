import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { BodyContent } from '../../../../src/sources/http/http-operation.js'
import { buildRequest } from '../../../../src/sources/http/request/build-request.js'
import { BASE_URL, bodyOf, failureOf, INVALID, makeBody, makeOperation } from './make-operation.js'
import { openRecordingServer, type RecordedRequest, type RecordingServer } from './recording-server.js'

let server: RecordingServer
beforeAll(async () => {
  server = await openRecordingServer()
})
afterAll(() => server.close())

type Encodings = BodyContent['encoding']

function send(content: Partial<BodyContent>, value: unknown): Promise<RecordedRequest> {
  const operation = makeOperation({ method: 'POST', path: '/upload', body: makeBody([content]) })
  return server.send(buildRequest(operation, { input: { body: value }, baseUrl: BASE_URL }))
}

function sendForm(value: unknown, encoding: Encodings = {}): Promise<RecordedRequest> {
  return send({ mediaType: 'multipart/form-data', kind: 'multipart', encoding }, value)
}

/** The form as another implementation reads it. */
async function readForm({ headers, body }: RecordedRequest): Promise<[string, string | File][]> {
  const form = await new Response(new Uint8Array(body), {
    headers: { 'content-type': headers['content-type'] ?? '' },
  }).formData()
  return [...form]
}

interface FoundPart {
  readonly head: string[]
  readonly body: Buffer
}

/** The parts with their headers, which a form does not show. */
function splitParts({ headers, body }: Pick<RecordedRequest, 'headers' | 'body'>): FoundPart[] {
  const boundary = /boundary=([^;]+)/.exec(headers['content-type'] ?? '')?.[1]
  const text = body.toString('latin1')
  expect(text.endsWith(`--${boundary}--\r\n`)).toBe(true)
  return text
    .slice(0, -`--${boundary}--\r\n`.length)
    .split(`--${boundary}\r\n`)
    .slice(1)
    .map((part) => {
      const end = part.indexOf('\r\n\r\n')
      return {
        head: part.slice(0, end).split('\r\n'),
        body: Buffer.from(part.slice(end + 4, -2), 'latin1'),
      }
    })
}

const typesOf = (parts: readonly FoundPart[]): (string | undefined)[] =>
  parts.map(({ head }) => head.find((line) => line.startsWith('Content-Type: '))?.slice(14))

describe('a multipart form', () => {
  it('has a part for each member, with the type of its value', async () => {
    const arrived = await sendForm({
      id: 7,
      isOpen: true,
      note: 'zoë\nline',
      address: { city: 'X' },
      tags: ['a', 'b'],
      people: [{ name: 'A' }, { name: 'B' }],
      table: [[1, 2]],
      gone: null,
      none: [],
    })
    expect(await readForm(arrived)).toEqual([
      ['id', '7'],
      ['isOpen', 'true'],
      ['note', 'zoë\nline'],
      ['address', '{"city":"X"}'],
      ['tags', 'a'],
      ['tags', 'b'],
      ['people', '{"name":"A"}'],
      ['people', '{"name":"B"}'],
      ['table', '[1,2]'],
    ])
    expect(typesOf(splitParts(arrived))).toEqual([
      'text/plain',
      'text/plain',
      'text/plain; charset=utf-8',
      'application/json',
      'text/plain',
      'text/plain',
      'application/json',
      'application/json',
      'application/json',
    ])
  })

  it('has the bytes of binary members, with a file name and a type', async () => {
    const png = Buffer.from('iVBORw0KGgoAAAANSUhEUg==', 'base64')
    const encoding: Encodings = {
      plain: { isBinary: true },
      named: { isBinary: true, contentType: 'image/png, image/jpeg' },
      some: { isBinary: true, contentType: 'image/*' },
    }
    const arrived = await sendForm(
      {
        plain: 'AP/+',
        named: { data: '/w==', filename: 'naïve "1".jpg', content_type: 'image/jpeg' },
        some: [png.toString('base64'), { data: png, filename: 'b.png' }],
      },
      encoding,
    )
    const form = await readForm(arrived)
    const files = await Promise.all(
      form.map(async ([name, value]) => {
        const file = value as File
        return [name, file.name, file.type, Buffer.from(await file.arrayBuffer())]
      }),
    )
    expect(files).toEqual([
      ['plain', 'plain', 'application/octet-stream', Buffer.from([0, 255, 254])],
      ['named', 'naïve "1".jpg', 'image/jpeg', Buffer.from([255])],
      ['some', 'some', 'image/png', png],
      ['some', 'b.png', 'image/png', png],
    ])
  })

  it('has the types and the constant headers of the encoding', async () => {
    const arrived = await sendForm(
      { xml: '<a/>', text: { a: 1 }, json: 'quoted', form: { a: 'b c' }, file: 'QQ==' },
      {
        xml: { contentType: 'application/xml; charset=utf-8', headers: { 'X-Kind': 'note' } },
        text: { contentType: 'text/plain' },
        json: { contentType: 'application/json' },
        form: { contentType: 'application/x-www-form-urlencoded' },
        file: { isBinary: true, headers: { 'Content-Transfer-Encoding': 'base64', 'X-Kind': 'file' } },
      },
    )
    const parts = splitParts(arrived)
    expect(typesOf(parts)).toEqual([
      'application/xml; charset=utf-8',
      'text/plain',
      'application/json',
      'application/x-www-form-urlencoded',
      'application/octet-stream',
    ])
    expect(parts.map(({ body }) => String(body))).toEqual(['<a/>', '{"a":1}', '"quoted"', 'a=b+c', 'A'])
    expect(parts.map(({ head }) => head.slice(2))).toEqual([['X-Kind: note'], [], [], [], ['X-Kind: file']])
  })

  it('writes a member in the style of its encoding, without percent signs', async () => {
    const arrived = await sendForm(
      { list: ['a b', 'c'], deep: { x: { y: '1 2' } }, flat: { R: 1, G: 2 } },
      {
        list: { style: 'pipeDelimited' },
        deep: { style: 'deepObject', explode: true },
        flat: { style: 'form', allowReserved: true },
      },
    )
    expect(await readForm(arrived)).toEqual([
      ['list', 'a b|c'],
      ['deep[x][y]', '1 2'],
      ['R', '1'],
      ['G', '2'],
    ])
  })

  it('keeps the order of a list of members', async () => {
    expect(await readForm(await sendForm([{ b: 1 }, { a: 2 }, { b: 3 }]))).toEqual([
      ['b', '1'],
      ['a', '2'],
      ['b', '3'],
    ])
  })

  it('may be empty', async () => {
    const { body, headers } = await sendForm({})
    const [, boundary] = /boundary=(.+)$/.exec(headers['content-type'] ?? '') ?? []
    expect(String(body)).toBe(`--${boundary}--\r\n`)
  })

  it('has another boundary each time, in the place of one in the document', () => {
    const types = [1, 2].map(
      () => bodyOf({ mediaType: 'multipart/form-data; boundary="x"', kind: 'multipart' }, {}).contentType,
    )
    for (const type of types) expect(type).toMatch(/^multipart\/form-data; boundary=toolcrib-[\w-]{36}$/)
    expect(types[0]).not.toBe(types[1])
  })

  it('refuses what it cannot write', () => {
    const content = { mediaType: 'multipart/form-data', kind: 'multipart' } as const
    expect(failureOf(() => bodyOf(content, 'text'))).toEqual(INVALID)
    const binary = { ...content, encoding: { file: { isBinary: true } } }
    expect(failureOf(() => bodyOf(binary, { file: 'not Base64!' })).message).toBe(
      '"file" is not valid Base64: give the bytes as Base64.',
    )
    const xml = { ...content, encoding: { doc: { contentType: 'application/xml' } } }
    expect(failureOf(() => bodyOf(xml, { doc: { a: 1 } }))).toEqual(INVALID)
  })

  it('is read back by another implementation, with any content', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc.string({ unit: fc.constantFrom(...'"%\\;=-\r\n\0aü🦊'), maxLength: 20 }),
    )
    // A reader cannot know whether such a triple was in the name or stands for a character.
    const name = text
      .filter((each) => !/%(?:0A|0D|22)/i.test(each) && each !== '__proto__')
      // The reader removes the mark at the start of a name.
      .map((each) => each.replaceAll('\uFEFF', '_'))
    const member = fc.oneof(
      fc.record({ kind: fc.constant('text' as const), value: text }),
      fc.record({
        kind: fc.constant('file' as const),
        value: fc.uint8Array({ maxLength: 60 }),
        filename: name,
      }),
    )
    await fc.assert(
      fc.asyncProperty(fc.dictionary(name, member, { maxKeys: 4, minKeys: 1 }), async (members) => {
        const all = Object.entries(members)
        const value = Object.fromEntries(
          all.map(([key, each]) => [
            key,
            each.kind === 'text'
              ? each.value
              : { data: Buffer.from(each.value).toString('base64'), filename: each.filename },
          ]),
        )
        const encoding = Object.fromEntries(
          all.map(([key, { kind }]) => [key, { isBinary: kind === 'file' }]),
        )
        const form = await readForm(await sendForm(value, encoding))
        expect(form.map(([key]) => key)).toEqual(Object.keys(value))
        for (const [key, found] of form) {
          const sent = members[key]
          if (sent?.kind === 'file') {
            expect((found as File).name).toBe(sent.filename)
            expect(new Uint8Array(await (found as File).arrayBuffer())).toEqual(sent.value)
          } else expect(found).toBe(sent?.value)
        }
      }),
      { numRuns: 150 },
    )
  })
})

describe('another multipart type', () => {
  it('has parts without names for a list', async () => {
    const arrived = await send(
      {
        mediaType: 'multipart/mixed',
        kind: 'multipart',
        encoding: { 2: { isBinary: true, contentType: 'image/png' } },
      },
      [{ author: 'A' }, 'text', 'QQ==', null],
    )
    expect(arrived.headers['content-type']).toMatch(/^multipart\/mixed; boundary=/)
    const parts = splitParts(arrived)
    expect(parts.map(({ head }) => head)).toEqual([
      ['Content-Type: application/json'],
      ['Content-Type: text/plain'],
      ['Content-Type: image/png'],
    ])
    expect(parts.map(({ body }) => String(body))).toEqual(['{"author":"A"}', 'text', 'A'])
  })

  it('has named parts for an object, and keeps the parameters of its type', async () => {
    const arrived = await send(
      { mediaType: 'multipart/related; type="text/html"', kind: 'multipart' },
      { page: 'text' },
    )
    expect(arrived.headers['content-type']).toMatch(/^multipart\/related; type="text\/html"; boundary=/)
    expect(splitParts(arrived)[0]?.head).toEqual([
      'Content-Disposition: form-data; name="page"',
      'Content-Type: text/plain',
    ])
  })

  it('is nested where the encoding of a member says so', async () => {
    const arrived = await sendForm({ files: ['a', { b: 1 }] }, { files: { contentType: 'multipart/mixed' } })
    const [outer] = splitParts(arrived)
    const [type] = typesOf(splitParts(arrived))
    const inner = splitParts({ headers: { 'content-type': type }, body: outer?.body ?? Buffer.alloc(0) })
    expect(inner.map(({ body }) => String(body))).toEqual(['a', '{"b":1}'])
  })
})
