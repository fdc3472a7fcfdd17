import { afterAll, expect, test } from 'vitest'
import { describeProblem } from '../../../src/platform/config/describe-problem.js'
import { loadConfig } from '../../../src/platform/config/load-config.js'
import { openTemporaryFolder } from '../../temporary-folder.js'

const folder = openTemporaryFolder()
const homeBefore = process.env.TOOLCRIB_HOME
process.env.TOOLCRIB_HOME = folder.path // the cache of compiled TypeScript goes there, not into the user's home
afterAll(() => {
  if (homeBefore === undefined) delete process.env.TOOLCRIB_HOME
  else process.env.TOOLCRIB_HOME = homeBefore
})

let count = 0
const write = (name: string, text: string) => folder.write(`${++count}/${name}`, text)

/** The problems as shown in the folder of the file. */
async function problems(name: string, text: string): Promise<string[]> {
  const loaded = await loadConfig(write(name, text))
  if (loaded.ok) return []
  return loaded.problems.map((problem) => {
    const described = describeProblem(problem, `${folder.path}/${count}`)
    for (const line of described.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
    return described
  })
}

async function config(name: string, text: string): Promise<unknown> {
  const loaded = await loadConfig(write(name, text))
  expect(loaded).toMatchObject({ ok: true })
  return loaded.ok ? loaded.config : undefined
}

const yaml = `# the crib of the house
tools:
  - ./tools/*.ts
store: memory
surface:
  mode: plan
`
const value = { tools: ['./tools/*.ts'], store: 'memory', surface: { mode: 'plan' } }

test('YAML', async () => {
  expect(await config('toolcrib.yaml', yaml)).toEqual(value)
  const path = write('toolcrib.yml', yaml)
  expect(await loadConfig(path)).toEqual({ ok: true, config: value, path, text: yaml })
})

test('JSON, indented with tabs too', async () => {
  expect(await config('toolcrib.json', JSON.stringify(value))).toEqual(value)
  expect(await config('toolcrib.json', JSON.stringify(value, null, '\t'))).toEqual(value)
})

test.each(['', '\n', '# nothing yet\n', '---\n', '\uFEFF'])(
  'an empty file says nothing: %j',
  async (text) => {
    expect(await config('toolcrib.yaml', text)).toEqual({})
    expect(await config('toolcrib.json', text)).toEqual({})
  },
)

test('a typo names the line and the key that was meant', async () => {
  expect(await problems('toolcrib.yaml', `${yaml}stroe: memory\n`)).toEqual([
    'toolcrib.yaml:7: unknown key "stroe"; did you mean "store"?',
  ])
})

test('a typo further in', async () => {
  expect(await problems('toolcrib.yaml', `${yaml}  rol: reader\n`)).toEqual([
    'toolcrib.yaml:7: unknown key "rol" in surface; did you mean "role"?',
  ])
})

test('an unknown key without a similar one lists the existing keys, within 80 columns', async () => {
  expect(await problems('toolcrib.yaml', 'gateways: {}\n')).toEqual([
    'toolcrib.yaml:1: unknown key "gateways"; known keys are $schema, tools, store,\n' +
      '  tenant, actor, timeoutMs, retries, results, retention, redaction, search,\n' +
      '  blobs, maxProgressPerSecond, permission, limits, breaker, approvals, surface,\n' +
      '  mcpServers, openapi, toolFiles, builtins, serve, hooks',
  ])
})

test('all problems at once, in the order of the lines', async () => {
  const text = 'timeoutMs: 5s\ntools:\n  - a.ts\n  - 7\nsurface:\n  mode: paln\n  include: file.*\ntools: x\n'
  expect(await problems('toolcrib.yaml', text)).toEqual([
    'toolcrib.yaml:1: "timeoutMs" must be a whole number of at least 1, not "5s"',
    'toolcrib.yaml:6: "surface.mode" must be "default" or "plan" or "non_interactive"\n' +
      '  or "acceptEdits" or "dontAsk" or "auto" or "bypass", not "paln"; did you mean\n' +
      '  "plan"?',
    'toolcrib.yaml:7: "surface.include" must be a list of strings, not "file.*"',
    'toolcrib.yaml:8: duplicate key "tools"; it already stands on line 2',
    'toolcrib.yaml:8: "tools" must be a list of strings, not "x"',
  ])
})

test('the column is known as well', async () => {
  const loaded = await loadConfig(write('toolcrib.yaml', 'surface:\n  features: [a, 5]\n'))
  expect(loaded).toMatchObject({ ok: false, problems: [{ line: 2, column: 17 }] })
})

test('a key without a value', async () => {
  expect(await problems('toolcrib.yaml', 'store: memory\ntools:\n  # - ./a.ts\n\ntenant: x\n')).toEqual([
    'toolcrib.yaml:2: "tools" must be a list of strings, not empty',
  ])
})

test.each<[string, string[]]>([
  ['tools:\n  - a\nstore: "memory\n', ['3: this quote is never closed']],
  ['tools: [a, b\nstore: memory\n', ['2: a bracket opened above is not closed before this line']],
  ['tools:\n  - a\n tenant: x\n', ['3: the indentation does not fit the lines above']],
  ['surface:\n\trole: x\n', ['2: a tab cannot indent YAML; use spaces']],
  ['store memory\ntenant: x\n', ['1: this line has no ":" between key and value']],
  ['tenant: a: b\n', ['1: two ": " on one line; put the value in quotes']],
  ['tenant: a\n---\ntenant: b\n', ['2: only one document is allowed; remove "---" and what follows']],
  ['tenant: a\nactor: *who\n', ['2: *who is used, but &who is not set before it']],
  ['? [a]\n: 1\n', ['1: a key must be a word, not a list or an object']],
  ['- a\n', ['1: the config must be an object with keys such as tools, store,\n  tenant, not a list']],
])('broken YAML: %j', async (text, expected) => {
  expect(await problems('toolcrib.yaml', text)).toEqual(expected.map((line) => `toolcrib.yaml:${line}`))
})

test.each<[string, string[]]>([
  ['{"tenant": "a"} x', ['1: nothing may follow after the end of the value']],
  ['{"tenant": "a"}\n{"tenant": "b"}', ['2: nothing may follow after the end of the value']],
  ['{"tenant": "a"}}', ['1: nothing may follow after the end of the value']],
  ['{\n  // mine\n  "tenant": "a"\n}', ['2: comments with / are not possible here; start them with #']],
  ['{\n  "tenant": "a",\n  "tenant": "b"\n}', ['3: duplicate key "tenant"; it already stands on line 2']],
  ['{\n  "tennant": "a"\n}', ['2: unknown key "tennant"; did you mean "tenant"?']],
])('broken JSON: %j', async (text, expected) => {
  expect(await problems('toolcrib.json', text)).toEqual(expected.map((line) => `toolcrib.json:${line}`))
})

test('anchors and merges work, and problems have the line where they are written', async () => {
  const text = 'surface:\n  features: &all [a, b]\n  skills: *all\n'
  expect(await config('toolcrib.yaml', text)).toEqual({
    surface: { features: ['a', 'b'], skills: ['a', 'b'] },
  })
  expect(await config('toolcrib.yaml', 'surface:\n  <<: {role: x}\n  <<: [{mode: plan}]\n')).toEqual({
    surface: { role: 'x', mode: 'plan' },
  })
  expect(await problems('toolcrib.yaml', 'surface:\n  <<:\n    rol: x\n  mode: plan\n')).toEqual([
    'toolcrib.yaml:3: unknown key "rol" in surface; did you mean "role"?',
  ])
})

test('an alias bomb is refused, and a circle is not followed', async () => {
  const ten = (name: string) => `[${Array.from({ length: 10 }, () => name).join(', ')}]`
  const bomb = `a: &a ${ten('x')}\nb: &b ${ten('*a')}\nc: &c ${ten('*b')}\nd: ${ten('*c')}\n`
  expect(await problems('toolcrib.yaml', bomb)).toEqual([
    'toolcrib.yaml: too many aliases (*name); write some of them out',
  ])
  expect(await problems('toolcrib.yaml', 'surface: &s\n  include: *s\n')).toEqual([
    'toolcrib.yaml:2: "surface.include" must be a list of strings, not an object',
  ])
})

test('an anchor that merges itself', async () => {
  expect(await problems('toolcrib.yaml', 'surface: &s\n  <<: *s\n  rol: x\n')).toEqual([
    expect.stringMatching(/^toolcrib\.yaml/),
  ])
})

test('a TypeScript config: object, function, asynchronous function, promise', async () => {
  const object = `{ store: 'memory' as const, actor: process.env.NOT_SET_ANYWHERE }`
  for (const [name, text] of [
    ['toolcrib.config.ts', `interface Unused { a: string }\nexport default ${object}`],
    ['toolcrib.config.mts', `export default () => (${object})`],
    ['toolcrib.config.ts', `export default async (): Promise<unknown> => (${object})`],
    ['toolcrib.config.ts', `export default Promise.resolve(${object})`],
    [
      'toolcrib.config.ts',
      `export const other = 1\nconst config = await Promise.resolve(${object})\nexport default config`,
    ],
  ] as const) {
    expect(await config(name, text)).toEqual({ store: 'memory' })
  }
})

test('a JavaScript config', async () => {
  expect(await config('toolcrib.config.mjs', `export default { store: 'memory' }`)).toEqual({
    store: 'memory',
  })
  expect(await config('toolcrib.config.mjs', `export default async () => ({ tenant: 'a' })`)).toEqual({
    tenant: 'a',
  })
})

test('a module config has key paths instead of lines', async () => {
  const text = `export default { stroe: 1, surface: { mode: 'x', features: [1] } }`
  expect(await problems('toolcrib.config.ts', text)).toEqual([
    'toolcrib.config.ts: unknown key "stroe"; did you mean "store"?',
    'toolcrib.config.ts: "surface.mode" must be "default" or "plan" or\n  "non_interactive" or "acceptEdits" or "dontAsk" or "auto" or "bypass", not "x"',
    'toolcrib.config.ts: "surface.features[0]" must be a string that is not empty,\n  not 1',
  ])
})

test.each<[string, string]>([
  [`export const config = {}`, 'it has no default export; write `export default { … }`'],
  [`const nothing: number = 1`, 'it has no default export; write `export default { … }`'],
  [`export default () => {}`, 'its function returned nothing'],
  [`export default () => { throw new Error('no luck') }`, 'its function failed: no luck'],
  [`throw new TypeError('no luck')`, 'TypeError: no luck'],
  [`import './gone.js'\nexport default {}`, 'it imports ./gone.js, which does not exist'],
])('a TypeScript config that cannot be used: %j', async (text, message) => {
  expect(await problems('toolcrib.config.ts', text)).toEqual([`toolcrib.config.ts: ${message}`])
})

test('a syntax error in TypeScript has its line', async () => {
  const found = await problems('toolcrib.config.ts', 'export default {\n  a: 1,\n  b: }\n')
  expect(found).toEqual([expect.stringMatching(/^toolcrib\.config\.ts:3: .*Unexpected token/)])
})

test('a module runs once, even when two callers load it at the same time', async () => {
  const runs = globalThis as { toolcribRuns?: number }
  runs.toolcribRuns = 0
  for (const name of ['toolcrib.config.ts', 'toolcrib.config.mjs']) {
    const path = write(
      name,
      `globalThis.toolcribRuns++\nawait new Promise((done) => setTimeout(done, 20))\nexport default { tenant: 'a' }`,
    )
    const both = await Promise.all([loadConfig(path), loadConfig(path)])
    expect(await loadConfig(path)).toEqual({ ok: true, config: { tenant: 'a' }, path })
    expect(both.every((loaded) => loaded.ok)).toBe(true)
  }
  expect(runs.toolcribRuns).toBe(2)
})

test('reports files that are missing or of an unknown type', async () => {
  const cwd = `${folder.path}/0`
  const describe = async (name: string) => {
    const loaded = await loadConfig(`${cwd}/${name}`)
    return loaded.ok ? [] : loaded.problems.map((problem) => describeProblem(problem, cwd))
  }
  expect(await describe('gone.yaml')).toEqual(['gone.yaml: there is no such file'])
  expect(await describe('gone.ts')).toEqual(['gone.ts: there is no such file'])
  expect(await describe('crib.toml')).toEqual([
    'crib.toml: is no config file; it must end in .yaml, .yml, .json, .ts, .mts, .js\n  or .mjs',
  ])
  folder.write('0/folder.yaml/x', '')
  expect(await describe('folder.yaml')).toEqual([
    expect.stringMatching(/^folder\.yaml: cannot be read: EISDIR/),
  ])
})

test('the file of an editor may have comments and trailing commas, and keeps its lines', async () => {
  const text =
    '{\n  // of the team\n  "inputs": [],\n  "servers": {\n    "a": { "command": %s, }, /* more */\n  },\n}\n'
  expect(await config('mcp.json', text.replace('%s', '"x // y"'))).toEqual({
    mcpServers: { a: { command: 'x // y' } },
  })
  expect(await problems('mcp.json', text.replace('%s', '7'))).toEqual([
    expect.stringMatching(/^mcp\.json:\d+: "mcpServers\.a\.command" must be a string/),
  ])
})

test('a text with very many problems gives the first of them, and how many more there are', async () => {
  const keys = Array.from({ length: 20_000 }, (_, at) => `k${at}: 1`).join('\n')
  const found = await problems('toolcrib.yaml', `${keys}\nk0: 1\n`)
  expect(found).toHaveLength(101)
  expect(found.at(-1)).toBe('toolcrib.yaml: and 19901 more')
  const aliases = `tools: &a [x]\nsurface:\n  include: [${'*a,'.repeat(60_000)}]\n`
  expect(await problems('toolcrib.yaml', aliases)).toEqual([
    'toolcrib.yaml: too many aliases (*name); write some of them out',
  ])
})

test.each([
  ['toolcrib.yaml', `tools: ${'['.repeat(5000)}${']'.repeat(5000)}`],
  ['toolcrib.yaml', `tools:\n  ${'- '.repeat(90_000)}a\n`],
  ['toolcrib.json', `{"tools": ${'['.repeat(5000)}${']'.repeat(5000)}}`],
])('a text in %s that is nested too deeply is not read', async (file, text) => {
  const [only, ...others] = await problems(file, text)
  expect(only).toMatch(/^toolcrib\.\w+:\d: it is nested deeper than 200 levels$/)
  expect(others).toEqual([])
})
