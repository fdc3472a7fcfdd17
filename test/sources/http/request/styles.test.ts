import { describe, expect, it } from 'vitest'
import type { CompiledParameter, ParameterStyle } from '../../../../src/sources/http/http-operation.js'
import { buildRequest } from '../../../../src/sources/http/request/build-request.js'
import { BASE_URL, makeOperation, makeParameter, writtenOf } from './make-operation.js'

type Row = readonly [ParameterStyle, boolean, unknown, string | undefined]

const STRING = 'blue'
const ARRAY = ['blue', 'black', 'brown']
const OBJECT = { R: 100, G: 200, B: 150 }

describe("the specification's table of styles", () => {
  const inPath: Row[] = [
    ['matrix', false, null, ''],
    ['matrix', false, '', ';color'],
    ['matrix', false, STRING, ';color=blue'],
    ['matrix', false, ARRAY, ';color=blue,black,brown'],
    ['matrix', false, OBJECT, ';color=R,100,G,200,B,150'],
    ['matrix', true, null, ''],
    ['matrix', true, '', ';color'],
    ['matrix', true, STRING, ';color=blue'],
    ['matrix', true, ARRAY, ';color=blue;color=black;color=brown'],
    ['matrix', true, OBJECT, ';R=100;G=200;B=150'],
    ['label', false, null, ''],
    ['label', false, STRING, '.blue'],
    ['label', false, ARRAY, '.blue,black,brown'],
    ['label', false, OBJECT, '.R,100,G,200,B,150'],
    ['label', true, STRING, '.blue'],
    ['label', true, ARRAY, '.blue.black.brown'],
    ['label', true, OBJECT, '.R=100.G=200.B=150'],
    ['simple', false, null, ''],
    ['simple', false, STRING, 'blue'],
    ['simple', false, ARRAY, 'blue,black,brown'],
    ['simple', false, OBJECT, 'R,100,G,200,B,150'],
    ['simple', true, STRING, 'blue'],
    ['simple', true, ARRAY, 'blue,black,brown'],
    ['simple', true, OBJECT, 'R=100,G=200,B=150'],
  ]
  const inQuery: Row[] = [
    ['form', false, null, 'color='],
    ['form', false, '', 'color='],
    ['form', false, STRING, 'color=blue'],
    ['form', false, ARRAY, 'color=blue,black,brown'],
    ['form', false, OBJECT, 'color=R,100,G,200,B,150'],
    ['form', true, null, 'color='],
    ['form', true, '', 'color='],
    ['form', true, STRING, 'color=blue'],
    ['form', true, ARRAY, 'color=blue&color=black&color=brown'],
    ['form', true, OBJECT, 'R=100&G=200&B=150'],
    ['spaceDelimited', false, ARRAY, 'color=blue%20black%20brown'],
    ['spaceDelimited', false, OBJECT, 'color=R%20100%20G%20200%20B%20150'],
    ['pipeDelimited', false, ARRAY, 'color=blue%7Cblack%7Cbrown'],
    ['pipeDelimited', false, OBJECT, 'color=R%7C100%7CG%7C200%7CB%7C150'],
    ['deepObject', false, OBJECT, 'color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150'],
    ['deepObject', true, OBJECT, 'color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150'],
  ]
  const inCookie: Row[] = [
    ['cookie', false, null, 'color='],
    ['cookie', false, STRING, 'color=blue'],
    ['cookie', true, null, 'color='],
    ['cookie', true, STRING, 'color=blue'],
    ['cookie', true, ARRAY, 'color=blue; color=black; color=brown'],
    ['cookie', true, OBJECT, 'R=100; G=200; B=150'],
    ['form', true, STRING, 'color=blue'],
    ['form', true, ARRAY, 'color=blue; color=black; color=brown'],
    ['form', true, OBJECT, 'R=100; G=200; B=150'],
    ['form', false, ARRAY, 'color=blue,black,brown'],
  ]
  const inHeader: Row[] = [
    ['simple', false, STRING, 'blue'],
    ['simple', false, '', ''],
    ['simple', false, null, undefined],
    ['simple', false, ARRAY, 'blue,black,brown'],
    ['simple', false, OBJECT, 'R,100,G,200,B,150'],
    ['simple', true, OBJECT, 'R=100,G=200,B=150'],
  ]
  const inSwagger: Row[] = [
    ['tabDelimited', false, ARRAY, 'color=blue%09black%09brown'],
    ['tabDelimited', false, STRING, 'color=blue'],
  ]

  const run = (position: CompiledParameter['in'], rows: readonly Row[]): void =>
    it.each(rows)(
      `writes %s, explode %s, of %j in a ${position} as %s`,
      (style, explode, value, expected) => {
        expect(writtenOf(makeParameter({ in: position, style, explode }), value)).toBe(expected)
      },
    )
  run('path', inPath)
  run('query', [...inQuery, ...inSwagger])
  run('cookie', inCookie)
  run('header', inHeader)
})

describe("the specification's examples of parameters", () => {
  it.each<[string, Partial<CompiledParameter> & Pick<CompiledParameter, 'in'>, unknown, string]>([
    ['a header of integers', { in: 'header', name: 'X-Token' }, [12345678, 90099], '12345678,90099'],
    [
      'a cookie that is escaped already',
      { in: 'cookie', style: 'cookie' },
      { greeting: 'Hello%2C%20world!', code: 42 },
      'greeting=Hello%2C%20world!; code=42',
    ],
    [
      'a cookie in the form style',
      { in: 'cookie', name: 'greeting' },
      'Hello, world!',
      'greeting=Hello%2C%20world%21',
    ],
    ['a path in Latin letters', { in: 'path' }, 'diṅnāga', 'di%E1%B9%85n%C4%81ga'],
    [
      'a path in Arabic letters',
      { in: 'path' },
      'الخوارزميّ',
      '%D8%A7%D9%84%D8%AE%D9%88%D8%A7%D8%B1%D8%B2%D9%85%D9%8A%D9%91',
    ],
    [
      'a query of texts with spaces',
      { in: 'query', name: 'thing' },
      ['one thing', 'another thing'],
      'thing=one%20thing&thing=another%20thing',
    ],
    ['a free-form query', { in: 'query' }, { page: 4, pageSize: 50 }, 'page=4&pageSize=50'],
    [
      'a query of a media type',
      { in: 'query', name: 'coordinates', mediaType: 'application/json' },
      { lat: 40.6, long: -73.9 },
      'coordinates=%7B%22lat%22%3A40.6%2C%22long%22%3A-73.9%7D',
    ],
    [
      'a query string that is a form',
      { in: 'querystring', mediaType: 'application/x-www-form-urlencoded' },
      { foo: 'a + b', bar: true },
      'foo=a+%2B+b&bar=true',
    ],
    [
      'a query string that is JSON',
      { in: 'querystring', mediaType: 'application/json' },
      { numbers: [1, 2], flag: null },
      '%7B%22numbers%22%3A%5B1%2C2%5D%2C%22flag%22%3Anull%7D',
    ],
    [
      'a query string that is a JSONPath',
      { in: 'querystring', mediaType: 'application/jsonpath' },
      '$.a.b[1:1]',
      '%24.a.b%5B1%3A1%5D',
    ],
    ['a name with an emoji', { in: 'query', name: '❤️' }, 'love!', '%E2%9D%A4%EF%B8%8F=love%21'],
    [
      'formulas that are exploded',
      { in: 'query', name: 'formulas' },
      { a: 'x+y', b: 'x/y', c: 'x^y' },
      'a=x%2By&b=x%2Fy&c=x%5Ey',
    ],
    [
      'formulas with reserved characters',
      { in: 'query', name: 'formulas', allowReserved: true },
      { a: 'x%2By', b: 'x/y', c: 'x^y' },
      'a=x%2By&b=x/y&c=x%5Ey',
    ],
    [
      'words with spaces between them',
      { in: 'query', name: 'words', style: 'spaceDelimited', explode: false },
      ['math', 'is', 'fun'],
      'words=math%20is%20fun',
    ],
  ])('writes %s', (_, parameter, value, expected) => {
    expect(writtenOf(makeParameter(parameter), value)).toBe(expected)
  })
})

describe("RFC 6570's examples", () => {
  const LIST = ['red', 'green', 'blue']
  const KEYS = { semi: ';', dot: '.', comma: ',' }
  it.each<[string, Partial<CompiledParameter> & Pick<CompiledParameter, 'in'>, unknown, string | undefined]>([
    ['{hello}', { in: 'path' }, 'Hello World!', 'Hello%20World%21'],
    ['{+hello}', { in: 'path', allowReserved: true }, 'Hello World!', 'Hello%20World!'],
    ['{half}', { in: 'path' }, '50%', '50%25'],
    ['{+half}', { in: 'path', allowReserved: true }, '50%', '50%25'],
    ['{list}', { in: 'path' }, LIST, 'red,green,blue'],
    ['{list*}', { in: 'path', explode: true }, LIST, 'red,green,blue'],
    ['{keys}', { in: 'path' }, KEYS, 'semi,%3B,dot,.,comma,%2C'],
    ['{keys*}', { in: 'path', explode: true }, KEYS, 'semi=%3B,dot=.,comma=%2C'],
    ['{+keys}', { in: 'path', allowReserved: true }, KEYS, 'semi,;,dot,.,comma,,'],
    ['{+keys*}', { in: 'path', allowReserved: true, explode: true }, KEYS, 'semi=;,dot=.,comma=,'],
    ['{.who}', { in: 'path', style: 'label' }, 'fred', '.fred'],
    ['{.list}', { in: 'path', style: 'label' }, LIST, '.red,green,blue'],
    ['{.list*}', { in: 'path', style: 'label', explode: true }, LIST, '.red.green.blue'],
    ['{.keys}', { in: 'path', style: 'label' }, KEYS, '.semi,%3B,dot,.,comma,%2C'],
    ['{.keys*}', { in: 'path', style: 'label', explode: true }, KEYS, '.semi=%3B.dot=..comma=%2C'],
    ['{.empty_keys}', { in: 'path', style: 'label' }, {}, ''],
    ['{;empty}', { in: 'path', style: 'matrix', name: 'empty' }, '', ';empty'],
    ['{;list}', { in: 'path', style: 'matrix', name: 'list' }, LIST, ';list=red,green,blue'],
    [
      '{;list*}',
      { in: 'path', style: 'matrix', name: 'list', explode: true },
      LIST,
      ';list=red;list=green;list=blue',
    ],
    ['{;keys}', { in: 'path', style: 'matrix', name: 'keys' }, KEYS, ';keys=semi,%3B,dot,.,comma,%2C'],
    [
      '{;keys*}',
      { in: 'path', style: 'matrix', name: 'keys', explode: true },
      KEYS,
      ';semi=%3B;dot=.;comma=%2C',
    ],
    ['{?empty}', { in: 'query', name: 'empty' }, '', 'empty='],
    ['{?keys}', { in: 'query', name: 'keys', explode: false }, KEYS, 'keys=semi,%3B,dot,.,comma,%2C'],
    ['{?keys*}', { in: 'query', name: 'keys' }, KEYS, 'semi=%3B&dot=.&comma=%2C'],
    ['{?empty_keys*}', { in: 'query', name: 'empty_keys' }, {}, undefined],
    ['{?undef_members}', { in: 'query', name: 'u' }, [null, 'a', null], 'u=a'],
  ])('expands %s', (_, parameter, value, expected) => {
    expect(writtenOf(makeParameter(parameter), value)).toBe(expected)
  })
})

describe('empty values', () => {
  it.each([[[]], [{}], [[null]], [{ a: null }]])(
    'leaves %j out of a query, a header and the cookies',
    (value) => {
      for (const position of ['query', 'header', 'cookie'] as const)
        for (const explode of [true, false])
          expect(writtenOf(makeParameter({ in: position, explode }), value)).toBeUndefined()
    },
  )

  it.each([[[]], [{}], [null], ['']])(
    'writes %j as an empty value where the document allows that',
    (value) => {
      expect(writtenOf(makeParameter({ in: 'query', allowEmptyValue: true }), value)).toBe('color=')
    },
  )

  it('ignores allowEmptyValue in styles that have no empty value', () => {
    const parameter = makeParameter({ in: 'query', style: 'pipeDelimited', allowEmptyValue: true })
    expect(writtenOf(parameter, [])).toBeUndefined()
  })

  it('keeps empty texts in a list', () => {
    expect(writtenOf(makeParameter({ in: 'query' }), ['', 'a'])).toBe('color=&color=a')
    expect(writtenOf(makeParameter({ in: 'query', explode: false }), ['', 'a'])).toBe('color=,a')
    expect(writtenOf(makeParameter({ in: 'path', style: 'matrix', explode: true }), ['', 'a'])).toBe(
      ';color;color=a',
    )
  })

  it('omits a parameter that the input does not have, also where objects inherit its name', () => {
    const parameters = ['constructor', 'toString'].map((name) => makeParameter({ in: 'query', name }))
    expect(buildRequest(makeOperation({ parameters }), { input: {}, baseUrl: BASE_URL }).url).toBe('/')
  })
})

describe('values that the specification leaves open', () => {
  const deep = makeParameter({ in: 'query', name: 'a', style: 'deepObject', explode: true })
  it.each<[unknown, string | undefined]>([
    [{ b: { c: 1 } }, 'a[b][c]=1'],
    [{ b: [1, 2] }, 'a[b]=1&a[b]=2'],
    [{ b: [{ c: 1 }, { c: 2 }] }, 'a[b][0][c]=1&a[b][1][c]=2'],
    [{ b: [[1, 2], [3]] }, 'a[b][0]=1&a[b][0]=2&a[b][1]=3'],
    [{ b: '', c: null, d: {} }, 'a[b]='],
    [[1, 2], 'a[0]=1&a[1]=2'],
    ['text', 'a=text'],
    [null, undefined],
    [{}, undefined],
  ])('writes %j as a deep object', (value, expected) => {
    const written = writtenOf(deep, value)
    expect(written === undefined ? undefined : decodeURIComponent(written)).toBe(expected)
    if (written !== undefined) expect(written).not.toMatch(/[[\]]/)
  })

  it('writes a value inside a list or an object as JSON', () => {
    expect(writtenOf(makeParameter({ in: 'query' }), [{ a: 1 }, ['b']])).toBe(
      `color=${encodeURIComponent('{"a":1}')}&color=${encodeURIComponent('["b"]')}`,
    )
    expect(writtenOf(makeParameter({ in: 'header' }), { a: { b: 1 } })).toBe('a,{"b":1}')
  })

  it.each(['spaceDelimited', 'pipeDelimited', 'tabDelimited'] as const)(
    'writes %s with explode like the form style, and a plain value alone',
    (style) => {
      const parameter = makeParameter({ in: 'query', style, explode: true })
      expect(writtenOf(parameter, ['a', 'b'])).toBe('color=a&color=b')
      expect(writtenOf(parameter, { a: 1, b: 2 })).toBe('a=1&b=2')
      expect(writtenOf(parameter, 'a')).toBe('color=a')
    },
  )

  it('has the delimiters of Swagger in a path and in a header', () => {
    expect(writtenOf(makeParameter({ in: 'path', style: 'pipeDelimited' }), ['a', 'b'])).toBe('a%7Cb')
    expect(writtenOf(makeParameter({ in: 'path', style: 'tabDelimited' }), ['a', 'b'])).toBe('a%09b')
    expect(writtenOf(makeParameter({ in: 'header', style: 'spaceDelimited' }), ['a', 'b'])).toBe('a b')
    expect(writtenOf(makeParameter({ in: 'header', style: 'tabDelimited' }), ['a', 'b'])).toBe('a\tb')
  })

  it.each([
    ['path', 'deepObject', 'a,b'],
    ['query', 'matrix', 'color=a&color=b'],
    ['header', 'form', 'a,b'],
    ['cookie', 'label', 'color=a; color=b'],
  ] as const)('replaces in a %s the style %s by the default', (position, style, expected) => {
    expect(writtenOf(makeParameter({ in: position, style, explode: true }), ['a', 'b'])).toBe(expected)
  })

  it('writes numbers and truth values as JSON does', () => {
    const parameter = makeParameter({ in: 'query', explode: false })
    expect(writtenOf(parameter, [0, -1.5, 1e21, true, false])).toBe('color=0,-1.5,1e%2B21,true,false')
  })
})

describe('reserved characters', () => {
  const RESERVED = ":/?#[]@!$&'()*+,;="
  it.each([
    ['path', ":%2F%3F%23%5B%5D@!$&'()*+,;="],
    ['query', "color=:/?%23%5B%5D@!$%26'()*%2B,;%3D"],
    ['cookie', "color=:/?#[]@!$&'()*+%2C%3B="],
  ] as const)('keeps those that a %s can hold, where the document allows them', (position, expected) => {
    expect(writtenOf(makeParameter({ in: position, allowReserved: true }), RESERVED)).toBe(expected)
  })

  it('encodes all of them elsewhere', () => {
    const all = '%3A%2F%3F%23%5B%5D%40%21%24%26%27%28%29%2A%2B%2C%3B%3D'
    expect(writtenOf(makeParameter({ in: 'path' }), RESERVED)).toBe(all)
    expect(writtenOf(makeParameter({ in: 'query' }), RESERVED)).toBe(`color=${all}`)
    expect(writtenOf(makeParameter({ in: 'cookie' }), RESERVED)).toBe(`color=${all}`)
  })

  it('keeps valid triples and encodes other percent signs', () => {
    const parameter = makeParameter({ in: 'query', allowReserved: true })
    expect(writtenOf(parameter, '%41%zz%4%e2%9d%a4 ü%')).toBe('color=%41%25zz%254%e2%9d%a4%20%C3%BC%25')
  })
})

describe('parameters of a media type', () => {
  it('are percent-encoded in a path, a query and a cookie', () => {
    const mediaType = 'application/vnd.api+json; charset=utf-8'
    expect(writtenOf(makeParameter({ in: 'path', mediaType }), ['a/b'])).toBe('%5B%22a%2Fb%22%5D')
    expect(writtenOf(makeParameter({ in: 'query', mediaType }), 'a')).toBe('color=%22a%22')
    expect(writtenOf(makeParameter({ in: 'query', mediaType }), null)).toBe('color=null')
    expect(writtenOf(makeParameter({ in: 'cookie', mediaType }), { a: 1 })).toBe('color=%7B%22a%22%3A1%7D')
  })

  it('are JSON in ASCII in a header', () => {
    const parameter = makeParameter({ in: 'header', mediaType: 'application/json' })
    const written = writtenOf(parameter, { name: 'Zoë 🦊\n' })
    expect(written).toBe('{"name":"Zo\\u00eb \\ud83e\\udd8a\\n"}')
    expect(JSON.parse(written ?? '')).toEqual({ name: 'Zoë 🦊\n' })
  })

  it('are the text itself where they are texts', () => {
    expect(writtenOf(makeParameter({ in: 'query', mediaType: 'text/plain' }), 'a b')).toBe('color=a%20b')
    expect(writtenOf(makeParameter({ in: 'cookie', mediaType: 'text/plain' }), 'a,b')).toBe('color=a,b')
    expect(writtenOf(makeParameter({ in: 'header', mediaType: 'text/plain' }), 'a, b')).toBe('a, b')
  })
})
