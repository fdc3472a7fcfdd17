import { describe, expect, it } from 'vitest'
import type { BodyContent, CompiledBody } from '../../../../src/sources/http/http-operation.js'
import { buildRequest, type BuiltRequest } from '../../../../src/sources/http/request/build-request.js'
import { BASE_URL, bodyOf, failureOf, INVALID, makeBody, makeOperation } from './make-operation.js'

function build(body: CompiledBody, input: Record<string, unknown>): BuiltRequest {
  return buildRequest(makeOperation({ method: 'POST', body }), { input, baseUrl: BASE_URL })
}

describe('a JSON body', () => {
  it.each([[{ a: [1, 'ü', null] }], [[]], ['text'], [0], [false], [null]])('is %j as JSON', (value) => {
    const { body, contentType } = bodyOf({ mediaType: 'application/vnd.api+json' }, value)
    expect(JSON.parse(String(body))).toEqual(value)
    expect(contentType).toBe('application/vnd.api+json')
  })

  it('has no lone surrogates on the wire', () => {
    expect(bodyOf({}, ['\uD800']).body).toBe('["\\ud800"]')
  })
})

describe('a body that is absent', () => {
  it('is not sent where it is optional', () => {
    const body = makeBody([{}], { isRequired: false })
    expect(build(body, {})).toMatchObject({ body: undefined, contentType: undefined })
    expect(build({ ...body, field: 'toString' }, {})).toMatchObject({ body: undefined })
    const text = makeBody([{ mediaType: 'text/plain', kind: 'text' }], { isRequired: false })
    expect(build(text, { body: null })).toMatchObject({ body: undefined, contentType: undefined })
  })

  it('is refused where it is required', () => {
    expect(failureOf(() => build(makeBody([{}]), {}))).toEqual(INVALID)
  })
})

describe('the type of a body', () => {
  const contents: Partial<BodyContent>[] = [
    { mediaType: 'application/json' },
    { mediaType: 'text/plain; charset=utf-8', kind: 'text' },
    { mediaType: '*/*', kind: 'binary' },
    { mediaType: 'image/*', kind: 'binary' },
  ]
  const typed = makeBody(contents, { typeField: 'type' })
  const typeOf = (type: string | undefined, value: unknown): string | undefined =>
    build(typed, { body: value, ...(type !== undefined && { type }) }).contentType

  it('is the first, or the one that the input chooses', () => {
    expect(typeOf(undefined, 'a')).toBe('application/json')
    expect(typeOf('text/plain; charset=utf-8', 'a')).toBe('text/plain; charset=utf-8')
    expect(typeOf('TEXT/plain', 'a')).toBe('text/plain; charset=utf-8')
    expect(typeOf('image/avif', 'QQ==')).toBe('image/avif')
    expect(typeOf('font/woff2', 'QQ==')).toBe('font/woff2')
    expect(typeOf('image/*', 'QQ==')).toBe('application/octet-stream')
  })

  it('is refused where the operation does not have it', () => {
    const body = makeBody([{ mediaType: 'application/json' }, { mediaType: 'text/csv', kind: 'text' }], {
      typeField: 'type',
    })
    const failure = failureOf(() => build(body, { body: 1, type: 'text/html' }))
    expect(failure).toEqual(INVALID)
    expect(failure.message).toBe(
      '"type" must be one of the media types of the operation: application/json, text/csv.',
    )
  })

  it('is refused where it would be two lines', () => {
    expect(failureOf(() => typeOf('image/png\r\nX: y', 'QQ=='))).toEqual(INVALID)
  })

  const PNG = 'iVBORw0KGgoAAAANSUhEUg=='
  const JPEG = Buffer.from([0xff, 0xd8, 0xff, 0xe0]).toString('base64')
  const WEBP = Buffer.from('RIFF....WEBPVP8 ').toString('base64')
  it.each<[string, BodyContent['kind'], unknown, string]>([
    ['*/*', 'json', {}, 'application/json'],
    ['application/*', 'json', {}, 'application/json'],
    ['*/*', 'text', 'a', 'text/plain'],
    ['text/*', 'text', 'a', 'text/plain'],
    ['*/*', 'form', {}, 'application/x-www-form-urlencoded'],
    ['*/*', 'lines', [], 'application/x-ndjson'],
    ['*/*', 'binary', 'QQ==', 'application/octet-stream'],
    ['application/*', 'binary', PNG, 'application/octet-stream'],
    ['image/*', 'binary', PNG, 'image/png'],
    ['image/*', 'binary', JPEG, 'image/jpeg'],
    ['image/*', 'binary', 'R0lGODlhAQABAAAAACw=', 'image/gif'],
    ['image/*', 'binary', WEBP, 'image/webp'],
    ['image/*', 'binary', 'QQ==', 'application/octet-stream'],
    ['image/*', 'binary', '', 'application/octet-stream'],
  ])('%s of the kind %s is sent for %j as %s', (mediaType, kind, value, expected) => {
    expect(bodyOf({ mediaType, kind }, value).contentType).toBe(expected)
  })

  it('of a range of multipart types is a form', () => {
    const { contentType } = bodyOf({ mediaType: 'multipart/*', kind: 'multipart' }, {})
    expect(contentType).toMatch(/^multipart\/form-data; boundary=/)
  })
})

describe('a text body', () => {
  it.each([
    ['application/xml', '<a>ü</a>', 'application/xml'],
    ['text/plain', 'plain', 'text/plain'],
    ['text/plain', 'zoë', 'text/plain; charset=utf-8'],
    ['text/plain; charset="UTF-8"', 'zoë', 'text/plain; charset="UTF-8"'],
    ['text/xml; charset=iso-8859-1; x=y', 'zoë', 'text/xml; charset=utf-8; x=y'],
  ])('of %s is sent as given', (mediaType, text, expected) => {
    expect(bodyOf({ mediaType, kind: 'text' }, text)).toEqual({ body: text, contentType: expected })
  })

  it('is the text of a plain value, and refuses others', () => {
    expect(bodyOf({ mediaType: 'text/plain', kind: 'text' }, 42).body).toBe('42')
    expect(failureOf(() => bodyOf({ mediaType: 'text/plain', kind: 'text' }, { a: 1 }))).toEqual(INVALID)
  })
})

describe('a binary body', () => {
  const content: Partial<BodyContent> = { mediaType: 'application/pdf', kind: 'binary' }
  const bytes = Buffer.from([0, 255, 251, 240, 62, 63])

  it.each([
    ['with padding', '+/8='],
    ['without padding', '+/8'],
    ['of the URL alphabet', '-_8'],
    ['with line breaks', '+/\r\n8=\n'],
  ])('is Base64 %s', (_, text) => {
    expect(bodyOf(content, text)).toEqual({ body: Buffer.from([251, 255]), contentType: 'application/pdf' })
  })

  it('is bytes', () => {
    const part = new Uint8Array(bytes.buffer, bytes.byteOffset + 1, 3)
    expect(bodyOf(content, part).body).toEqual(bytes.subarray(1, 4))
    expect(bodyOf(content, '').body).toEqual(Buffer.alloc(0))
  })

  it.each([
    'a',
    'ab=',
    'a===',
    'ab=c',
    'a.b.',
    'ü===',
    'data:text/plain;base64,QQ==',
    7,
    { data: 1 },
    ['QQ=='],
  ])('refuses %j with one sentence', (value) => {
    const failure = failureOf(() => bodyOf(content, value))
    expect(failure).toEqual(INVALID)
    expect(failure.message).toBe('"body" is not valid Base64: give the bytes as Base64.')
  })
})

describe('a body of lines', () => {
  it('has a line for each item', () => {
    expect(bodyOf({ mediaType: 'application/jsonl', kind: 'lines' }, [{ a: 'x\ny' }, 2, null])).toEqual({
      body: '{"a":"x\\ny"}\n2\nnull\n',
      contentType: 'application/jsonl',
    })
    expect(bodyOf({ mediaType: 'application/x-ndjson', kind: 'lines' }, []).body).toBe('')
  })

  it.each(['application/json-seq', 'application/geo+json-seq'])(
    'starts each text of %s with its separator',
    (type) => {
      expect(bodyOf({ mediaType: type, kind: 'lines' }, [{ a: 1 }, 2]).body).toBe('\u001E{"a":1}\n\u001E2\n')
    },
  )

  it('is sent as given where it is a text, and has one line for another value', () => {
    expect(bodyOf({ mediaType: 'application/x-ndjson', kind: 'lines' }, '{}\n{}\n').body).toBe('{}\n{}\n')
    expect(bodyOf({ mediaType: 'application/x-ndjson', kind: 'lines' }, { a: 1 }).body).toBe('{"a":1}\n')
  })
})

describe('a form', () => {
  const form = (value: unknown, encoding: BodyContent['encoding'] = {}): unknown =>
    bodyOf({ mediaType: 'application/x-www-form-urlencoded', kind: 'form', encoding }, value).body

  it("is written as in the specification's example", () => {
    const id = 'f81d4fae-7dec-11d0-a765-00a0c91e6bf6'
    const address = { streetAddress: '123 Example Dr.', city: 'Somewhere', state: 'CA', zip: '99999+1234' }
    expect(form({ id, address })).toBe(
      'id=f81d4fae-7dec-11d0-a765-00a0c91e6bf6&address=%7B%22streetAddress%22%3A%22123+Example+Dr.%22%2C%22city%22%3A%22Somewhere%22%2C%22state%22%3A%22CA%22%2C%22zip%22%3A%2299999%2B1234%22%7D',
    )
    expect(form({ id }, { id: { contentType: 'application/json' } })).toBe(
      'id=%22f81d4fae-7dec-11d0-a765-00a0c91e6bf6%22',
    )
    expect(
      form({ name: 'example', icon: 'iVBO_w==' }, { icon: { contentType: 'image/png, image/jpeg' } }),
    ).toBe('name=example&icon=iVBO_w%3D%3D')
  })

  it('repeats a property for each item of a list', () => {
    expect(form({ a: [1, 'x y', null, { b: 1 }] })).toBe('a=1&a=x+y&a=%7B%22b%22%3A1%7D')
  })

  it('leaves out what has no value, and keeps empty texts', () => {
    expect(form({ a: null, b: undefined, c: [], d: '', e: 0 })).toBe('d=&e=0')
    expect(form({})).toBe('')
  })

  it('writes a property in the style of its encoding', () => {
    const value = { a: ['x y', 'z'] }
    expect(form(value, { a: { explode: true } })).toBe('a=x%20y&a=z')
    expect(form(value, { a: { style: 'form', explode: false } })).toBe('a=x%20y,z')
    expect(form(value, { a: { style: 'pipeDelimited' } })).toBe('a=x%20y%7Cz')
    expect(form(value, { a: { style: 'tabDelimited' } })).toBe('a=x%20y%09z')
    expect(form({ a: { b: { c: 1 } } }, { a: { style: 'deepObject', explode: true } })).toBe(
      'a%5Bb%5D%5Bc%5D=1',
    )
    expect(form({ a: { R: 1, G: 2 } }, { a: { style: 'form' } })).toBe('R=1&G=2')
    expect(form({ a: 'b/c&d' }, { a: { allowReserved: true } })).toBe('a=b/c%26d')
    expect(form({ a: [], b: 1 }, { a: { style: 'form' } })).toBe('b=1')
  })

  it('does not take an inherited member for an encoding', () => {
    expect(form({ constructor: 'a', toString: 'b' })).toBe('constructor=a&toString=b')
  })

  it('is sent as given where it is a text, and refuses other values', () => {
    expect(form('a=1&b=2')).toBe('a=1&b=2')
    expect(failureOf(() => form(7))).toEqual(INVALID)
  })
})
