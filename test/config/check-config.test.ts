import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { expect, expectTypeOf, test } from 'vitest'
import { checkConfig } from '../../src/foundation/config/check-config.js'
import { configSchema, type CribConfig } from '../../src/foundation/config/config-schema.js'

const messages = (value: unknown) => checkConfig(value).map((finding) => finding.message)

const full: CribConfig = {
  $schema: 'https://toolcrib.dev/schemas/toolcrib-config.schema.json',
  tools: ['./tools/*.ts'],
  store: { kind: 'sqlite', path: 'crib.db' },
  tenant: 'acme',
  actor: 'ada',
  timeoutMs: 1,
  maxInlineChars: 0,
  surface: {
    role: 'reader',
    workspace: 'main',
    mode: 'non_interactive',
    features: ['beta'],
    credentials: ['github'],
    skills: ['review'],
    include: ['file.*'],
    exclude: ['file.delete'],
  },
}

test('a config with every key passes, and names every key of the schema', () => {
  expect(messages(full)).toEqual([])
  expect(Object.keys(full)).toEqual(Object.keys(configSchema.properties))
  expect(Object.keys(full.surface!)).toEqual(Object.keys(configSchema.properties.surface.properties))
})

test('the type follows the schema', () => {
  expectTypeOf<CribConfig['store']>().toEqualTypeOf<
    'memory' | { kind?: 'sqlite' | 'memory'; path?: string } | undefined
  >()
  expectTypeOf<CribConfig['tools']>().toEqualTypeOf<string[] | undefined>()
})

test.each<[unknown, string]>([
  [{ stroe: 'memory' }, 'unknown key "stroe"; did you mean "store"?'],
  [{ surface: { rol: 'x' } }, 'unknown key "rol" in surface; did you mean "role"?'],
  [{ store: { pth: 'x' } }, 'unknown key "pth" in store; did you mean "path"?'],
  [{ store: { zzzz: 1 } }, 'unknown key "zzzz" in store; known keys are kind, path'],
  [{ tools: './a.ts' }, '"tools" must be a list of strings, not "./a.ts"'],
  [{ tools: null }, '"tools" must be a list of strings, not empty'],
  [{ tools: ['a', 5] }, '"tools[1]" must be a string that is not empty, not 5'],
  [{ tenant: '' }, '"tenant" must be a string that is not empty, not ""'],
  [{ timeoutMs: '5s' }, '"timeoutMs" must be a whole number of at least 1, not "5s"'],
  [{ timeoutMs: 0 }, '"timeoutMs" must be a whole number of at least 1, not 0'],
  [{ timeoutMs: 1.5 }, '"timeoutMs" must be a whole number of at least 1, not 1.5'],
  [{ timeoutMs: Number.NaN }, '"timeoutMs" must be a whole number of at least 1, not NaN'],
  [
    { store: 'Memory' },
    '"store" must be "memory" or an object with keys such as kind, path, not "Memory"; did you mean "memory"?',
  ],
  [{ store: { kind: 'postgres' } }, '"store.kind" must be "sqlite" or "memory", not "postgres"'],
  [
    { surface: { mode: 'plann' } },
    '"surface.mode" must be "default" or "plan" or "non_interactive", not "plann"; did you mean "plan"?',
  ],
  [{ surface: [] }, '"surface" must be an object with keys such as role, workspace, mode, not a list'],
  [{ surface: new Map() }, '"surface" must be an object with keys such as role, workspace, mode, not a Map'],
  [{ actor: () => 'x' }, '"actor" must be a string that is not empty, not a function'],
  [['tools'], 'the config must be an object with keys such as tools, store, tenant, not a list'],
  ['tools', 'the config must be an object with keys such as tools, store, tenant, not "tools"'],
])('%j', (value, message) => expect(messages(value)).toEqual([message]))

test('every problem is found in one pass', () => {
  expect(
    checkConfig({ toolz: [], timeoutMs: 'x', surface: { rol: 'a', features: [1, 'b', 2] } }).map(
      ({ path }) => path,
    ),
  ).toEqual([
    ['toolz'],
    ['timeoutMs'],
    ['surface', 'rol'],
    ['surface', 'features', 0],
    ['surface', 'features', 2],
  ])
})

test('undefined is the same as not written', () =>
  expect(messages({ actor: undefined, surface: {} })).toEqual([]))

test('what a file holds cannot steer the terminal or flood it', () => {
  const [escape] = messages({ 'a\u001B[31m\u009B\u202E': 1 })
  expect(escape).toContain(String.raw`"a\u001b[31m\u009b\u202e"`)
  expect(messages({ ['k'.repeat(5000)]: 1 })[0]!.length).toBeLessThan(200)
  expect(messages({ tenant: ['x'.repeat(5000)] })[0]!.length).toBeLessThan(200)
})

test('keys that objects inherit are unknown keys', () => {
  expect(messages(JSON.parse('{"__proto__": 1, "constructor": 2, "toString": 3}'))).toHaveLength(3)
})

test('the schema uses no keyword that the walker does not check', () => {
  const checked = [
    'type',
    'const',
    'enum',
    'anyOf',
    'properties',
    'additionalProperties',
    'items',
    'minimum',
    'minLength',
  ]
  const silent = ['$schema', '$id', 'title', 'description', 'default']
  const visit = (schema: Record<string, unknown>): void => {
    for (const [keyword, value] of Object.entries(schema)) {
      expect([...checked, ...silent]).toContain(keyword)
      if (keyword === 'properties')
        Object.values(value as Record<string, Record<string, unknown>>).forEach(visit)
      if (keyword === 'items') visit(value as Record<string, unknown>)
      if (keyword === 'anyOf') (value as Record<string, unknown>[]).forEach(visit)
      if (schema.type === 'object') expect(schema.additionalProperties).toBe(false)
    }
  }
  visit(configSchema)
})

test('agrees with Ajv about what is valid', () => {
  const validate = new Ajv2020({ strict: true }).compile(configSchema)
  const leaf = fc.oneof(
    fc.constantFrom('memory', 'sqlite', 'plan', 'default', '', 'x', 0, 1, -1, 2.5, null, true),
    fc.array(fc.constantFrom('a', '', 3), { maxLength: 3 }),
  )
  const surface = fc.dictionary(
    fc.constantFrom(...Object.keys(configSchema.properties.surface.properties), 'rol'),
    leaf,
    { maxKeys: 3 },
  )
  const store = fc.dictionary(fc.constantFrom('kind', 'path', 'pth'), leaf, { maxKeys: 2 })
  const config = fc.dictionary(
    fc.constantFrom(...Object.keys(configSchema.properties), 'stroe'),
    fc.oneof(leaf, surface, store),
    { maxKeys: 3 },
  )
  fc.assert(
    fc.property(fc.oneof(config, leaf), (value) => (checkConfig(value).length === 0) === validate(value)),
    { numRuns: 3000 },
  )
})
