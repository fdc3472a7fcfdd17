import { parseJsonText, rawJson, removeMember, setMember } from '../../../src/platform/json/edit-json-text.js'
import { editEntriesText } from '../../../src/host/sources/edit-entries-text.js'
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { parsePlainJson } from '../../../src/platform/config/parse-plain-json.js'

test('reads every text that JSON.stringify writes', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(parsePlainJson(text)).toEqual(JSON.parse(text))
    }),
    { numRuns: 1000 },
  )
})

test.each([
  '{"a": 1, "a": 2}',
  '[{"b": {"a": 1, "\\u0061": 2}}]',
  '{"a\\": ": 1, "a\\": " : 2}',
  '{"a": 1,}',
  '{"a": 1} x',
  '# {}',
  '',
])('leaves to the other parser: %s', (text) => expect(parsePlainJson(text)).toBeUndefined())

test('quotes, colons and backslashes inside strings are no keys', () => {
  const value = { 'a": "': '": {"b": 1}', '\\': '\\":', c: ['d": ', '":'] }
  expect(parsePlainJson(JSON.stringify(value))).toEqual(value)
})

const editJsonText = (text: string, { path, value }: { path: string[]; value?: unknown }): string =>
  value === undefined ? removeMember(text, path) : setMember(text, path, rawJson(value, text, path))

const COMMENTED = `{
  // the servers
  "mcpServers": {
    "a": { "command": "x" }, // first
    /* second */
    "b": {
      "url": "http://localhost" // no comma
    } // behind b
  },
  "tools": ["./*.mjs"]
}
`

describe('a change in a JSON text', () => {
  it.each([
    ['{}', ['m', 'n'], { c: 1 }, '{\n  "m": {\n    "n": {\n      "c": 1\n    }\n  }\n}'],
    ['{ "m": { "a": 1 } }', ['m', 'b'], 2, '{ "m": { "a": 1, "b": 2 } }'],
    ['{ "m": { "a": 1, } }', ['m', 'b'], 2, '{ "m": { "a": 1, "b": 2 } }'],
    ['{\r\n\t"a": 1\r\n}\r\n', ['b'], [2], '{\r\n\t"a": 1,\r\n\t"b": [\r\n\t\t2\r\n\t]\r\n}\r\n'],
    ['{\n  "a": 1, // last\n}', ['b'], 2, '{\n  "a": 1, // last\n  "b": 2\n}'],
    ['{ "a": "}, //" }', ['a'], null, '{ "a": null }'],
    [COMMENTED, ['mcpServers', 'c'], 'x', COMMENTED.replace('} // behind b', '}, // behind b\n    "c": "x"')],
    [
      COMMENTED,
      ['mcpServers', 'b'],
      undefined,
      COMMENTED.replace(/, \/\/ first\n( +\/\*.*\n) +"b"[^]*?behind b\n/, ' // first\n$1'),
    ],
    [COMMENTED, ['mcpServers', 'a'], undefined, COMMENTED.replace(/ +"a".*\n/, '')],
    ['{ "a": 1, "b": 2 }', ['a'], undefined, '{ "b": 2 }'],
    ['{ "a": 1, "b": 2 }', ['b'], undefined, '{ "a": 1 }'],
    ['{ "a": 1 }', ['b'], undefined, '{ "a": 1 }'],
    ['', ['b'], 2, '{\n  "b": 2\n}\n'],
  ])('%j %j %j', (text, path, value, after) => {
    expect(editJsonText(text, { path, value })).toBe(after)
  })

  it.each([
    ['{ "a": 1', ['b']],
    ['[1]', ['b']],
    ['{ "a": [] }', ['a', 'b']],
  ])('%j is not changed at %j', (text, path) => {
    expect(() => editJsonText(text, { path, value: 2 })).toThrow(/object/)
  })

  it('changes the value and no other part of the text, in every layout', () => {
    for (let seed = 1; seed <= 400; seed++) {
      const random = (below: number): number => (seed * 7919 + (state = (state * 48271) % 2147483647)) % below
      let state = seed
      const blank = (): string => ['', ' ', '\n  ', ' // note\n', ' /* { */ ', '\r\n'][random(6)]!
      const keys = ['a', 'b', 'c', 'd'].slice(0, random(5))
      const members = keys.map(
        (key) => `${blank()}"${key}"${blank()}:${blank()}${['1', '"},"', '[{}]', '{"x": 1}'][random(4)]}`,
      )
      const text = `{${blank()}"m": {${members.map((each) => each + blank()).join(',')}${random(2) && keys.length > 0 ? ',' : ''}${blank()}}}`
      const before = parseJsonText(text) as { m: Record<string, unknown> }
      const put = editJsonText(text, { path: ['m', 'new'], value: { y: [1] } })!
      expect(parseJsonText(put), text).toEqual({ m: { ...before.m, new: { y: [1] } } })
      const notes = (said: string): number => said.split('note').length
      expect(notes(put), text).toBe(notes(text))
      for (const key of keys) {
        const { [key]: _, ...rest } = before.m
        const less = editJsonText(text, { path: ['m', key] })!
        expect(parseJsonText(less), text).toEqual({ m: rest })
      }
      expect(parseJsonText(editJsonText(put, { path: ['m', 'new'] })!), text).toEqual(before)
    }
  })
})

const YAML = `# mine
mcpServers:
    a:   { command: x }   # first
    # about b
    b:
        command: 'y'
        args: [-e, "1"]

tools: [ ./*.mjs ]      # kept
`

describe('a change of the servers of a config', () => {
  const c = { command: 'npx', args: ['-y', 'pkg'] }

  it.each([
    ['x.yaml', '', 'mcpServers:\n  c:\n    command: npx\n    args:\n      - -y\n      - pkg\n'],
    [
      'x.yaml',
      '# only\ntools: []',
      '# only\ntools: []\nmcpServers:\n  c:\n    command: npx\n    args:\n      - -y\n      - pkg\n',
    ],
    [
      'x.yaml',
      YAML,
      YAML.replace(
        `"1"]\n`,
        `"1"]\n    c:\n        command: npx\n        args:\n            - -y\n            - pkg\n`,
      ),
    ],
    [
      'x.yaml',
      'mcpServers: {}\n',
      'mcpServers:\n  c:\n    command: npx\n    args:\n      - -y\n      - pkg\n',
    ],
    [
      'x.yaml',
      'mcpServers:\ntools: []\n',
      'mcpServers:\n  c:\n    command: npx\n    args:\n      - -y\n      - pkg\ntools: []\n',
    ],
    [
      'x.json',
      '',
      '{\n  "mcpServers": {\n    "c": {\n      "command": "npx",\n      "args": [\n        "-y",\n        "pkg"\n      ]\n    }\n  }\n}\n',
    ],
    [
      'mcp.json',
      '{ "servers": { } // none\n}',
      expect.stringMatching(/^\{ "servers": \{\n.*"c"[^]*\} \/\/ none\n\}$/),
    ],
  ])('%s %j', async (path, text, after) => {
    const edited = await editEntriesText(text, path, { key: 'mcpServers', put: { c } })
    expect(edited.text).toEqual(after)
    expect(edited.after).toMatchObject({ mcpServers: { c } })
  })

  it('removes one and leaves the rest unchanged', async () => {
    const { text } = await editEntriesText(YAML, 'x.yaml', { key: 'mcpServers', remove: ['a'] })
    expect(text).toBe(YAML.replace(/^ +a:.*\n/m, ''))
    const { text: less } = await editEntriesText(YAML, 'x.yaml', { key: 'mcpServers', remove: ['b'] })
    expect(less).toBe(YAML.replace(/ +b:[^]*?"1"\]\n/, ''))
    await expect(editEntriesText('a: [', 'x.yaml', { key: 'mcpServers', remove: ['b'] })).rejects.toThrow(
      'cannot be read',
    )
  })
})
