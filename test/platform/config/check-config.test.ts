import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { expect, expectTypeOf, test } from 'vitest'
import { checkConfig } from '../../../src/platform/config/check-config.js'
import { configSchema, type CribConfig } from '../../../src/platform/config/schema/config-schema.js'
import { serverSchema } from '../../../src/platform/config/schema/servers-schema.js'

const messages = (value: unknown) => checkConfig(value).map((finding) => finding.message)

const full: CribConfig = {
  $schema: 'https://toolcrib.dev/schemas/toolcrib-config.schema.json',
  tools: ['./tools/*.ts'],
  store: { kind: 'sqlite', path: 'crib.db' },
  tenant: 'acme',
  actor: 'ada',
  timeoutMs: 1,
  retries: { max: 2, baseMs: 100, maxMs: 5000 },
  results: {
    maxInlineChars: 1,
    maxInlineLines: 100,
    maxInlineTokens: 1000,
    previewChars: 500,
    persistence: 'ref_only',
    retainDays: { output: 1, block: 2, native: 3, protected: 4, artifact: false },
    maxBytes: 1_000_000,
    readTool: true,
  },
  retention: { calls: { days: 30 }, envelopes: { days: 365 } },
  redaction: { way: 'hash', patterns: true, pii: ['email'], environment: false, readers: ['ann'] },
  search: { sentences: true },
  blobs: {
    kind: 's3',
    path: './blobs',
    bucket: 'results',
    endpoint: 'http://127.0.0.1:9000',
    region: 'eu-central-1',
    prefix: 'crib/',
    accessKeyIdVariable: 'KEY_ID',
    secretAccessKeyVariable: 'KEY',
    sessionTokenVariable: 'SESSION',
  },
  maxProgressPerSecond: 5,
  permission: {
    mode: 'acceptEdits',
    allow: ['files.read(./src/**)', { rule: 'math.add', reason: 'it only adds' }],
    ask: ['Bash(git push:*)'],
    deny: ['Read(.env)'],
    waivers: [{ rule: 'Read(.env)', reason: 'moving it', until: '2030-01-01T00:00:00Z' }],
    working_directories: ['./src'],
  },
  limits: [
    {
      by: ['tool', 'actor'],
      of: { tool: 'web.*', source: ['mcp.web'], tenant: 'acme', actor: ['ada'] },
      perMinute: 60,
      burst: 10,
      concurrent: 4,
      perRun: 100,
      over: 'wait',
      maxWaitMs: 0,
    },
    { by: 'source', of: ['a', 'b'], perRun: 1 },
  ],
  breaker: { failures: 5, openMs: 30_000, probes: 1, sources: ['mcp.*'] },
  approvals: { reviewers: ['ann', { name: 'ben', token_sha256: '0'.repeat(64) }], expiresMs: 1000 },
  surface: {
    role: 'reader',
    workspace: 'main',
    mode: 'non_interactive',
    features: ['beta'],
    credentials: ['github'],
    skills: ['review'],
    include: ['file.*'],
    exclude: ['file.delete'],
    approvalRequired: ['file.write'],
    maxCallsPerRun: { 'file.write': 3 },
    agent: 'helper',
    deferral: { budgetTokens: 4000, always: ['a'], never: ['b'], way: 'pair' },
    results: {
      maxInlineChars: 1000,
      maxInlineLines: 10,
      maxInlineTokens: 100,
      previewChars: 500,
      persistence: 'inline',
    },
    redaction: 'hash',
  },
  mcpServers: {
    notes: { command: 'npx', args: ['-y', 'notes'], env: { TOKEN: '${TOKEN}' }, start: 'lazy', idleMs: 0 },
    far: { url: 'https://mcp.example', headers: { a: 'b' }, oauth: { clientId: 'c', scopes: ['d'] } },
  },
  openapi: {
    shop: {
      document: './shop.yaml',
      server: 'https://api.example/v1',
      serverVariables: { region: 'eu' },
      disabled: false,
      trusted: false,
      include: ['tag:orders'],
      exclude: ['DELETE /*'],
      operations: {
        listOrders: { name: 'orders', readOnly: true, fixed: { view: 'full' }, defaults: { limit: 10 } },
      },
      defaults: { limit: 10 },
      fixed: { version: 2 },
      headers: { 'x-client': 'a' },
      timeoutMs: 1000,
      maxResponseBytes: 1_000_000,
      redirectHosts: ['files.example'],
      pollMs: 0,
      credentials: { key: { source: 'env', name: 'SHOP_KEY' } },
    },
  },
  toolFiles: {
    support: {
      folder: './support',
      code: './support/code.mjs',
      drafts: true,
      disabled: false,
      tools: { 'search-kb': { cacheMs: 1000 }, 'refund-review': { queue: 'refunds', reviewers: ['ana'] } },
    },
  },
  builtins: { files: { roots: ['.'], trash: false }, shell: { sandbox: 'required' }, code: {} },
  serve: {
    host: '127.0.0.1',
    port: 0,
    names: 'bare',
    auth: {
      tokens: [
        {
          name: 'desk',
          sha256: '0'.repeat(64),
          roles: ['caller', 'reviewer'],
          surface: 'small',
          rateLimitPerMinute: 60,
        },
      ],
      oauth: { issuer: 'https://id.example', audience: 'https://mcp.example/mcp', scopes: ['tools'] },
      oidc: {
        issuer: 'https://id.example',
        clientId: 'toolcrib',
        clientSecret: { source: 'env', name: 'OIDC_SECRET' },
        rolesClaim: 'groups',
        roles: { reviewers: ['reviewer'] },
      },
      anonymous: false,
    },
    publicUrl: 'https://tools.example',
    trustedProxies: ['127.0.0.1', '10.0.0.0/8'],
    traceUrl: 'https://traces.example/{trace_id}',
    allowedHosts: ['mcp.example'],
    allowedOrigins: ['https://app.example'],
    maxBodyBytes: 1_000_000,
    rateLimitPerMinute: 600,
    log: 'json',
    metrics: 'public',
    drainMs: 1000,
    listWaitMs: 5000,
    surfaces: { small: { include: ['notes.*'] } },
    budgetTokens: 0,
  },
  hooks: [
    {
      id: 'gate',
      event: 'pre_tool_use',
      tools: ['file.*'],
      matcher: 'Edit|Write',
      when: [
        { field: 'path', matches: '*.env' },
        { field: 'mode', equals: 1 },
        { field: 'a', oneOf: [1] },
      ],
      command: './gate.sh',
      args: ['--strict', ''],
      env: { LEVEL: 'high' },
      url: 'https://hooks.example',
      headers: { authorization: 'Bearer ${TOKEN}' },
      timeoutMs: 1000,
      order: -1,
      onFailure: 'deny',
      authoritative: true,
    },
  ],
}

test('a config with every key passes, and names every key of the schema', () => {
  expect(messages(full)).toEqual([])
  expect(Object.keys(full)).toEqual(Object.keys(configSchema.properties))
  expect(Object.keys(full.openapi!['shop']!)).toEqual(
    Object.keys(configSchema.properties.openapi.additionalProperties.properties),
  )
  expect(Object.keys(full.toolFiles!['support']!)).toEqual(
    Object.keys(configSchema.properties.toolFiles.additionalProperties.properties),
  )
  expect(Object.keys(full.surface!)).toEqual(Object.keys(configSchema.properties.surface.properties))
  expect(Object.keys(full.serve!)).toEqual(Object.keys(configSchema.properties.serve.properties))
  expect(Object.keys(full.hooks![0]!)).toEqual(Object.keys(configSchema.properties.hooks.items.properties))
  expect(Object.keys(full.limits![0]!)).toEqual(Object.keys(configSchema.properties.limits.items.properties))
  expect(Object.keys(full.breaker!)).toEqual(Object.keys(configSchema.properties.breaker.properties))
})

test('the type follows the schema', () => {
  expectTypeOf<CribConfig['store']>().toEqualTypeOf<
    'memory' | { kind?: 'sqlite' | 'memory'; path?: string } | undefined
  >()
  expectTypeOf<CribConfig['tools']>().toEqualTypeOf<string[] | undefined>()
})

const REVIEWER = (given: string): string =>
  `"approvals.reviewers[0]" must be a string that is not empty or an object with keys such as name, token_sha256, not ${given}`

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
  [{ maxProgressPerSecond: -1 }, '"maxProgressPerSecond" must be a whole number of at least 0, not -1'],
  [{ timeoutMs: Number.NaN }, '"timeoutMs" must be a whole number of at least 1, not NaN'],
  [
    { retries: -1 },
    '"retries" must be a whole number of at least 0 or an object with keys such as max, baseMs, maxMs, not -1',
  ],
  [{ retries: { baseMs: 5 } }, '"retries" needs "max"'],
  [{ retries: { max: 1, baseMs: 0 } }, '"retries.baseMs" must be a whole number of at least 1, not 0'],
  [{ retries: { mx: 1, max: 1 } }, 'unknown key "mx" in retries; did you mean "max"?'],
  [
    { store: 'Memory' },
    '"store" must be "memory" or an object with keys such as kind, path, not "Memory"; did you mean "memory"?',
  ],
  [{ store: { kind: 'postgres' } }, '"store.kind" must be "sqlite" or "memory", not "postgres"'],
  [
    { surface: { mode: 'plann' } },
    '"surface.mode" must be "default" or "plan" or "non_interactive" or "acceptEdits" or "dontAsk" or "auto" or "bypass", not "plann"; did you mean "plan"?',
  ],
  [{ surface: [] }, '"surface" must be an object with keys such as role, workspace, mode, not a list'],
  [{ surface: new Map() }, '"surface" must be an object with keys such as role, workspace, mode, not a Map'],
  [{ actor: () => 'x' }, '"actor" must be a string that is not empty, not a function'],
  [{ hooks: [{ id: 'a' }] }, '"hooks[0]" needs "event"'],
  [{ hooks: [{}] }, '"hooks[0]" needs "id" and "event"'],
  [
    { hooks: [{ id: 'a', event: 'pre_tool_use', env: { A: 1 } }] },
    '"hooks[0].env.A" must be a string, not 1',
  ],
  [
    { hooks: [{ id: 'a', event: 'pre_tool_use', headers: [] }] },
    '"hooks[0].headers" must be an object of names and texts, not a list',
  ],
  [
    { hooks: [{ id: 'a', event: 'pre_tool_use', authoritative: 'yes' }] },
    '"hooks[0].authoritative" must be true or false, not "yes"',
  ],
  [
    { hooks: [{ id: 'a', event: 'pre_tool_use', when: [{ field: 'x', mtches: 'y' }] }] },
    'unknown key "mtches" in hooks[0].when[0]; did you mean "matches"?',
  ],
  [{ approvals: { reviewers: [''] } }, REVIEWER('""')],
  [{ approvals: { reviewers: ['ann', { name: 'ben' }] } }, '"approvals.reviewers[1]" needs "token_sha256"'],
  [
    { approvals: { reviewers: [{ name: 'ben', token_sha256: 'abc' }] } },
    '"approvals.reviewers[0].token_sha256" must be a string of the form ^[0-9a-fA-F]{64}$, not "abc"',
  ],
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

test('an undefined value counts as absent', () =>
  expect(messages({ actor: undefined, surface: {} })).toEqual([]))

test('text from a file can neither control the terminal nor flood it', () => {
  const [escape] = messages({ 'a\u001B[31m\u009B\u202E': 1 })
  expect(escape).toContain(String.raw`"a\u001b[31m\u009b\u202e"`)
  const [short, long] = [messages({ kkk: 1 }), messages({ ['k'.repeat(5000)]: 1 })]
  expect(long[0]!.length - short[0]!.length).toBeLessThan(100)
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
    'required',
    'items',
    'minimum',
    'minLength',
    'required',
    'pattern',
  ]
  const silent = ['$schema', '$id', 'title', 'description', 'default']
  const visit = (schema: Record<string, unknown>): void => {
    for (const [keyword, value] of Object.entries(schema)) {
      expect([...checked, ...silent]).toContain(keyword)
      if (keyword === 'properties')
        Object.values(value as Record<string, Record<string, unknown>>).forEach(visit)
      if (keyword === 'items') visit(value as Record<string, unknown>)
      if (keyword === 'anyOf') (value as Record<string, unknown>[]).forEach(visit)
      // Members that other clients write into the entry of a server are accepted.
      if (schema.type === 'object' && schema.properties && schema !== serverSchema)
        expect(schema.additionalProperties).toBe(false)
      if (keyword === 'additionalProperties' && value !== false) visit(value as Record<string, unknown>)
    }
  }
  visit(configSchema)
})

test('the entry of a server may have members of other clients, and its own members are checked', () => {
  expect(messages({ mcpServers: { a: { command: 'x', autoApprove: ['y'], gallery: true } } })).toEqual([])
  expect(messages({ mcpServers: { a: { command: 7 } } })).toEqual([
    '"mcpServers.a.command" must be a string that is not empty, not 7',
  ])
  expect(messages({ mcpServers: [] })).toEqual([
    '"mcpServers" must be an object of names and servers, not a list',
  ])
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
  const condition = fc.dictionary(fc.constantFrom('field', 'matches', 'equals', 'oneOf'), leaf, {
    maxKeys: 2,
  })
  const hook = fc
    .dictionary(
      fc.constantFrom(...Object.keys(configSchema.properties.hooks.items.properties), 'evnt'),
      fc.oneof(
        leaf,
        condition,
        fc.array(condition, { maxLength: 2 }),
        fc.dictionary(fc.constantFrom('A', 'B'), leaf),
      ),
      { maxKeys: 3 },
    )
    .map((each) => ({ id: 'h', event: 'pre_tool_use', ...each }))
  const config = fc.dictionary(
    fc.constantFrom(...Object.keys(configSchema.properties), 'stroe'),
    fc.oneof(leaf, surface, store, fc.array(hook, { maxLength: 2 })),
    { maxKeys: 3 },
  )
  fc.assert(
    fc.property(fc.oneof(config, leaf), (value) => (checkConfig(value).length === 0) === validate(value)),
    { numRuns: 3000 },
  )
})
