import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  cedarEngine,
  createCrib,
  defineClassifier,
  defineHook,
  defineTool,
  httpEngine,
  memoryStore,
  sqliteStore,
  toolOutput,
  type Crib,
  type CribOptions,
  type ToolEvent,
} from 'toolcrib'
import { canonicalJson } from '../../../src/platform/json/canonical-json.js'
import { UNKNOWN_TOOL_ID } from '../../../src/contract/status-table.js'
import { collect, openCrib } from '../../scenarios/open-crib.js'
import { documentsOf } from '../../storage/make-records.js'
import { temporaryFolder } from '../../temporary-folder.js'

const give = defineTool({
  name: 'give',
  description: 'Gives.',
  execute: () => 'x'.repeat(100),
})

describe('every ref that Toolcrib writes resolves', () => {
  it.each(['interface_ref', 'execution_profile_ref', 'permission_profile_ref'] as const)(
    'a declaration’s %s',
    async (field) => {
      const crib = await openCrib({ tools: [give] })
      const ref = crib.declaration('give')![field]!
      expect(await crib.resolveRef(ref)).toMatchObject({ schema_version: '0.2.0' })
    },
  )

  it('an invocation’s approval_request_ref', async () => {
    const crib = await openCrib({ tools: [give], approver: () => ({ approved: true }) })
    const call = crib.call(await crib.surface({ scope: 'turn' }), { name: 'give' })
    await call
    const { approval_request_ref: ref } = (await crib.invocation(call.invocationId))!
    expect(await crib.resolveRef(ref!)).toBeDefined()
  })

  it('the decision, persistence and hook ids on a call', async () => {
    const crib = await openCrib({
      tools: [give],
      approver: () => ({ approved: true }),
      results: { maxInlineChars: 10 },
    })
    const call = crib.call(await crib.surface({ scope: 'turn' }), { name: 'give' })
    const result = await call
    const { invocation } = (await crib.story(call.invocationId))!
    for (const ref of [...invocation.permission_decision_refs!, ...result.persistence_refs!]) {
      expect(await crib.resolveRef(ref), ref).toBeDefined()
    }
  })

  it('the ids on a call of another tenant', async () => {
    const crib = await openCrib({ tools: [give] })
    const call = crib.call(await crib.surface({ scope: 'turn', tenant: 'other' }), { name: 'give' })
    await call
    const found = []
    for await (const invocation of crib.invocations({ tenant: 'other' })) found.push(invocation)
    expect(found).toHaveLength(1)
    expect(await crib.resolveRef(found[0]!.model_input_ref!)).toBeUndefined()
    expect(await crib.resolveRef(found[0]!.model_input_ref!, { tenant: 'other' })).toBeDefined()
  })
})

const schema = (properties: object) => ({ jsonSchema: { type: 'object', properties } }) as const
const local = { isReadOnly: true, isOpenWorld: false } as const

/** One of two cribs that share a store: every named definition differs in the second. */
function optionsOf(version: 'first' | 'second'): CribOptions {
  const tool = (name: string, more: object = {}) =>
    defineTool({
      namespace: 'kit',
      name,
      description: `The ${version}.`,
      ...local,
      execute: (input: unknown) => input,
      ...more,
    })
  return {
    workspace: '/work',
    tools: [
      tool('plain', { input: schema({ n: { type: 'number', default: 1 } }) }),
      tool('reads', { paths: { path: 'read' }, input: schema({ path: { type: 'string' } }) }),
      tool('large', { execute: () => 'x'.repeat(500), maxInlineChars: version === 'first' ? 100 : 99 }),
      tool('kept', { execute: () => 'x', persistence: 'ref_only' }),
      tool('makes', { execute: () => toolOutput({ artifacts: [{ name: 'a.txt', content: 'a' }] }) }),
      tool('writes', { isReadOnly: false }),
      tool('denied'),
      tool('waived'),
      tool('classified', { isReadOnly: false, classifierInput: () => 'text' }),
    ],
    hooks: [
      defineHook({
        id: 'twice',
        event: 'pre_tool_use',
        tools: ['kit.plain'],
        timeoutMs: version === 'first' ? 1000 : 2000,
        run: ({ input }) => ({ updatedInput: { ...(input as object), by: 'hook' } }),
      }),
      defineHook({ id: 'after', event: 'post_tool_use', run: () => ({ message: 'seen' }) }),
      defineHook({
        id: 'allows',
        event: 'pre_tool_use',
        tools: ['kit.reads'],
        run: () => ({ permission: { behavior: 'ask' } }),
      }),
    ],
    permission: {
      mode: 'auto',
      deny: [{ rule: 'kit.denied(*)', reason: `The ${version} reason.` }, 'kit.denied', 'kit.waived'],
      ask: [{ rule: 'kit.writes', reason: `The ${version} reason.` }],
      allow: ['kit.plain', 'kit.large', 'kit.kept', 'kit.makes', 'kit.reads'],
      waivers: [{ rule: 'kit.waived', reason: `The ${version} reason.`, until: '2999-01-01T00:00:00Z' }],
      classifiers: [
        defineClassifier({
          id: 'model',
          canApprove: true,
          approveAt: version === 'first' ? 0.5 : 0.6,
          classify: () => ({ verdict: 'safe', confidence: 1 }),
        }),
      ],
    },
    approver: ({ input }) => ({ approved: true, updatedInput: { ...(input as object), by: 'approver' } }),
  }
}

/** A Toolcrib ref in a record, with the name of its field. */
type Named = [field: string, ref: string]

/** Refs of callers, providers and other protocols: Toolcrib does not resolve them. */
const FOREIGN =
  /^(?:actor|runtime|capability|feature_gate|native|native_error|selection|telemetry|trace)_refs?$/
const IDS = new Set(['surface_id', 'tool_id', 'decision_id', 'mutation_id', 'result_id', 'invocation_id'])

function refsIn(value: unknown, field = ''): Named[] {
  if (typeof value === 'string') {
    const isRef = (/_refs?$/.test(field) && !FOREIGN.test(field)) || IDS.has(field)
    const isOwnUri = /^(?:uri|ref)$/.test(field) && value.startsWith('toolcrib://')
    return isRef || isOwnUri || field === 'loaded_tools' ? [[field, value]] : []
  }
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.flatMap((each) => refsIn(each, field))
  return Object.entries(value).flatMap(([key, each]) => refsIn(each, key))
}

async function useAll(crib: Crib): Promise<void> {
  const surface = await crib.surface({ scope: 'turn' })
  const call = (name: string, input: object = {}) => crib.call(surface, { name, input })
  for (const { toolId } of crib.tools()) if (toolId.startsWith('kit.')) await call(toolId)
  await call('kit.reads', { path: 'a.txt' })
  await surface.update({ exclude: ['kit.waived'] })
  await call('kit.plain', { n: 2 })
  await call('kit.nothing')
  await crib.batch(surface, [{ name: 'kit.plain' }, { name: 'kit.large' }])
  const { invocation_id: id } = await crib.call(surface, { name: 'kit.plain', runInBackground: true })
  await crib.task(id).result()
}

/** Calls that policy engines decide: in this process, and at a remote endpoint. */
async function useEngines(path: string, version: 'first' | 'second', url: string): Promise<void> {
  const rule = (id: string, text: string) => `@id("${id}") @message("The ${version}.") ${text}`
  const engines = [
    cedarEngine({
      policies: {
        'read.cedar': rule(
          'reads',
          'permit (principal, action, resource) when { resource.name == "reads" };',
        ),
        'never.cedar': rule(
          'never',
          'forbid (principal, action, resource) when { resource.name == "never" };',
        ),
      },
      entities: [{ uid: { type: 'Role', id: version } }],
    }),
    httpEngine({
      name: 'opa',
      url: `${url}/${version}?token=query-secret`,
      headers: { authorization: 'Bearer header-secret' },
    }),
    // No server listens there.
    httpEngine({ name: 'gone', url: 'http://127.0.0.1:1/', timeoutMs: version === 'first' ? 1000 : 999 }),
  ]
  for (const engine of engines) {
    const tools = ['reads', 'never', 'unknown'].map((name) =>
      defineTool({ name, description: 'Does.', ...local, execute: () => 1 }),
    )
    const crib = await createCrib({ tools, store: sqliteStore({ path }), permission: { engine } })
    const surface = await crib.surface({ scope: 'turn' })
    for (const { name } of tools) await crib.call(surface, { name })
    await crib.close()
    await engine.close?.()
  }
}

describe('with the store alone, in another process', () => {
  const folder = temporaryFolder()
  const path = join(folder, 'crib.db')
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const recorded = { first: [] as unknown[], second: [] as unknown[] }
  let found: Record<string, unknown> = {}
  const seen = new Set<string>()
  const answers = JSON.stringify({ allow: false, reason: 'after hours', policy_refs: ['hours@office'] })
  const endpoint = createServer((_, response) => void response.end(answers))
  afterAll(() => void endpoint.close())
  const fresh = async (version: 'first' | 'second'): Promise<unknown[]> => {
    await useEngines(path, version, `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}`)
    const crib = await createCrib({ ...optionsOf(version), store: sqliteStore({ path }) })
    await useAll(crib)
    const events: ToolEvent[] = (await collect(crib.events())).filter(({ event_id: id }) => !seen.has(id))
    for (const { event_id: id } of events) seen.add(id)
    const ids = new Set(events.flatMap(({ invocation_id: id }) => id ?? []))
    const stories = await Promise.all([...ids].map((id) => crib.story(id)))
    await crib.close()
    return [...events, ...stories]
  }
  beforeAll(async () => {
    await new Promise<void>((resolve) => endpoint.listen(0, '127.0.0.1', resolve))
    recorded.first = await fresh('first')
    recorded.second = await fresh('second')
    const refs = Object.values(recorded).flatMap((records) => refsIn(records).map(([, ref]) => ref))
    const child = fileURLToPath(new URL('children/resolve-refs.mjs', import.meta.url))
    // The resolved object may contain more refs: an interface has profiles, a policy has rules.
    for (let asked = [...new Set(refs)]; asked.length > 0;) {
      const answer = execFileSync(process.execPath, [child, path], { input: JSON.stringify(asked) })
      const read = JSON.parse(answer.toString()) as Record<string, unknown>
      found = { ...Object.fromEntries(asked.map((ref) => [ref, undefined])), ...found, ...read }
      asked = [...new Set(refsIn(Object.values(read)).map(([, ref]) => ref))].filter((ref) => !(ref in found))
    }
  }, 60_000)

  it('every ref of every record resolves', () => {
    const named = refsIn(recorded.first)
    const fields = new Set(named.map(([field]) => field))
    for (const field of [
      'hook_refs',
      'surface_ref',
      'source_ref',
      'rule_refs',
      'policy_refs',
      'interface_ref',
    ])
      expect(fields).toContain(field)
    for (const field of ['persistence_policy_ref', 'classifier_ref', 'tool_refs', 'input_ref'])
      expect(fields).toContain(field)
    const lost = named.filter(([, ref]) => found[ref] === undefined && ref !== UNKNOWN_TOOL_ID)
    expect([...new Set(lost.map(String))]).toEqual([])
    const unknown = Object.keys(found).filter((ref) => found[ref] === undefined)
    expect(unknown).toEqual([UNKNOWN_TOOL_ID])
  })

  it.each(['first', 'second'] as const)('to the version of the %s crib', (version) => {
    const now = new Set(refsIn(recorded[version]).map(([, ref]) => ref))
    const of = (start: string) => [...now].filter((ref) => ref.startsWith(start)).map((ref) => found[ref])
    const description = `The ${version}.`
    const reason = `The ${version} reason.`
    expect(of('tool:kit.plain@')).toMatchObject([{ tool_id: 'kit.plain', description }])
    const surfaces = of('surface_') as { tool_refs?: string[] }[]
    const shown = surfaces.flatMap((surface) => surface.tool_refs ?? [])
    const seen = new Set(shown.filter((ref) => ref.startsWith('tool:kit.plain@')))
    expect([...seen].map((ref) => found[ref])).toMatchObject([{ tool_id: 'kit.plain', description }])
    expect(of('tool_interface:kit.plain@')).toMatchObject([
      { description, model_input_schema: { properties: { n: { default: 1 } } } },
    ])
    expect(of('tool_interface:kit.large@')).toMatchObject([
      { max_inline_chars: version === 'first' ? 100 : 99 },
    ])
    expect(of('rule:flag_settings:ask:kit.writes@')).toMatchObject([{ reason, behavior: 'ask' }])
    expect(of('hook:twice@')).toMatchObject([{ toolcrib: { timeout_ms: version === 'first' ? 1000 : 2000 } }])
    expect(of('classifier:model@')).toMatchObject([{ approveAt: version === 'first' ? 0.5 : 0.6 }])
    expect(of('engine:cedar@')).toContainEqual({
      policy: 'never',
      text: expect.stringContaining(description),
      file: 'never.cedar',
      line: 1,
      engine_ref: [...now].find((ref) => /^engine:cedar@[^#]+$/.test(ref)),
    })
    expect(of('engine:cedar@')).toContainEqual(
      expect.objectContaining({ kind: 'cedar', entities: [{ uid: { type: 'Role', id: version } }] }),
    )
    const url = expect.stringMatching(new RegExp(`^http://127.0.0.1:\\d+/${version}$`)) as string
    expect(of('engine:opa@')).toContainEqual({
      name: 'opa',
      kind: 'http',
      url,
      query_parameters: ['token'],
      headers: ['authorization'],
    })
    expect(of('engine:opa@')).toContainEqual(expect.objectContaining({ policy: 'hours@office' }))
    expect(of('engine:gone@')).toMatchObject([{ timeout_ms: version === 'first' ? 1000 : 999 }])
    expect(JSON.stringify([...Object.values(found), ...recorded[version]])).not.toMatch(
      /(?:query|header)-secret/,
    )
    const policies = of('policy:') as { rules: { reason?: string }[] }[]
    expect(policies.length).toBeGreaterThan(0)
    for (const { rules } of policies) expect(rules.find((rule) => rule.reason)?.reason).toBe(reason)
  })

  it('a call has the refs of each hook run, and of its surface at that time', () => {
    const ofPlain = recorded.first.filter(
      (record) => (record as { invocation?: { tool_id: string } }).invocation?.tool_id === 'kit.plain',
    ) as { invocation: { hook_refs: string[]; toolcrib: { surface_ref: string } } }[]
    const runs = ofPlain.flatMap(({ invocation }) => invocation.hook_refs)
    expect(new Set(runs).size).toBe(runs.length)
    expect(found[runs[0]!]).toMatchObject({ hook_id: 'twice', toolcrib: { run_ref: runs[0] } })
    const revisions = ofPlain.map(({ invocation }) => invocation.toolcrib.surface_ref)
    const first = found[revisions[0]!] as { loaded_tools: string[] }
    expect(first.loaded_tools).toContain('kit.waived')
    const later = found[revisions.at(-1)!] as { loaded_tools: string[] }
    expect(later.loaded_tools).not.toContain('kit.waived')
  })

  it('a third crib with the same definitions writes none of them again', async () => {
    const store = sqliteStore({ path })
    const count = async () => (await documentsOf(store, 'toolcrib.system', 'definition')).length
    const crib = await createCrib({ ...optionsOf('second'), store })
    const before = await count()
    await useAll(crib)
    expect(await count()).toBe(before)
    await crib.close()
  })
})

describe('a decision has the ref and the digest of the input that it is about', () => {
  const digestOf = (input: unknown): string =>
    `sha256:${createHash('sha256').update(canonicalJson(input)).digest('hex')}`
  const tool = (name: string, more: object = {}) =>
    defineTool({
      name,
      description: 'Gives.',
      input: schema({ a: { type: 'number' }, b: { type: 'number' }, pin: { type: 'string' } }),
      execute: () => 'x',
      ...more,
    })
  const options: CribOptions = {
    tools: [
      tool('plain'),
      tool('asks'),
      tool('denied'),
      tool('shut'),
      tool('changed'),
      tool('changedByPerson'),
    ],
    hooks: [
      defineHook({
        id: 'changes',
        event: 'pre_tool_use',
        tools: ['changed'],
        run: () => ({ updatedInput: { a: 9, b: 9 } }),
      }),
    ],
    permission: {
      allow: ['plain', 'changed'],
      ask: ['asks', 'changedByPerson'],
      deny: ['denied(a:1)', 'shut'],
    },
    approver: ({ name, input }) => ({
      approved: true,
      ...(name === 'changedByPerson' && { updatedInput: { ...(input as object), b: 7 } }),
    }),
  }
  const secret = tool('plain', { sensitiveFields: ['pin'] })
  const folder = temporaryFolder()
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  let opened = 0
  const stores = {
    memory: memoryStore,
    sqlite: () => sqliteStore({ path: join(folder, `${++opened}.db`) }),
  }

  /** All decisions of one call, from its events, its stream and its story. */
  async function decisionsOf(crib: Crib, name: string, input: object) {
    const call = crib.call(await crib.surface({ scope: 'turn' }), { name, input })
    const streamed: ToolEvent[] = []
    for await (const event of call) streamed.push(event)
    const ofCall = ({ invocation_id: id }: ToolEvent): boolean => id === call.invocationId
    const of = (events: ToolEvent[]) => events.filter(ofCall).flatMap(({ data }) => data?.['decision'] ?? [])
    const { decisions } = (await crib.story(call.invocationId))!
    return { decisions, streamed: of(streamed), raw: of(await collect(crib.events())) }
  }

  describe.each(Object.entries(stores))('stored in %s', (_, store) => {
    it.each([
      ['plain', [{ a: 1, b: 2 }]],
      ['denied', [{ a: 1, b: 2 }]],
      ['shut', [{ a: 1, b: 2 }]],
      [
        'asks',
        [
          { a: 1, b: 2 },
          { a: 1, b: 2 },
        ],
      ],
      ['changed', [{ a: 9, b: 9 }]],
      [
        'changedByPerson',
        [
          { a: 1, b: 2 },
          { a: 1, b: 2 },
          { a: 1, b: 7 },
        ],
      ],
    ])('%s: raw events, the stream of the call and its story agree', async (name, judged) => {
      const crib = await openCrib({ ...options, store: store() })
      const { decisions, streamed, raw } = await decisionsOf(crib, name, { b: 2, a: 1 })
      const said = decisions.map(({ toolcrib }) => toolcrib as Record<string, string>)
      expect(said.map((each) => each['input_digest'])).toEqual(judged.map(digestOf))
      for (const each of said) {
        expect(each).not.toHaveProperty('input_digest_of')
        expect(digestOf(await crib.resolveRef(each['input_ref']!))).toBe(each['input_digest'])
      }
      expect(raw).toEqual(decisions)
      expect(streamed).toEqual(decisions)
    })

    it('the digest covers the mask of a secret, and the decision says so', async () => {
      const crib = await openCrib({ ...options, tools: [secret], store: store() })
      const digests = []
      for (const pin of ['1234', '9876']) {
        const { decisions, raw } = await decisionsOf(crib, 'plain', { a: 1, pin })
        const { input_ref: ref, ...digest } = decisions[0]!.toolcrib as Record<string, string>
        const shown = await crib.resolveRef(ref!)
        expect(JSON.stringify(shown)).not.toContain(pin)
        expect(digest).toEqual({ input_digest: digestOf(shown), input_digest_of: 'masked_input' })
        expect(raw).toEqual(decisions)
        digests.push(digest['input_digest'])
      }
      expect(digests[0]).toBe(digests[1])
    })
  })
})
