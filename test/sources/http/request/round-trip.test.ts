import { parse as parseQuery } from 'node:querystring'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CompiledParameter, ParameterStyle } from '../../../../src/sources/http/http-operation.js'
import { buildRequest, type BuiltRequest } from '../../../../src/sources/http/request/build-request.js'
import { decodeParameter, type Shape } from './decode-parameter.js'
import { BASE_URL, makeOperation, makeParameter, requestOf } from './make-operation.js'
import { openRecordingServer, type RecordedRequest, type RecordingServer } from './recording-server.js'

let server: RecordingServer
beforeAll(async () => {
  server = await openRecordingServer()
})
afterAll(() => server.close())

type Position = Exclude<CompiledParameter['in'], 'querystring'>

const STYLES: Readonly<Record<Position, readonly ParameterStyle[]>> = {
  path: ['simple', 'label', 'matrix'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'tabDelimited', 'deepObject'],
  header: ['simple'],
  cookie: ['form', 'cookie'],
}

const parameters = (Object.keys(STYLES) as Position[]).flatMap((position) =>
  STYLES[position].flatMap((style) =>
    [false, true].map((explode) => makeParameter({ in: position, name: 'color', style, explode })),
  ),
)

/** What arrived in the position of a parameter. */
function arrivedIn({ in: position, name }: CompiledParameter, { url, headers }: RecordedRequest): string {
  if (position === 'header') return String(headers[name])
  if (position === 'cookie') return String(headers.cookie)
  const mark = url.indexOf('?')
  return position === 'path' ? url.slice(1) : mark === -1 ? '' : url.slice(mark + 1)
}

function expectAsWritten(arrived: RecordedRequest, built: BuiltRequest): void {
  expect(arrived).toMatchObject({ method: built.method, url: built.url, headers: built.headers })
  expect(arrived.headers.cookie).toBe(built.cookies)
  expect(arrived.headers['content-type']).toBe(built.contentType)
  expect(arrived.body).toEqual(Buffer.from(built.body ?? ''))
}

describe('a parameter in each position, style and form', () => {
  const values: readonly [Shape, unknown][] = [
    ['text', 'blue'],
    ['list', ['blue', 'black', 'brown']],
    ['list', ['one']],
    ['object', { R: '100', G: '200', B: '150' }],
  ]
  const cases = parameters.flatMap((parameter) =>
    values
      .filter(([shape]) => parameter.style !== 'deepObject' || shape === 'object')
      .map(([shape, value]) => ({ ...parameter, parameter, shape, value })),
  )

  it.each(cases)(
    'arrives as written: $in, $style, explode $explode, $shape',
    async ({ parameter, shape, value }) => {
      const built = requestOf(parameter, value)
      const arrived = await server.send(built)
      expectAsWritten(arrived, built)
      expect(decodeParameter(parameter, shape, arrivedIn(parameter, arrived))).toEqual(value)
    },
  )
})

/** Texts with what is special somewhere: delimiters, percent signs, controls, other scripts, emojis. */
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.string({ unit: fc.constantFrom(...'%2eF/\\.?#&=+;,: |\t\r\n\0[]{}"\'~!*()@$^`<>aü€🦊'), maxLength: 12 }),
)

/** The texts that a parameter can carry so that the server reads them back. */
function textsFor({ in: position, style, explode }: CompiledParameter, shape: Shape): fc.Arbitrary<string> {
  if (position === 'header')
    return anyText.map((text) =>
      text.replaceAll(shape === 'text' ? /[^\x21-\x7e]/g : /[^\x21-\x7e]|[,=]/g, '_'),
    )
  if (style === 'cookie') return anyText.map((text) => text.replaceAll(/[^\x21-\x7e]|[;,]/g, '_'))
  if (shape === 'text') return anyText
  // These are delimiters and cannot be escaped in the styles themselves.
  if (style === 'label' && explode) return anyText.map((text) => text.replaceAll('.', '_'))
  if (style.endsWith('Delimited')) return anyText.map((text) => text.replaceAll(/[ |\t]/g, '_'))
  return anyText
}

function namesFor(parameter: CompiledParameter): fc.Arbitrary<string> {
  const { in: position, style } = parameter
  const names = textsFor(parameter, 'object').filter((name) => name !== '__proto__')
  if (position !== 'cookie' || style !== 'cookie') return names
  return names.map((name) => name.replaceAll(/[^\w.~-]/g, '_')).filter((name) => name !== '')
}

interface Drawn {
  readonly parameter: CompiledParameter
  readonly shape: Shape
  readonly value: string | string[] | Record<string, string>
}

const drawn: fc.Arbitrary<Drawn> = fc
  .tuple(
    fc.constantFrom(...parameters),
    fc.constantFrom<Shape>('text', 'list', 'object'),
    fc.stringMatching(/^x-[a-z0-9_-]{1,7}$/),
  )
  .chain(([given, drawnShape, name]) => {
    const parameter = { ...given, name, field: name }
    const shape = parameter.style === 'deepObject' ? 'object' : drawnShape
    const text = textsFor(parameter, shape)
    const value: fc.Arbitrary<Drawn['value']> =
      shape === 'text'
        ? text
        : shape === 'list'
          ? fc.array(text, { minLength: 1, maxLength: 4 })
          : fc.dictionary(namesFor(parameter), text, { minKeys: 1, maxKeys: 4, noNullPrototype: true })
    return value.map((each) => ({ parameter, shape, value: each }))
  })

/** Undefined where the value is refused, which only a path does here. */
function buildUnlessRefused({ parameter, value }: Drawn): BuiltRequest | undefined {
  try {
    return requestOf(parameter, value)
  } catch (error) {
    expect(error).toMatchObject({ code: 'toolcrib.request_invalid' })
    expect(parameter.in).toBe('path')
    // The label style adds a dot of its own.
    expect(parameter.style === 'label' || JSON.stringify(value).includes('.')).toBe(true)
    return undefined
  }
}

describe('any value', () => {
  it('arrives in its position and nowhere else', async () => {
    await fc.assert(
      fc.asyncProperty(drawn, async (each) => {
        const { parameter, shape, value } = each
        const built = buildUnlessRefused(each)
        if (!built) return
        const arrived = await server.send(built)
        expectAsWritten(arrived, built)
        expect(arrived.url).toMatch(/^\/[\x21-\x7e]*$/)
        // The path has one segment; the URL Standard finds the same path.
        expect(new URL(arrived.url, BASE_URL).pathname).toBe(arrived.url.split('?')[0])
        expect(decodeParameter(parameter, shape, arrivedIn(parameter, arrived))).toEqual(value)
      }),
      { numRuns: 800 },
    )
  })

  it('is found by the readers of the URL Standard and of Node', async () => {
    const name = 'color'
    const parameter = makeParameter({ in: 'query', name })
    await fc.assert(
      fc.asyncProperty(fc.array(anyText, { minLength: 2, maxLength: 5 }), async (texts) => {
        const { url } = await server.send(requestOf(parameter, texts))
        expect(new URL(url, BASE_URL).searchParams.getAll(name)).toEqual(texts)
        expect(parseQuery(url.slice(2))).toEqual({ [name]: texts })
      }),
      { numRuns: 100 },
    )
  })

  it('stays one value where reserved characters are kept', async () => {
    const own = makeParameter({ in: 'query', name: 'own', allowReserved: true })
    const operation = makeOperation({
      path: '/{id}/end',
      parameters: [
        makeParameter({ in: 'path', name: 'id', allowReserved: true }),
        own,
        makeParameter({ in: 'query', name: 'other' }),
      ],
    })
    // A triple that is no UTF-8 would be read as another text.
    const texts = anyText.filter((text) => !/%[\dA-Fa-f]{2}/.test(text))
    await fc.assert(
      fc.asyncProperty(texts, texts, async (id, text) => {
        fc.pre(id !== '' && !id.split(/[/\\;]/).some((part) => part === '.' || part === '..'))
        const input = { id, own: text, other: 'x' }
        const { url } = await server.send(buildRequest(operation, { input, baseUrl: BASE_URL }))
        const found = new URL(url, BASE_URL)
        expect([...found.searchParams]).toEqual([
          ['own', text],
          ['other', 'x'],
        ])
        expect(found.pathname.split('/').map(decodeURIComponent)).toEqual(['', id, 'end'])
      }),
      { numRuns: 150 },
    )
  })
})
