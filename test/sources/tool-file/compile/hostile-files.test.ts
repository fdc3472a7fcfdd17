import { describe, expect, it } from 'vitest'
import { TOOL } from './broken/make-cases.js'
import { compileFiles } from './compile-files.js'

const matter = (yaml: string): string => `---\n${yaml}\n---\n`
const FILE = 'tools/search-kb.tool.md'

/** `&a [*b,*b,…]`, nine levels deep: a billion values in 400 bytes. */
const LAUGHS = Array.from({ length: 10 }, (_, level) => {
  const items = level === 0 ? Array(10).fill('lol') : Array(10).fill(`*a${level - 1}`)
  return `l${level}: &a${level} [${items.join(',')}]`
}).join('\n')

const HOSTILE: [string, string, string[]][] = [
  ['a billion laughs', matter(LAUGHS), ['aml/yaml-too-many-values']],
  ['lists in lists', matter(`a: ${'['.repeat(100_000)}`), ['aml/yaml-too-deep']],
  ['objects in objects', matter(`a: ${'{a: '.repeat(30_000)}`), ['aml/yaml-too-deep']],
  ['deep lists that are closed', matter(`a: ${'['.repeat(500)}${']'.repeat(500)}`), ['aml/yaml-too-deep']],
  [
    'deep blocks',
    matter(Array.from({ length: 300 }, (_, level) => `${' '.repeat(level)}a:`).join('\n')),
    ['aml/yaml-too-deep'],
  ],
  ['list marks', matter('- '.repeat(60_000)), ['aml/yaml-too-deep']],
  [
    'many keys',
    matter(Array.from({ length: 13_000 }, (_, index) => `k${index}: 1`).join('\n')),
    ['aml/yaml-too-many-values'],
  ],
  ['many commas', matter(`a: [${','.repeat(100_000)}]`), ['aml/yaml-syntax']],
  ['many quotes', matter('"a" '.repeat(30_000)), ['aml/yaml-syntax']],
  ['many tags', matter('- !a b\n'.repeat(15_000)), ['aml/yaml-tag']],
  [
    'many anchors',
    matter(Array.from({ length: 7_000 }, (_, index) => `k${index}: &a${index} x`).join('\n')),
    ['aml/unknown-field'],
  ],
  ['many directives', matter('%a\n'.repeat(40_000)), ['aml/yaml-syntax']],
  ['a long line', `---\na: ${'x'.repeat(1_040_000)}\n---\n`, ['aml/front-matter-too-large']],
  ['many lines without an end', `---\n${'\n'.repeat(1_040_000)}`, ['aml/unclosed-front-matter']],
  ['many lines of dashes', `${'--- \n'.repeat(200_000)}`, ['aml/front-matter-object']],
  ['nothing but spaces', ' '.repeat(1_000_000), ['aml/missing-front-matter']],
  ['nothing but line ends', '\n'.repeat(1_000_000), ['aml/missing-front-matter']],
  ['zero bytes', '\0'.repeat(1_000_000), ['aml/missing-front-matter']],
  ['a circle', matter('a: &a { b: *a }'), ['aml/yaml-alias']],
]

describe('hostile files', () => {
  it.each(HOSTILE)('%s', async (_, text, codes) => {
    const { problems, tools } = await compileFiles({ [FILE]: text })
    expect(problems.map(({ code }) => code)).toEqual(expect.arrayContaining(codes))
    expect(problems.some(({ level }) => level === 'error')).toBe(true)
    expect(tools).toEqual([])
  })

  it('aliases in small numbers are values like others', async () => {
    const text = TOOL.replace('query: { type: string }', 'query: &text { type: string }\n      more: *text')
    const { problems, tools } = await compileFiles({ [FILE]: text })
    expect(problems).toEqual([])
    expect(tools[0]!.input['properties']).toEqual({ query: { type: 'string' }, more: { type: 'string' } })
  })

  it('__proto__, constructor and toString are names like others', async () => {
    const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty']
    const fields = names.map((name) => `${name}: { type: string, maxLength: 3 }`).join('\n      ')
    const text = TOOL.replace('query: { type: string }', fields)
      .replace('[query]', `[${names.join(', ')}]`)
      .replace('GET /search', `GET /search/{__proto__}/{constructor}`)
      .replace('transport:', 'error_codes:\n  __proto__: { meaning: Odd }\ntransport:')
    const { problems, tools } = await compileFiles({ [FILE]: text })
    expect(problems).toEqual([])
    const properties = tools[0]!.input['properties'] as object
    expect(Object.keys(properties)).toEqual(names)
    expect(Object.getPrototypeOf(properties)).toBe(Object.prototype)
    expect(Object.keys(tools[0]!.errorCodes)).toEqual(['__proto__'])
    expect(({} as Record<string, unknown>)['maxLength']).toBeUndefined()
  })

  it.each(['__proto__: { a: 1 }', 'constructor: 1', 'toString: x'])(
    '%s at the top is an unknown field',
    async (line) => {
      const { problems } = await compileFiles({
        [FILE]: TOOL.replace('type: retrieval', `${line}\ntype: retrieval`),
      })
      expect(problems).toMatchObject([{ code: 'aml/unknown-field', line: 10, column: 1 }])
    },
  )

  it.each(['type', 'format', 'transfer', 'toString', 'constructor', '__proto__'])(
    'a schema with the keyword %s of a strange value',
    async (keyword) => {
      for (const value of ['constructor', '__proto__', '[]', '{}', 'null', '-1', '""']) {
        const text = TOOL.replace('{ type: string }', `{ ${keyword}: ${value} }`)
        const { problems } = await compileFiles({ [FILE]: text })
        expect(
          problems.some(({ level }) => level === 'error'),
          value,
        ).toBe(true)
      }
    },
  )
})
