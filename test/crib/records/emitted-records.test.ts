import { Ajv2020 } from 'ajv/dist/2020.js'
import type { ValidateFunction } from 'ajv'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SourceStorage } from '../../../src/sources/source.js'
import {
  createCrib,
  defineHook,
  definePersonTool,
  defineTool,
  memoryStore,
  parseRecord,
  partialResult,
  sqliteStore,
  toolFailure,
  toolOutput,
  type Batch,
  type Call,
  type CallStory,
  type Crib,
  type Source,
  type Store,
  type Surface,
  type ToolEvent,
  type ToolProgress,
  type ToolResult,
} from 'toolcrib'
import {
  coreObjects,
  eventClasses,
  invocationStatuses,
  ownEventClasses,
  progressStatuses,
  resultStatuses,
  resultStatusesFor,
  retryGuidance,
  schemas,
  terminalStatuses,
  toEmitSchema,
  transitions,
  type CoreObject,
  type InvocationStatus,
  type TerminalStatus,
} from '../../../src/contract/index.js'
import {
  toExecutionProfile,
  toInterface,
  toPermissionProfile,
} from '../../../src/catalog/records/to-profiles.js'
import { standardIsThere, standardSchemas } from '../../contract/standard-schemas.js'
import { until } from '../../until.js'
import { collect, createGate } from '../../scenarios/open-crib.js'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../../temporary-folder.js'
import { lazyKeys } from '../../../src/approvals/lazy-keys.js'
import { openNamedTokens } from '../../../src/host/identities/named-tokens.js'

const compile = (schema: object) => new Ajv2020({ allowUnionTypes: true, strict: false }).compile(schema)
const ours = new Map(coreObjects.map((object) => [object, compile(toEmitSchema(schemas[object]))]))
const theirs = new Map<CoreObject, ValidateFunction>(
  standardSchemas.map(([object, schema]) => [object, compile(schema)]),
)

/** The problems of a record, each with its path. */
function problemsOf(
  object: CoreObject,
  record: unknown,
  validators: Map<CoreObject, ValidateFunction>,
): string[] {
  const validate = validators.get(object)
  if (!validate || validate(record)) return []
  return validate.errors!.map(({ instancePath, message }) => `${object}${instancePath} ${message}`)
}

/** Values that JSON would drop or change. */
function notJson(value: unknown, path = ''): string[] {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return []
  if (typeof value === 'number') return Number.isFinite(value) ? [] : [`${path} is ${value}`]
  if (typeof value !== 'object') return [`${path} is ${typeof value}`]
  if (!Array.isArray(value) && ![Object.prototype, null].includes(Object.getPrototypeOf(value))) {
    return [`${path} is a ${value.constructor.name}`]
  }
  return Object.entries(value).flatMap(([key, member]) => notJson(member, `${path}/${key}`))
}

const quiet = { isReadOnly: true, isOpenWorld: false } as const
const tool = (name: string, execute: Parameters<typeof defineTool>[0]['execute'], more: object = {}) =>
  defineTool({ name, description: `The tool ${name}.`, ...quiet, execute, ...more })

const fail = (error: unknown) => () => {
  throw error
}

/** One tool of every kind. */
const tools = [
  tool('ok', () => ({ a: 1 }), { isConcurrencySafe: true }),
  tool('empty', () => undefined),
  tool('text', () => 'text', { output: { jsonSchema: { type: 'string' } }, title: 'Text' }),
  tool('large', () => 'x'.repeat(5000), { maxInlineChars: 100 }),
  tool('dropped', () => 'x'.repeat(5000), { maxInlineChars: 100, persistence: 'drop_with_reason' }),
  tool('part_failed', () => toolOutput({ structured: { done: 1 }, partialFailure: 'One was locked.' })),
  tool('refs', () =>
    toolOutput({
      content: [{ type: 'resource_link', uri: 'file:///a', media_type: 'text/plain' }],
      structured: { a: 1 },
      summary: 'A file.',
      resourceRefs: [{ uri: 'file:///a', digest: 'sha256:00' }],
      artifactRefs: [{ ref_id: 'art_1' }],
      contextModifier: { cwd: '/' },
    }),
  ),
  tool('sandboxed', (_, { recordEnvironment, recordViolation }) => {
    recordEnvironment({
      mapping: { source: 'cli', command_id: 'cmd_1', sandbox_ref: 'sandbox:workspace_shell_sandbox' },
      sandbox: { profile: 'workspace_shell_sandbox', kind: 'bubblewrap', reason: 'The settings ask for it.' },
    })
    recordViolation({ kind: 'write', message: 'It tried to write to /etc/passwd.' })
    return 'ran'
  }),
  tool('delivers', (input) => {
    const { of } = input as { of?: string }
    const artifact = { name: 'a.txt', content: 'a', handOff: { to: 'ann' } }
    return toolOutput({ artifacts: [of === undefined ? artifact : { ...artifact, artifact: of }] })
  }),
  tool('modifies', () => toolOutput({ structured: 1, contextModifier: { cwd: '/' } }), {
    contextModifierPolicy: 'allow_serial_only',
  }),
  tool('fails', fail(new Error('broke'))),
  tool('slow', () => new Promise((resolve) => setTimeout(() => resolve('done'), 5)), {
    isConcurrencySafe: true,
  }),
  tool('limited', fail(toolFailure('rate_limited', 'Slow down.', { retryAfter: 3, code: 'http.429' }))),
  tool('down', fail(toolFailure('dependency_unavailable', 'Nobody answers.')), {
    retries: { max: 2, baseMs: 1 },
  }),
  tool('unset', fail(toolFailure('setup_required', 'Log in.'))),
  tool('keyless', fail(toolFailure('credential_missing', 'No key.'))),
  tool('unmappable', () => 10n),
  tool('mismatch', () => ({ n: 'x' }), {
    output: { jsonSchema: { type: 'object', properties: { n: { type: 'number' } } } },
  }),
  tool('never', () => new Promise(() => {}), { timeoutMs: 2 }),
  tool(
    'hangs',
    (_input, { signal }) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  ),
  tool('deaf', () => new Promise(() => {})),
  tool('asks', async (_input, { requestInput }) =>
    requestInput({ message: 'Which?', schema: { type: 'string' } }),
  ),
  tool('delegates', async (_input, { callTool }) => (await callTool({ name: 'asks' })).status),
  tool('steps', async function* () {
    yield 'one'
    yield {
      percent: 50,
      current_step: 'two',
      total_steps: 2,
      bytes_read: 1,
      artifact_refs: [{ ref_id: 'a' }],
    }
    yield partialResult({ first: true })
    return { all: true }
  }),
  tool('secret', (input) => `used ${(input as { key: string }).key}`, { sensitiveFields: ['key'] }),
  tool('strict', () => 1, {
    input: {
      jsonSchema: { type: 'object', properties: { n: { type: 'number', default: 1 } }, required: ['m'] },
    },
  }),
  tool('checked', () => 1, { validate: () => 'Never.' }),
  tool('boxed', () => 1, { validate: () => ({ errorClass: 'sandbox_violation', message: 'Outside.' }) }),
  tool('write', (input) => input, {
    isReadOnly: false,
    input: {
      jsonSchema: {
        type: 'object',
        properties: { path: { type: 'string' }, n: { type: 'number', default: 1 } },
      },
    },
    runtimeInput: {
      jsonSchema: {
        type: 'object',
        properties: { path: {}, n: {}, run_as: { type: 'string', visibility: 'internal' } },
      },
    },
    paths: { path: 'write' },
    permission: {
      risk_level: 'high',
      access_kinds: ['file_write'],
      write_effects: ['local_persistent'],
      approval_required: true,
    },
    aliases: ['scribble'],
    searchHint: 'write a file',
    examples: [{ path: 'a' }],
    capabilityRefs: ['local_file_write'],
    annotations: { destructiveHint: true },
    classifierInput: () => 'x',
    interruptBehavior: 'cancel',
    sandboxProfile: 'none',
    supports: ['progress', 'cancel', 'artifacts'],
    rendering: { userFacingName: 'Write', uiSummary: 'Writes', errorRenderHint: 'red' },
    toModel: () => 'written',
    toUi: () => 'Written',
    transcriptText: () => 'written',
  }),
  tool('forbidden', () => 1),
  tool('policed', () => 1),
  tool('fixed', () => 1, { mutationPolicy: 'forbid' }),
  tool('stopped', () => 1),
  tool('withheld', () => 'private'),
  tool('replaced', () => ({ long: true })),
  tool('private', () => ({ card: '4711', name: 'Ada' })),
  tool('hidden', () => 'nobody is to see this'),
  tool('unkept', () => ({ card: '4711' })),
  // For the surface alone.
  tool('later', () => 1, { shouldDefer: true, searchHint: 'later' }),
  tool('draft', () => 1, { lifecycle: 'draft' }),
  tool('off', () => 1, { isEnabled: false }),
  tool('admin', () => 1, { roles: ['admin'] }),
  tool('spawn', () => 1, { isRecursive: true }),
  tool('elsewhere', () => 1, { workspaces: ['/elsewhere'] }),
  tool('other_platform', () => 1, { platforms: ['none'] }),
  tool('skilled', () => 1, { skills: ['pdf'] }),
  tool('seeing', () => 1, { modelRequirements: ['vision'] }),
  tool('beta', () => 1, { featureGates: ['beta'] }),
  tool('keyed', () => 1, { requiredCredentials: ['github'] }),
  tool('unready', () => 1, { requiresSetup: () => 'Install it.' }),
  tool('excluded', () => 1),
]

const hooks = [
  defineHook({
    id: 'rewrite',
    event: 'pre_tool_use',
    tools: ['write', 'fixed'],
    run: ({ input }) => ({
      updatedInput: { ...(input as object), run_as: 'clerk' },
      message: 'noted',
      progress: 'looking',
      additionalContext: 'context',
      permission: { behavior: 'passthrough' },
    }),
  }),
  defineHook({
    id: 'stop',
    event: 'pre_tool_use',
    tools: ['stopped'],
    run: () => ({ stop: { reason: 'No.' } }),
  }),
  defineHook({
    id: 'informed',
    event: 'permission_decision',
    tools: ['ok'],
    run: () => ({ message: 'noted' }),
  }),
  defineHook({ id: 'broken', event: 'pre_tool_use', tools: ['ok'], run: fail(new Error('broke')) }),
  defineHook({
    id: 'say',
    event: 'pre_tool_use',
    tools: ['text'],
    run: () => ({ permission: { behavior: 'allow' } }),
  }),
  defineHook({
    id: 'withhold',
    event: 'post_tool_use',
    tools: ['withheld'],
    run: () => ({ stop: { reason: 'No.' } }),
  }),
  defineHook({
    id: 'replace',
    event: 'post_tool_use',
    tools: ['replaced'],
    run: () => ({ updatedOutput: { short: true }, additionalContext: ['after'] }),
  }),
  defineHook({
    id: 'stumble',
    event: 'post_tool_use',
    tools: ['replaced'],
    run: fail(new Error('stumbled')),
  }),
  defineHook({
    id: 'mask',
    event: 'result_persistence',
    tools: ['private'],
    run: () => ({ persistence: { strategy: 'redact', reason: 'cards', fields: ['card'] } }),
  }),
  defineHook({
    id: 'hide',
    event: 'result_persistence',
    tools: ['hidden'],
    run: () => ({ persistence: { strategy: 'redact', reason: 'private' } }),
  }),
  defineHook({
    id: 'forget',
    event: 'result_persistence',
    tools: ['unkept'],
    run: () => ({ persistence: { strategy: 'never_persist', reason: 'private' } }),
  }),
  defineHook({
    id: 'mourn',
    event: 'post_tool_use_failure',
    tools: ['fails'],
    run: () => ({ message: 'sorry' }),
  }),
]

interface Gathered {
  crib: Crib
  surfaces: Surface[]
  events: ToolEvent[]
  streamed: ToolEvent[]
  returned: ToolResult[]
  stories: CallStory[]
  /** The result of a background call. */
  receipt: ToolResult
  /** What a reader of each call gets. */
  progress: ToolProgress[]
}

/** Makes every kind of call and collects all records. */
/** A call that waits for a reviewer in a crib that is closed; another crib resumes it. */
async function leaveWaiting(store: Store): Promise<string> {
  const crib = await createCrib({
    store: { ...store, close: async () => {} },
    tools,
    decider: () => ({ behavior: 'ask' }),
    reviewers: ['ann'],
  })
  const call = crib.call(await crib.surface({ scope: 'turn' }), { name: 'ok' })
  const { approval_id: id } = (await call.pending())!
  await crib.close()
  await expect(call).rejects.toMatchObject({ code: 'toolcrib.still_waiting', approvalId: id })
  return id
}

/** A source whose tools cannot be listed at first. Returns what it can store. */
async function failOnce(crib: Crib): Promise<SourceStorage> {
  let storage: SourceStorage | undefined
  let isBroken = true
  let changed = (): void => {}
  const source: Source = {
    name: 'broken',
    async open(opened) {
      storage = opened
    },
    async list() {
      if (isBroken) throw new Error('no such server')
      return []
    },
    watch(callback) {
      changed = callback
      return () => {}
    },
  }
  await crib.replaceSources([source])
  isBroken = false
  changed()
  await crib.caughtUp()
  return storage!
}

/** Questions to people: one is sent out, one cannot be sent out, one is answered too late. */
async function askPeople(crib: Crib): Promise<void> {
  const form = { description: 'Asks.', output: { jsonSchema: { type: 'object' } } } as const
  const added = await crib.add([
    definePersonTool({ ...form, name: 'question', remindMs: 10, announce: () => undefined }),
    definePersonTool({ ...form, name: 'lost_question', announce: fail(new Error('no queue')) }),
    definePersonTool({ ...form, name: 'short_question', expiresMs: 10 }),
  ])
  const surface = await crib.surface({ scope: 'turn' })
  const isDelivered = { question: 'reminders', lost_question: 'problem', short_question: undefined } as const
  for (const [name, field] of Object.entries(isDelivered)) {
    const call = crib.call(surface, { name })
    // The short question may be over before it is seen to wait: its record names it then.
    const id = field ? (await call.pending())!.approval_id : await questionOf(await call, crib)
    if (field) await until(async () => (await crib.approvals.get(id))!.delivery?.[field] !== undefined)
    await crib.approvals.answer(id, { approved: true, by: 'ann', content: { ok: true } })
    await call
  }
  added.dispose()
}

async function questionOf({ invocation_id: id }: ToolResult, crib: Crib): Promise<string> {
  return (await crib.invocation(id))!.approval_request_ref!.replace('toolcrib://approvals/', '')
}

async function gather(store: Store): Promise<Gathered> {
  const left = await leaveWaiting(store)
  const crib = await createCrib({
    store,
    tools,
    hooks,
    cancelGraceMs: 2,
    actor: 'agent:1',
    workspace: '/workspace',
    decider: ({ name }) => {
      if (name === 'forbidden')
        return {
          behavior: 'deny',
          source: 'user_settings',
          reason: { type: 'rule', rule_ref: 'r1', message: 'No.' },
          rule_refs: ['r1'],
          blocked_path: '/x',
        }
      if (name === 'policed')
        return {
          behavior: 'deny',
          source: 'policy_settings',
          reason: { type: 'policy' },
          policy_refs: ['p1'],
        }
      if (name === 'write')
        return {
          behavior: 'ask',
          suggested_updates: [{ type: 'add_rules' }],
          expires_at: '2030-01-01T00:00:00.000Z',
        }
      if (name === 'empty') return { behavior: 'passthrough' }
      return { behavior: 'allow' }
    },
    approver: ({ name, input }) => {
      if (name === 'empty') return { approved: false, feedback: 'Not now.' }
      return { approved: true, by: 'anna', feedback: 'Fine.', updatedInput: { ...(input as object), n: 2 } }
    },
    responder: async () => ({ action: 'accept', content: 'this' }),
    reviewers: ['ann'],
  })
  const storage = await failOnce(crib)
  const answered = await crib.approvals.answer(left, { approved: true, by: 'ann', feedback: 'Go.' })
  expect(answered).toMatchObject({ ok: true, goesOn: 'here' })
  const surface = await crib.surface({
    scope: 'session',
    session: 's1',
    depth: 1,
    exclude: ['excluded'],
    reason: 'all of it',
    policyRefs: ['p1'],
    runtimeRefs: ['r1'],
    modelCapabilities: { strict: true },
  })
  const plan = await crib.surface({ scope: 'turn', mode: 'plan', selectionPolicy: { kind: 'runtime_only' } })
  const alone = await crib.surface({
    scope: 'task',
    mode: 'non_interactive',
    defaultToolChoice: { tool: 'ok' },
  })
  const gap = await crib.surface({
    scope: 'role',
    capabilityRequirements: ['fly'],
    defaultToolChoice: 'none',
  })

  const calls: Call[] = []
  const streams: Promise<ToolEvent[]>[] = []
  const make = (
    name: string,
    input: unknown = {},
    on = surface,
    isStreamed = calls.length % 2 === 0,
  ): Call => {
    const call = crib.call(on, { name, input, nativeCallId: `native_${calls.length}` })
    calls.push(call)
    if (isStreamed) streams.push(collect(call))
    return call
  }
  for (const { name } of tools) {
    if (name === 'hangs' || name === 'deaf') continue
    await make(name, { path: 'a.txt', key: 'a-very-secret-key' })
  }
  await make('strict', { m: 1 })
  await make('ok', '{"broken')
  await make('ok', { n: Number.NaN })
  await make('nothing')
  await make('ok', {}, plan)
  await make('ok', {}, alone, true)
  await make('ok', {}, gap)
  for (const name of ['hangs', 'deaf']) {
    const started = createGate()
    const call = make(name, {}, surface, false)
    const reading = (async () => {
      for await (const event of call) if (event.event_type === 'tool.invocation.started') started.open()
    })()
    await started.promise
    call.cancel()
    await Promise.all([call, reading])
  }
  make('ok').cancel()
  const late = createGate()
  const changedTool = tool('changed', () => 1)
  const whyBlocked = { code: 'toolcrib.tool_changed', message: 'Its source changed the tool.' } as const
  const added = await crib.add(
    [
      tool('late', () => late.promise, { timeoutMs: 1 }),
      { ...changedTool, availability: { setupProblem: () => whyBlocked } },
    ],
    'plugin',
  )
  await make('late')
  late.open()
  added.dispose()
  const [delivered] = (await make('delivers')).artifact_refs!
  await make('delivers', { of: delivered!.ref_id })
  await crib.exportArtifact(delivered!.ref_id!, { to: join(folder, `exported-${store.name}`) })
  await crib.removeArtifact(delivered!.ref_id!)
  await askPeople(crib)
  await crib.call(await crib.surface({ scope: 'turn', session: 'deleted' }), { name: 'ok' })
  await crib.deleteRecords({ session: 'deleted', by: 'ann' })
  await crib.deleteEnvelopes({ before: Date.now() + 60_000, by: 'ann', reason: 'long ago' })
  await crib.call(await crib.surface({ scope: 'turn', session: 'deleted' }), { name: 'ok' })
  await crib.deleteRecords({ session: 'deleted', by: 'ann' })
  await changeTokens(store)
  for (const batch of batchesOf(crib, surface)) {
    calls.push(...batch.calls)
    await batch
  }
  await surface.update({ include: ['*'], mode: 'default' })
  await surface.load(['later'])
  await crib.retire('excluded')
  surface.current()
  const returned = await Promise.all(calls)
  await storage.recordLate!(returned[0]!.invocation_id, { message_id: 'm1', answer: { late: true } })
  await new Promise(setImmediate)
  const streamed = (await Promise.all(streams)).flat()
  const stories = await Promise.all(calls.map(async ({ invocationId }) => (await crib.story(invocationId))!))
  const tight = await crib.surface({ scope: 'turn', deferral: { budgetTokens: 300, always: ['later'] } })
  const surfaces = [surface, plan, alone, gap, tight]
  const receipt = await crib.call(surface, { name: 'steps', runInBackground: true })
  await crib.task(receipt.invocation_id).result()
  const ids = [...calls.map(({ invocationId }) => invocationId), receipt.invocation_id]
  const progress = (await Promise.all(ids.map((id) => collect(crib.progress(id))))).flat()
  return {
    crib,
    surfaces,
    events: await collect(crib.events()),
    streamed,
    returned,
    receipt,
    stories,
    progress,
  }
}

/** A result that waits for the one before it, a call that another one cancels, and a discarded one. */
function batchesOf(crib: Crib, surface: Surface): Batch[] {
  const safe = { max_parallel: 2, resource_locks: [{ key: 'shared', mode: 'shared' }] } as const
  const ordered = crib.batch(surface, [{ name: 'slow' }, { name: 'ok' }, { name: 'slow' }], safe)
  const failing = crib.batch(surface, [{ name: 'fails' }, { name: 'hangs' }], {
    sibling_failure_policy: 'cancel_siblings',
    timeout_ms: 60_000,
  })
  const streamed = crib.openBatch(surface)
  streamed.add({ name: 'write', input: { path: 'b.txt' } })
  return [ordered, failing, streamed.fallback()]
}

/** Makes, replaces and revokes a token of the server. */
async function changeTokens(store: Store): Promise<void> {
  const tokens = await openNamedTokens({
    store,
    keys: lazyKeys(store, undefined),
    tenant: 'default',
    owner: 'ann',
    surfaceProblem: () => undefined,
  })
  const author = { by: 'person:ann', actors: [] }
  const made = await tokens.create({ name: 'ci', roles: ['caller'] }, author)
  if (!made.ok) throw new Error(made.message)
  await tokens.rotate(made.record.tokenId, author)
  await tokens.revoke(made.record.tokenId, author)
  await tokens.close()
}

const folder = temporaryFolder()
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe.each([
  ['memory', () => memoryStore()],
  ['sqlite', () => sqliteStore({ path: join(folder, 'crib.db') })],
] as const)('[AT-SCHEMA-01] [AT-MODEL-01] [AT-VERSION-01] every record (%s)', (_kind, newStore) => {
  let all: Gathered
  beforeAll(async () => {
    all = await gather(newStore())
  })
  afterAll(() => all.crib.close({ graceMs: 0 }))

  /** Every record, with the name of its object. */
  async function records(): Promise<[CoreObject, unknown][]> {
    const { crib, surfaces, events, streamed, returned, receipt, stories, progress } = all
    const of = (object: CoreObject, list: readonly unknown[]): [CoreObject, unknown][] =>
      list.map((record) => [object, record])
    const surfaceRecords = [
      ...surfaces.flatMap((surface) => [surface.record, surface.fullRecord()]),
      ...(await collect(crib.surfaces())),
      ...events.flatMap(({ data }) => (data?.['surface'] ? [data['surface']] : [])),
    ]
    return [
      ...of('tool_event', [...events, ...streamed]),
      ...of('tool_result', [...returned, receipt, ...(await collect(crib.results()))]),
      ...of('tool_invocation', await collect(crib.invocations())),
      ...of('tool_progress', progress),
      ...stories.flatMap((story) => [
        ...of('tool_invocation', [story.invocation]),
        ...of('tool_result', story.result ? [story.result] : []),
        ...of('tool_permission_decision', story.decisions),
        ...of('tool_input_mutation', story.mutations),
        ...of('tool_hook', story.hooks),
        ...of('tool_progress', story.progress),
        ...of('tool_result_persistence', story.persistence ? [story.persistence] : []),
        ...of('tool_error', story.result?.error ? [story.result.error] : []),
      ]),
      ...of('tool_surface', surfaceRecords),
      ...of(
        'tool_scheduler_policy',
        events.flatMap(({ data }) => (data?.['policy'] ? [data['policy']] : [])),
      ),
      ...of(
        'deferred_tool_ref',
        surfaceRecords.flatMap((record) => (record as { deferred_tools?: unknown[] }).deferred_tools ?? []),
      ),
      ...of(
        'tool_declaration',
        crib.tools().map(({ toolId }) => crib.declaration(toolId)),
      ),
      ...of(
        'tool_declaration',
        events.flatMap(({ data }) => (data?.['declaration'] ? [data['declaration']] : [])),
      ),
      ...of('tool_interface', crib.tools().map(toInterface)),
      ...of('tool_execution_profile', crib.tools().map(toExecutionProfile)),
      ...of('tool_permission_profile', crib.tools().map(toPermissionProfile)),
      ...of('tool_namespace', crib.namespaces()),
      ...of(
        'tool_input_contract',
        crib.tools().map(({ toolId }) => crib.declaration(toolId)!.input_contract),
      ),
      ...of(
        'tool_output_contract',
        crib.tools().flatMap(({ toolId }) => crib.declaration(toolId)!.output_contract ?? []),
      ),
      ...of(
        'tool_external_mapping',
        crib.tools().flatMap(({ draft }) => draft.externalMappings),
      ),
    ]
  }

  it('there are records of every kind', async () => {
    const kinds = new Set((await records()).map(([object]) => object))
    const later: CoreObject[] = ['tool_search_result']
    expect([...kinds].sort()).toEqual(coreObjects.filter((object) => !later.includes(object)).toSorted())
  })

  it('[AT-MODEL-04] [AT-LIFE-01] every terminal status was reached, and every transition is a legal one', () => {
    const reached = new Set(all.stories.map(({ invocation }) => invocation.status))
    expect([...reached].sort()).toEqual([...terminalStatuses].sort())
    for (const { invocation } of all.stories) {
      for (const { from, to } of invocation.status_transitions!) {
        if (from !== undefined) expect(transitions[from as InvocationStatus]).toContain(to)
      }
    }
    const passed = new Set(
      all.stories.flatMap(({ invocation }) => invocation.status_transitions!.map(({ to }) => to)),
    )
    expect(invocationStatuses.filter((status) => !passed.has(status))).toEqual([])
  })

  it('every result status was reached, each with a matching invocation status', () => {
    const reached = new Set(all.returned.map(({ status }) => status))
    expect(resultStatuses.filter((status) => !reached.has(status))).toEqual([])
    for (const { invocation, result } of all.stories) {
      expect(resultStatusesFor[invocation.status as TerminalStatus], invocation.status).toContain(
        result!.status,
      )
      expect(
        result!.is_error === true || result!.error === undefined || result!.status === 'partial_succeeded',
      ).toBe(true)
      if (result!.is_error) expect(result!.error?.error_class).toBeTruthy()
    }
  })

  it('[AT-ERR-03] [AR-CALL-06] [AT-ERR-01] every error states whether and how to retry', () => {
    const errors = all.stories.flatMap(({ result }) => result?.error ?? [])
    expect(errors.length).toBeGreaterThan(20)
    const fields = Object.keys(retryGuidance('canceled')).sort()
    for (const { error_class: errorClass, retry_after: after, toolcrib } of errors) {
      const guidance = toolcrib?.['retry'] as object
      expect(Object.keys(guidance).sort(), errorClass).toEqual(fields)
      for (const answer of Object.values(guidance)) expect(typeof answer, errorClass).toBe('boolean')
      expect(after === null || typeof after === 'number', errorClass).toBe(true)
    }
  })

  it('every status of progress was emitted', () => {
    const told = new Set(all.progress.map(({ status }) => status))
    expect(progressStatuses.filter((status) => !told.has(status))).toEqual([])
  })

  it('every event class was emitted', () => {
    const emitted = new Set(all.events.map(({ event_type: type }) => type))
    // The host records the other two: test/sources/openapi/accept-changes.test.ts and test/host/config-file.test.ts show them.
    const later = ['tool.deferred.discovered', 'toolcrib.tool.accepted', 'toolcrib.config.changed']
    expect([...eventClasses, ...ownEventClasses].filter((type) => !emitted.has(type))).toEqual(later)
  })

  it('is valid against Toolcrib’s schemas', async () => {
    const problems = (await records()).flatMap(([object, record]) => problemsOf(object, record, ours))
    expect([...new Set(problems)]).toEqual([])
  })

  it('is valid against the standard’s schemas', async ({ skip }) => {
    if (!standardIsThere) {
      const reason = 'the standard’s schemas are not beside the repository'
      console.info(`skipped: ${reason}`)
      skip(reason)
    }
    expect(theirs.size).toBe(15)
    const problems = (await records()).flatMap(([object, record]) => problemsOf(object, record, theirs))
    expect([...new Set(problems)]).toEqual([])
  })

  it('contains only JSON values', async () => {
    const problems = (await records()).flatMap(([object, record]) => notJson(record, object))
    expect([...new Set(problems)]).toEqual([])
  })

  it('is unchanged after it is written and read', async () => {
    for (const [object, record] of await records()) {
      const read: unknown = JSON.parse(JSON.stringify(record))
      const parsed = parseRecord(object, read)
      expect(parsed, object).toMatchObject({ ok: true })
      expect(parsed.ok && parsed.record).toBe(read)
    }
  })

  it('keeps unknown fields and values when it is read', async () => {
    const seen = new Set<CoreObject>()
    for (const [object, record] of await records()) {
      if (seen.has(object)) continue
      seen.add(object)
      const strange = {
        ...(record as object),
        x_vendor: { deep: [1, { more: null }] },
        toolcrib: { from: 'a later version' },
        ...(object === 'tool_result' && { status: 'a_status_of_tomorrow' }),
        ...(object === 'tool_event' && { event_type: 'tool.something.new' }),
        ...(object === 'tool_invocation' && { status: 'paused' }),
      }
      const parsed = parseRecord(object, JSON.parse(JSON.stringify(strange)))
      expect(parsed, object).toEqual({ ok: true, record: JSON.parse(JSON.stringify(strange)) })
    }
  })

  it('[AT-LIFE-02] [AT-HOOK-01] contains only refs that resolve', async () => {
    const { crib, stories, surfaces } = all
    for (const { invocation, decisions, mutations, hooks: ran, persistence, result, progress } of stories) {
      const id = invocation.invocation_id
      expect(surfaces.map((surface) => surface.id)).toContain(invocation.surface_id)
      for (const which of ['model', 'observable', 'permission', 'call'] as const) {
        const ref = invocation[`${which}_input_ref`]
        if (ref !== undefined) expect(await crib.resolveRef(ref)).toEqual(invocation[`${which}_input`])
      }
      for (const { from_input_ref: from, to_input_ref: to } of mutations) {
        expect(await crib.resolveRef(from!)).toBeDefined()
        expect(await crib.resolveRef(to!)).toBeDefined()
      }
      expect(invocation.permission_decision_refs ?? []).toEqual(
        decisions.map(({ decision_id: each }) => each),
      )
      for (const [index, ref] of (invocation.hook_refs ?? []).entries())
        expect(await crib.resolveRef(ref)).toEqual(ran[index])
      expect(new Set(invocation.hook_refs).size).toBe(ran.length)
      expect(result!.persistence_refs ?? []).toEqual(persistence ? [persistence.decision_id] : [])
      for (const record of [
        ...decisions,
        ...mutations,
        ...ran,
        ...progress,
        result!,
        ...(persistence ? [persistence] : []),
      ]) {
        expect(record.invocation_id).toBe(id)
      }
      const named = (result!.toolcrib?.['input_mutations'] ?? []) as { mutation_id: string }[]
      const known = mutations.map(({ mutation_id: each }) => each)
      for (const { mutation_id: each } of named) expect(known).toContain(each)
      expect(invocation.actor_ref).toBe('agent:1')
      expect(invocation.native_call_id).toBe(result!.toolcrib!['native_call_id'])
      expect(invocation.ended_at).toBeTruthy()
    }
    expect(await crib.resolveRef('toolcrib://invocations/nothing/inputs/0')).toBeUndefined()
    expect(await crib.resolveRef('nonsense')).toBeUndefined()
  })

  it('[AT-PERSIST-02] a persistence decision is complete', () => {
    const { persistence } = all.stories.find((story) => story.persistence)!
    expect(persistence).toMatchObject({
      decision_id: expect.any(String),
      strategy: 'preview_and_persist',
      threshold: { max_inline_chars: 100 },
      original_size_bytes: 5000,
      preview_size_bytes: expect.any(Number),
      persisted_ref: { uri: expect.stringMatching(/^toolcrib:/), digest: expect.stringMatching(/^sha256:/) },
      redaction_state: 'none',
      reason: 'result_exceeded_inline_limit',
    })
  })

  it('[AT-RES-01] every result has its content, also in the form for models', () => {
    for (const result of all.returned) {
      expect(result.result_id).toBe(`res_${result.invocation_id}`)
      expect(typeof result.is_error).toBe('boolean')
      expect(result.model_facing_content!.length).toBeGreaterThan(0)
      expect(result.redaction_state).toBeTruthy()
    }
    expect(new Set(all.returned.map(({ result_id: id }) => id)).size).toBe(all.returned.length)
  })

  it('[AR-CALL-02] contains no sensitive value', async () => {
    expect(
      JSON.stringify((await records()).filter(([object]) => object !== 'tool_declaration')),
    ).not.toContain('used a-very-secret-key')
    const secret = all.stories.find(({ invocation }) => invocation.tool_id === 'local.secret')!
    expect(JSON.stringify(secret)).not.toContain('a-very-secret-key')
  })
})
