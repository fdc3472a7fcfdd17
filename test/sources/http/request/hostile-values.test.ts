import { describe, expect, it } from 'vitest'
import { buildRequest } from '../../../../src/sources/http/request/build-request.js'
import {
  BASE_URL,
  bodyOf,
  failureOf,
  INVALID,
  makeOperation,
  makeParameter,
  requestOf,
  writtenOf,
} from './make-operation.js'

const sentences = /^[^\n]*[.:][^\n]*$/

describe('a value in a path', () => {
  it.each([
    ['a/b', 'a%2Fb'],
    ['/etc/passwd', '%2Fetc%2Fpasswd'],
    ['a?b', 'a%3Fb'],
    ['a#b', 'a%23b'],
    ['a\\b', 'a%5Cb'],
    ['%2e%2e', '%252e%252e'],
    ['%2f', '%252f'],
    ['a\0b', 'a%00b'],
    ['a\r\nHost: evil', 'a%0D%0AHost%3A%20evil'],
    ['\uD800', '%EF%BF%BD'],
    ['a\uDFFFb', 'a%EF%BF%BDb'],
    ['...', '...'],
    ['.a', '.a'],
    ['a..b', 'a..b'],
    ['.git', '.git'],
    ['../', undefined],
    ['..', undefined],
    ['.', undefined],
    ['../../admin', undefined],
    ['a/../../admin', undefined],
    ['..\\admin', undefined],
    ['a/..', undefined],
  ])('%j becomes %s', (value, expected) => {
    const written = (): string | undefined => writtenOf(makeParameter({ in: 'path' }), value)
    if (expected !== undefined) return expect(written()).toBe(expected)
    expect(failureOf(written)).toEqual(INVALID)
    expect(failureOf(written).message).toMatch(sentences)
  })

  it.each(['..', '.', '%2e', '%2E%2e', '.%2e', '..%2fadmin', '%2e%2e%5Cadmin', '..;x', '.;', 'a%2F..%2Fb'])(
    '%j is refused where reserved characters and triples are kept',
    (value) => {
      expect(failureOf(() => writtenOf(makeParameter({ in: 'path', allowReserved: true }), value))).toEqual(
        INVALID,
      )
    },
  )

  it.each([
    ['label', ''],
    ['label', '.'],
    ['label', ['', '']],
  ] as const)('is refused where the style %s makes %j to a segment of dots', (style, value) => {
    const parameter = makeParameter({ in: 'path', style, explode: true })
    expect(failureOf(() => writtenOf(parameter, value))).toEqual(INVALID)
  })

  it('is refused where two values together are a segment of dots', () => {
    const parameters = ['a', 'b'].map((name) => makeParameter({ in: 'path', name }))
    const operation = makeOperation({ path: '/x/{a}{b}', parameters })
    const failure = failureOf(() => buildRequest(operation, { input: { a: '.', b: '.' }, baseUrl: BASE_URL }))
    expect(failure.message).toContain('"a" with "b"')
  })

  it.each([
    ['DELETE', '/pets/{color}', undefined],
    ['PUT', '/pets/{color}', undefined],
    ['GET', '/pets/{color}/toys', undefined],
    ['GET', '/contents/{color}', '/contents/'],
    ['HEAD', '/contents/{color}', '/contents/'],
    ['DELETE', '/pets/{color}.json', '/pets/.json'],
  ])('that is empty, %s %s', (method, path, expected) => {
    const operation = makeOperation({ method, path, parameters: [makeParameter({ in: 'path' })] })
    for (const value of ['', [], {}, null]) {
      const build = (): string => buildRequest(operation, { input: { color: value }, baseUrl: BASE_URL }).url
      if (expected === undefined) expect(failureOf(build)).toEqual(INVALID)
      else expect(build()).toBe(expected)
    }
  })

  it('that is absent is named', () => {
    const failure = failureOf(() => requestOf(makeParameter({ in: 'path' }), undefined))
    expect(failure).toEqual(INVALID)
    expect(failure.message).toBe('The path parameter "color" is missing: give it a value.')
  })
})

describe('a value in a query', () => {
  it.each([
    ['a&admin=true', 'color=a%26admin%3Dtrue'],
    ['a#b', 'color=a%23b'],
    ['a\r\nb', 'color=a%0D%0Ab'],
    ['\uD800', 'color=%EF%BF%BD'],
  ])('%j stays one value', (value, expected) => {
    expect(writtenOf(makeParameter({ in: 'query' }), value)).toBe(expected)
  })

  it('stays one value where reserved characters are kept', () => {
    const parameter = makeParameter({ in: 'query', allowReserved: true })
    expect(writtenOf(parameter, 'a&admin=true#x+y')).toBe('color=a%26admin%3Dtrue%23x%2By')
  })

  it('has names that stay names', () => {
    expect(writtenOf(makeParameter({ in: 'query' }), { 'a&b=c': 1 })).toBe('a%26b%3Dc=1')
    expect(writtenOf(makeParameter({ in: 'query', style: 'deepObject' }), { 'a][b&': 1 })).toBe(
      'color%5Ba%5D%5Bb%26%5D=1',
    )
  })
})

describe('a header', () => {
  it.each(['a\r\nX-Admin: 1', 'a\nb', 'a\rb', 'a\0b', 'a\u007Fb', '日本', '🦊', '\uD800'])(
    'refuses %j and does not repeat it',
    (value) => {
      const failure = failureOf(() => requestOf(makeParameter({ in: 'header', name: 'X-Color' }), value))
      expect(failure).toEqual(INVALID)
      expect(failure.message).toMatch(sentences)
      expect(failure.message).not.toContain(value)
    },
  )

  it('refuses such characters in items and names too', () => {
    const parameter = makeParameter({ in: 'header', name: 'X-Color', explode: true })
    expect(failureOf(() => requestOf(parameter, ['a', 'b\n']))).toEqual(INVALID)
    expect(failureOf(() => requestOf(parameter, { 'a\n': 'b' }))).toEqual(INVALID)
  })

  it.each([
    'Accept',
    'Content-Type',
    'Authorization',
    'Cookie',
    'Host',
    'Content-Length',
    'Transfer-Encoding',
    'Connection',
    'Upgrade',
    'TE',
    'Trailer',
    'Keep-Alive',
    'Proxy-Authorization',
    'proxy-connection',
    'Expect',
  ])('%s is never set by a parameter', (name) => {
    for (const spelled of [name, name.toLowerCase(), name.toUpperCase()])
      expect(requestOf(makeParameter({ in: 'header', name: spelled }), 'x').headers).toEqual({})
  })

  it.each(['X-Content-Type', 'Accept-Language', 'X-Host'])('%s is an ordinary parameter', (name) => {
    expect(requestOf(makeParameter({ in: 'header', name }), 'x').headers).toEqual({
      [name.toLowerCase()]: 'x',
    })
  })

  it.each(['X Color', 'X-Color:', 'X\nColor', ''])('of the name %j is refused', (name) => {
    expect(failureOf(() => requestOf(makeParameter({ in: 'header', name }), 'x'))).toEqual(INVALID)
  })
})

describe('a cookie', () => {
  it.each(['qz; admin=1', 'qz\r\nX: y', 'qz\0', 'ü', ' qz', 'qz '])(
    'refuses %j where it is sent as given',
    (value) => {
      for (const parameter of [
        makeParameter({ in: 'cookie', style: 'cookie' }),
        makeParameter({ in: 'cookie', mediaType: 'text/plain' }),
      ]) {
        const failure = failureOf(() => requestOf(parameter, value))
        expect(failure).toEqual(INVALID)
        expect(failure.message).not.toContain(value)
      }
    },
  )

  it('refuses a name that would be another cookie', () => {
    const parameter = makeParameter({ in: 'cookie', style: 'cookie' })
    for (const name of ['a=b', 'a; b', 'a\n', ''])
      expect(failureOf(() => requestOf(parameter, { [name]: 'x' }))).toEqual(INVALID)
  })

  it('encodes such characters in the form style', () => {
    expect(writtenOf(makeParameter({ in: 'cookie' }), 'a; b=c\r\n')).toBe('color=a%3B%20b%3Dc%0D%0A')
    expect(writtenOf(makeParameter({ in: 'cookie' }), { 'a;b': 1 })).toBe('a%3Bb=1')
    expect(writtenOf(makeParameter({ in: 'cookie', allowReserved: true }), 'a; b')).toBe('color=a%3B%20b')
  })
})

describe('a multipart body', () => {
  it('has names and file names that cannot end their quotes or their line', () => {
    const encoding = { 'a"\r\nX: y': { isBinary: true } }
    const { body } = bodyOf(
      { mediaType: 'multipart/form-data', kind: 'multipart', encoding },
      { 'a"\r\nX: y': { data: 'QQ==', filename: 'f"\r\n.txt' } },
    )
    expect(String(body)).toContain(
      'Content-Disposition: form-data; name="a%22%0D%0AX: y"; filename="f%22%0D%0A.txt"\r\n',
    )
  })

  it('refuses a type with a line break', () => {
    const content = {
      mediaType: 'multipart/form-data',
      kind: 'multipart',
      encoding: { a: { isBinary: true } },
    } as const
    const build = () => bodyOf(content, { a: { data: 'QQ==', content_type: 'a/b\r\nX: y' } })
    expect(failureOf(build)).toEqual(INVALID)
  })

  it('leaves out constant headers that are not one line, and those that are its own', () => {
    const headers = {
      'X-A': 'a\r\nX-B: b',
      'X C': 'c',
      'Content-Type': 'd/d',
      'Content-Disposition': 'e',
      'X-F': 'f',
    }
    const { body } = bodyOf(
      { mediaType: 'multipart/form-data', kind: 'multipart', encoding: { a: { headers } } },
      { a: 'x' },
    )
    expect(String(body).match(/^.+(?=\r\n)/gm)).toEqual([
      expect.stringMatching(/^--toolcrib-/),
      'Content-Disposition: form-data; name="a"',
      'Content-Type: text/plain',
      'X-F: f',
      'x',
      expect.stringMatching(/^--toolcrib-.*--$/),
    ])
  })
})
