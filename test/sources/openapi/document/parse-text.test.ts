import { describe, expect, it } from 'vitest'
import { parseText } from '../../../../src/sources/openapi/document/parse-text.js'

async function valueOf(text: string): Promise<unknown> {
  const parsed = await parseText(text)
  if (!parsed.ok) throw new Error(parsed.why)
  return parsed.value
}

describe('a text in JSON or YAML', () => {
  it.each<[string, string, unknown]>([
    ['JSON', '{"a": [1, "x", null, true]}', { a: [1, 'x', null, true] }],
    ['JSON with tabs', '{\n\t"a":\t1\n}', { a: 1 }],
    ['JSON with a byte order mark', '\uFEFF{"a": 1}', { a: 1 }],
    ['JSON with a member twice', '{"a": 1, "a": 2}', { a: 2 }],
    ['JSON with comments', '{\n  # why\n  "a": 1,\n}', { a: 1 }],
    ['YAML', 'a:\n  - 1\n  - x\n', { a: [1, 'x'] }],
    ['YAML with a byte order mark', '\uFEFFa: 1', { a: 1 }],
    [
      'YAML with carriage returns',
      'a:\r\n  b: |\r\n    x\r\n    y\r\n  c: 1\r\n',
      { a: { b: 'x\ny\n', c: 1 } },
    ],
    ['YAML with a key twice', 'a: 1\na: 2', { a: 2 }],
    ['YAML with tabs only', 'a:\n\tb:\n\t\t- 1\n\tc: 2\n', { a: { b: [1], c: 2 } }],
    ['YAML with tabs after values', 'a: 1\t\nb:\t2 # why\n\t\n', { a: 1, b: 2 }],
    ['YAML with numbers as keys', '200: ok\n1.5: x\ntrue: y', { 200: 'ok', 1.5: 'x', true: 'y' }],
    ['YAML with words that are booleans elsewhere', 'a: yes\nb: off\nc: NO', { a: 'yes', b: 'off', c: 'NO' }],
    ['YAML with dates', 'a: 2020-01-01', { a: '2020-01-01' }],
    ['YAML with anchors', 'a: &x { b: 1 }\nc: *x', { a: { b: 1 }, c: { b: 1 } }],
    [
      'YAML with merged keys',
      'base: &base { a: 1, b: 2 }\nother: &other { c: 3 }\none: { <<: *base, b: 4 }\nmany: { <<: [*base, *other] }',
      { base: { a: 1, b: 2 }, other: { c: 3 }, one: { a: 1, b: 4 }, many: { a: 1, b: 2, c: 3 } },
    ],
    [
      'YAML with tags of other tools',
      'a: !Sub "x"\nb: !GetAtt [c, d]\ne: !Map { f: 1 }',
      { a: 'x', b: ['c', 'd'], e: { f: 1 } },
    ],
    ['YAML with the tags of YAML', 'a: !!str 1\nb: !!timestamp 2020-01-01', { a: '1', b: '2020-01-01' }],
    ['YAML with several documents', '---\na: 1\n---\nb: 2\n', { a: 1 }],
    ['YAML with an end', '%YAML 1.2\n---\na: 1\n...\n', { a: 1 }],
  ])('reads %s', async (_, text, value) => {
    expect(await valueOf(text)).toEqual(value)
  })

  it('keeps __proto__ as a member', async () => {
    for (const text of ['{"__proto__": {"a": 1}}', '__proto__: { a: 1 }']) {
      const value = (await valueOf(text)) as object
      expect(Object.keys(value)).toEqual(['__proto__'])
      expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
    }
  })

  it('an alias is the part itself, so that few lines cannot become millions', async () => {
    const lines = Array.from({ length: 60 }, (_, at) => `a${at + 1}: &a${at + 1} [*a${at}, *a${at}]`)
    const value = (await valueOf(['a0: &a0 [x]', ...lines].join('\n'))) as Record<string, unknown[]>
    expect(value['a60']![0]).toBe(value['a60']![1])
  })

  it.each<[string, string, RegExp]>([
    ['nothing', '', /^it is empty$/],
    ['spaces', ' \n\t', /^it is empty$/],
    ['a list', '- a', /^it is a text or a list/],
    ['a web page', '<!doctype html><html><body>hello</body></html>', /web page \(HTML\)/],
    [
      'a web page with a viewer',
      '<html><script src="swagger-ui.js"></script></html>',
      /give the address of the document itself/,
    ],
    ['XML', '<?xml version="1.0"?><a/>', /^it is XML$/],
    ['a text that is neither', 'a: [1', /^it is neither JSON nor YAML \(/],
    ['JSON that is cut off', '{"a": {"b": 1}', /^it is neither JSON nor YAML \(/],
    ['YAML with tabs and spaces', 'a:\n  b: 1\n\tc: 2', /^it is neither JSON nor YAML \(/],
    ['an alias without an anchor', 'a: *nowhere', /^it is neither JSON nor YAML \(/],
  ])('says why it cannot read %s', async (_, text, why) => {
    const parsed = await parseText(text)
    expect(parsed).toEqual({ ok: false, why: expect.stringMatching(why) })
    expect(parsed.ok ? '' : parsed.why).not.toContain('\n')
  })

  it.each([
    ['lists', `a: ${'['.repeat(100_000)}`],
    ['objects', `a: ${'{a: '.repeat(100_000)}`],
    ['blocks', Array.from({ length: 5_000 }, (_, at) => `${' '.repeat(at)}a:`).join('\n')],
  ])('ends with YAML that has %s in each other without end', async (_, text) => {
    expect(await parseText(text)).toMatchObject({ ok: false })
  })

  it('reads JSON that is nested deeply', async () => {
    expect(await parseText(`{"a": ${'['.repeat(10_000)}${']'.repeat(10_000)}}`)).toMatchObject({ ok: true })
  })
})
