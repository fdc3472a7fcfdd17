import { join } from 'node:path'
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { zodToJsonSchema } from 'zod-to-json-schema'
import { z as z3 } from 'zod3'
import { defineHook, defineTool, partialResult, toolOutput, type CribOptions, type ToolDraft } from 'toolcrib'
import type { ToolExecutionProfile } from '../../src/contract/objects/tool-execution-profile.js'
import {
  toExecutionProfile,
  toInterface,
  toPermissionProfile,
} from '../../src/catalog/records/to-profiles.js'
import { collect, onBothStores, openCrib, shownText } from '../scenarios/open-crib.js'
import { versionOf } from '../crib/records/version-of.js'
import { temporaryFolder } from '../temporary-folder.js'

const quiet = { isReadOnly: true, isOpenWorld: false } as const
const marked = { type: 'string', visibility: 'internal' } as const

/** Calls the one tool and returns everything about the call. */
async function run(draft: ToolDraft, input: unknown, options: object = {}) {
  const crib = await openCrib({ tools: [draft], ...options })
  const call = crib.call(await crib.surface({ scope: 'turn' }), { name: draft.name, input })
  const result = await call
  return { crib, result, story: (await crib.story(call.invocationId))! }
}

describe('[AT-INPUT-02] [AT-IFACE-05] internal fields', () => {
  it.each<[string, object, string]>([
    ['at the top', { type: 'object', properties: { token: marked } }, 'token'],
    [
      'inside an object',
      { type: 'object', properties: { a: { type: 'object', properties: { token: marked } } } },
      'a.token',
    ],
    [
      'inside a list',
      { type: 'object', properties: { a: { type: 'array', items: { properties: { token: marked } } } } },
      'a.token',
    ],
    ['in a branch', { type: 'object', anyOf: [{ properties: { token: marked } }] }, 'token'],
    ['under a condition', { type: 'object', if: {}, else: { properties: { token: marked } } }, 'token'],
  ])('%s are rejected in the model’s schema', (_where, jsonSchema, path) => {
    const define = () => defineTool({ name: 't', description: 'T.', input: { jsonSchema }, execute: () => 1 })
    expect(define).toThrow(
      `shows the model the internal field "${path}"; move it from "input" to "runtimeInput"`,
    )
  })

  const shown = {
    type: 'object',
    properties: { text: { type: 'string' } },
    required: ['text'],
    additionalProperties: false,
  } as const
  const whole = { ...shown, properties: { ...shown.properties, run_as: marked } } as const
  const tool = (more: object = {}) =>
    defineTool({
      name: 't',
      description: 'T.',
      input: { jsonSchema: shown },
      runtimeInput: { jsonSchema: whole },
      ...quiet,
      execute: (input) => input,
      ...more,
    })
  const inject = defineHook({
    id: 'identity',
    event: 'pre_tool_use',
    run: ({ input }) => ({ updatedInput: { ...(input as object), run_as: 'clerk' } }),
  })

  it('[AT-INPUT-03] [AT-IFACE-06] a hook fills them, and the result names the source', async () => {
    const { crib, result, story } = await run(tool(), { text: 'a' }, { hooks: [inject] })
    expect(result.structured_content).toEqual({ text: 'a', run_as: 'clerk' })
    expect(result.toolcrib!['input_mutations']).toMatchObject([
      { source_type: 'hook', source_ref: versionOf('hook:identity') },
    ])
    expect(story.invocation.model_input).toEqual({ text: 'a' })
    expect(story.mutations).toMatchObject([{ changed_fields: ['run_as'] }])
    const declaration = crib.declaration('t')!
    expect(declaration.input_contract).toMatchObject({
      internal_only_fields: ['run_as'],
      runtime_input_schema: { properties: { run_as: { visibility: 'internal' } } },
    })
    expect(JSON.stringify(declaration.input_contract!.model_input_schema)).not.toContain('run_as')
  })

  it('[AT-INPUT-06] the model cannot fill them where its schema is closed', async () => {
    const { result } = await run(tool(), { text: 'a', run_as: 'root' })
    expect(result.error?.error_class).toBe('schema_validation_failed')
  })

  it('the runtime schema applies to what a hook fills in', async () => {
    const wrong = { ...inject, run: () => ({ updatedInput: { text: 'a', run_as: 7 } }) }
    const { result } = await run(tool(), { text: 'a' }, { hooks: [wrong] })
    expect(result.error?.error_class).toBe('schema_validation_failed')
    const unknown = { ...inject, run: () => ({ updatedInput: { text: 'a', other: 'x' } }) }
    expect((await run(tool(), { text: 'a' }, { hooks: [unknown] })).result.error?.error_class).toBe(
      'schema_validation_failed',
    )
  })

  it('work with a schema library', async () => {
    const draft = tool({ input: z.strictObject({ text: z.string().trim() }) })
    const { result, story } = await run(draft, { text: ' a ' }, { hooks: [inject] })
    expect(result.structured_content).toEqual({ text: 'a', run_as: 'clerk' })
    expect(story.mutations.map(({ source_type: by }) => by)).toEqual(['adapter', 'hook'])
  })

  it.each([
    ['forbid', 'hook', true],
    ['runtime_only', 'hook', true],
    ['allow', 'hook', false],
  ] as const)('mutation policy %s and a %s', async (mutationPolicy, _by, isRefused) => {
    const { result, story } = await run(tool({ mutationPolicy }), { text: 'a' }, { hooks: [inject] })
    expect(result.error?.error_code).toBe(isRefused ? 'toolcrib.mutation_forbidden' : undefined)
    if (isRefused) {
      expect(result.error).toMatchObject({ error_class: 'input_mutation_failed' })
      expect(story.mutations).toEqual([])
      expect(story.invocation).not.toHaveProperty('started_at')
    }
  })

  it('a policy that forbids applies to people too, but not to the schema and the runtime', async () => {
    const draft = (mutationPolicy: 'forbid' | 'runtime_only') =>
      defineTool({
        name: 't',
        description: 'T.',
        input: z.object({ path: z.string(), size: z.number().default(1) }),
        paths: { path: 'write' },
        mutationPolicy,
        execute: (input) => input,
      })
    const workspace = temporaryFolder()
    const approving = { workspace, approver: () => ({ approved: true }) }
    const path = join(workspace, 'a')
    for (const policy of ['forbid', 'runtime_only'] as const) {
      const { result } = await run(draft(policy), { path: 'a' }, approving)
      expect(result.structured_content).toEqual({ path, size: 1 })
      const edited = await run(
        draft(policy),
        { path: 'a' },
        {
          workspace,
          approver: () => ({ approved: true, updatedInput: { path, size: 2 } }),
        },
      )
      expect(edited.result.error?.error_code).toBe('toolcrib.mutation_forbidden')
    }
  })

  it('a hook that returns the same input has changed nothing', async () => {
    const same = {
      ...inject,
      run: ({ input }: { input: unknown }) => ({ updatedInput: { ...(input as object) } }),
    }
    const { result, story } = await run(tool({ mutationPolicy: 'forbid' }), { text: 'a' }, { hooks: [same] })
    expect(result.status).toBe('succeeded')
    expect(story.mutations).toEqual([])
  })
})

describe('[AT-MODEL-07] [AT-MODEL-08] [AT-IFACE-02] [AT-IFACE-03] facts', () => {
  const takes = (...names: string[]) => ({
    input: {
      jsonSchema: {
        type: 'object',
        properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
      },
    },
  })
  const factsOf = async (more: object, input: unknown = {}) => {
    const draft = defineTool({ name: 't', description: 'T.', execute: () => 1, ...more })
    const { crib, story } = await run(draft, input, { decider: () => ({ behavior: 'allow' }) })
    const { scheduler, toolcrib } = story.invocation
    const needsPerson = toolcrib!['requires_user_interaction']
    return {
      ...scheduler,
      needsPerson,
      origins: toolcrib!['fact_origins'],
      interface: toInterface(crib.tool('t')!),
    }
  }

  it('that are not stated are the cautious ones, marked as defaults', async () => {
    const facts = await factsOf({})
    expect(facts).toMatchObject({
      is_read_only: false,
      is_destructive: false,
      is_open_world: true,
      is_concurrency_safe: false,
      requires_exclusive_context: false,
      needsPerson: false,
    })
    expect(new Set(Object.values(facts.origins as object))).toEqual(new Set(['default']))
    expect(facts.interface).toMatchObject({
      is_read_only: false,
      is_concurrency_safe: false,
      is_destructive: false,
      is_open_world: true,
      requires_user_interaction: false,
      strict: true,
      interrupt_behavior: 'block',
      classifier_input: '',
      toolcrib: { origins: { strict: 'default', is_read_only: 'default', interrupt_behavior: 'default' } },
    })
  })

  it('that are read from the command are marked so, unless the tool declares them', async () => {
    const input = { jsonSchema: { type: 'object', properties: { command: { type: 'string' } } } }
    const shell = { kind: 'shell_command', input, command: 'command', isDestructive: false }
    const facts = await factsOf(shell, { command: 'ls' })
    expect(facts).toMatchObject({ is_read_only: true, origins: { is_read_only: 'inferred' } })
    expect(facts.interface).toMatchObject({
      is_read_only: 'classifier:command_read_only',
      is_open_world: true,
      is_concurrency_safe: 'same_as:is_read_only',
      is_destructive: false,
      toolcrib: { origins: { is_read_only: 'inferred', is_destructive: 'declared', strict: 'default' } },
    })
  })

  it.each<[string, object, unknown]>([
    ['a function of the tool', { classifierInput: () => 'x', ...takes('url') }, 'function:classifier_input'],
    ['a declared command', { ...takes('line', 'note'), command: 'line' }, 'input.line'],
    [
      'declared URLs and paths',
      { ...takes('from', 'to'), urls: ['from'], paths: { to: 'write' } },
      'fields:from,to',
    ],
    ['fields by their names', takes('command', 'note', 'filePath', 'url'), 'fields:command,filePath,url'],
    ['nothing that tells', takes('note', 'amount'), ''],
  ])('classifiers get %s', async (_what, more, shown) => {
    expect((await factsOf(more)).interface.classifier_input).toBe(shown)
  })

  it('that are functions get the input of the call', async () => {
    const more = {
      isReadOnly: ({ command }: { command: string }) => command === 'ls',
      isDestructive: ({ command }: { command: string }) => command === 'rm',
    }
    expect(await factsOf(more, { command: 'ls' })).toMatchObject({
      is_read_only: true,
      is_destructive: false,
    })
    const removing = await factsOf(more, { command: 'rm' })
    expect(removing).toMatchObject({ is_read_only: false, is_destructive: true })
    expect(removing.origins).toMatchObject({ is_read_only: 'inferred', is_open_world: 'default' })
    expect(removing.interface.is_read_only).toBe('function:is_read_only')
  })

  it.each([
    [
      'throw',
      () => {
        throw new Error('broken')
      },
    ],
    ['return another type', () => 'yes'],
    ['return a promise', async () => true],
  ])('that %s count as the stricter value', async (_what, rule) => {
    const names = [
      'isReadOnly',
      'isDestructive',
      'isOpenWorld',
      'isConcurrencySafe',
      'requiresUserInteraction',
      'requiresExclusiveContext',
    ]
    const facts = await factsOf(Object.fromEntries(names.map((name) => [name, rule])))
    expect(facts).toMatchObject({
      is_read_only: false,
      is_destructive: true,
      is_open_world: true,
      is_concurrency_safe: false,
      needsPerson: true,
      requires_exclusive_context: true,
    })
  })

  it('[AT-PERM-02] become a permission profile, whose estimated risk is marked as an estimate', async () => {
    const profileOf = async (more: object) => {
      const crib = await openCrib({
        tools: [defineTool({ name: 't', description: 'T.', execute: () => 1, ...more })],
      })
      return toPermissionProfile(crib.tool('t')!)
    }
    expect(await profileOf({})).toMatchObject({
      risk_level: 'high',
      toolcrib: { origins: { risk_level: 'inferred' } },
    })
    expect((await profileOf(quiet)).risk_level).toBe('low')
    expect((await profileOf({ isReadOnly: true })).risk_level).toBe('medium')
    const stated = {
      risk_level: 'critical',
      access_kinds: ['network', 'payment'],
      write_effects: ['irreversible'],
      network_scope: 'bank.example',
      approval_required: true,
      credential_refs: ['bank'],
    }
    expect(await profileOf({ permission: stated })).toMatchObject({
      ...stated,
      toolcrib: { origins: { risk_level: 'declared' } },
    })
  })
})

onBothStores('sensitive fields', (newStore) => {
  it('nested, in lists and under every name are masked from the first record on', async () => {
    const input = {
      user: 'anna',
      auth: { password: 'hunter2hunter2', hint: 'animal' },
      keys: [{ value: 'key-one-secret' }, { value: 'key-two-secret' }],
      headers: { Authorization: 'Bearer abcdef', Cookie: 'session=xyz' },
      pin: 123456,
    }
    const secrets = [
      'hunter2hunter2',
      'key-one-secret',
      'key-two-secret',
      'Bearer abcdef',
      'session=xyz',
      '123456',
    ]
    const seen: unknown[] = []
    const draft = defineTool({
      name: 't',
      description: 'T.',
      sensitiveFields: ['auth.password', 'keys.*.value', 'headers.*', 'pin', 'absent.field'],
      ...quiet,
      execute: (given, { progress }) => {
        seen.push(structuredClone(given))
        progress({ message: `using ${secrets[0]}`, current_step: String(secrets[1]) })
        return { echo: given, text: `the pin is ${secrets[5]}` }
      },
      toUi: () => `signed in with ${secrets[0]}`,
    })
    const crib = await openCrib({ store: newStore(), tools: [draft] })
    const call = crib.call(await crib.surface({ scope: 'turn' }), { name: 't', input })
    const events = await collect(call)
    const result = await call
    expect(seen).toEqual([input])
    const story = (await crib.story(call.invocationId))!
    expect(story.invocation.model_input).toEqual({
      user: 'anna',
      auth: { password: '[redacted]', hint: 'animal' },
      keys: [{ value: '[redacted]' }, { value: '[redacted]' }],
      headers: { Authorization: '[redacted]', Cookie: '[redacted]' },
      pin: '[redacted]',
    })
    expect(result.redaction_state).toBe('partially_redacted')
    expect(result.structured_content).toMatchObject({
      echo: story.invocation.model_input,
      text: 'the pin is [redacted]',
    })
    const text = JSON.stringify([result, story, events, await collect(crib.events())])
    for (const secret of secrets) expect(text).not.toContain(secret)
  })

  it('are not in refusals and failures', async () => {
    const draft = (more: object) =>
      defineTool({
        name: 't',
        description: 'T.',
        input: { jsonSchema: { type: 'object', properties: { key: { type: 'string', maxLength: 5 } } } },
        sensitiveFields: ['key'],
        ...quiet,
        execute: () => 1,
        ...more,
      })
    const crib = await openCrib({ store: newStore(), tools: [draft({})] })
    const refused = await crib.call(await crib.surface({ scope: 'turn' }), {
      name: 't',
      input: { key: 'too-long-secret' },
    })
    expect(refused.error?.error_class).toBe('schema_validation_failed')
    expect(JSON.stringify(refused)).not.toContain('too-long-secret')
    const other = await openCrib({
      store: newStore(),
      tools: [
        draft({
          input: { jsonSchema: { type: 'object' } },
          validate: ({ key }: { key: string }) => (key === 'checked-secret' ? `${key} is wrong` : undefined),
          execute: ({ key }: { key: string }) => {
            throw new Error(`cannot use ${key}`)
          },
        }),
      ],
    })
    const surface = await other.surface({ scope: 'turn' })
    for (const key of ['checked-secret', 'thrown-secret']) {
      const result = await other.call(surface, { name: 't', input: { key } })
      expect(result.is_error).toBe(true)
      expect(JSON.stringify(result)).not.toContain(key)
      expect(result.error!.message).toContain('[redacted]')
    }
  })

  it('the input of an unknown tool keeps its shape and none of its texts', async () => {
    const crib = await openCrib({ store: newStore() })
    const call = crib.call(await crib.surface({ scope: 'turn' }), {
      name: 'nothing',
      input: { a: 'secret-text', b: [1, 'another-secret'], c: { d: true } },
    })
    await call
    expect((await crib.invocation(call.invocationId))!.model_input).toEqual({
      a: '[redacted]',
      b: ['[redacted]', '[redacted]'],
      c: { d: true },
    })
  })
})

describe('paths', () => {
  it('are made absolute, from the surface’s workspace or the crib’s', async () => {
    const [workspace, other] = [temporaryFolder(), temporaryFolder()]
    const crib = await openCrib({
      workspace,
      tools: [
        defineTool({
          name: 't',
          description: 'T.',
          input: { jsonSchema: { type: 'object' } },
          paths: { path: 'read', paths: 'read', absent: 'write' },
          ...quiet,
          execute: (input) => input,
        }),
      ],
    })
    const give = async (input: object, request: object = {}) =>
      (await crib.call(await crib.surface({ scope: 'turn', ...request }), { name: 't', input }))
        .structured_content
    expect(await give({ path: 'a/../b.txt', other: 'c' })).toEqual({
      path: join(workspace, 'b.txt'),
      other: 'c',
    })
    expect(await give({ path: 'b.txt' }, { workspace: other })).toEqual({ path: join(other, 'b.txt') })
    expect(await give({ paths: ['a', '/b', 7] })).toEqual({ paths: [join(workspace, 'a'), '/b', 7] })
    expect(await give({ path: '/x/../y' })).toEqual({ path: '/y' })
    expect(await give({ path: '' })).toEqual({ path: '' })
    expect(await give({ path: 7 })).toEqual({ path: 7 })
  })
})

describe("[AT-IFACE-01] the forms of a tool's output", () => {
  it('the model, the screen and the transcript each get their own', async () => {
    const draft = defineTool({
      name: 't',
      description: 'T.',
      ...quiet,
      execute: () => ({ rows: [1, 2, 3], total: 3 }),
      toModel: (output) => `${(output as { total: number }).total} rows`,
      toUi: () => 'Three rows found',
      transcriptText: () => 'rows 1 2 3',
      rendering: { activityDescription: 'Looking', errorRenderHint: 'red', uiSummary: 'Rows' },
      title: 'Rows',
    })
    const { crib, result } = await run(draft, {})
    expect(result).toMatchObject({
      structured_content: { rows: [1, 2, 3], total: 3 },
      content: [{ type: 'text', text: '{"rows":[1,2,3],"total":3}' }],
      model_facing_content: [{ type: 'text', text: '3 rows' }],
      ui_facing_summary: 'Three rows found',
      transcript_search_text: 'rows 1 2 3',
    })
    expect(toInterface(crib.tool('t')!)).toMatchObject({
      user_facing_name: 'Rows',
      result_mapper: 'function:to_model',
      rendering: { activity_description: 'Looking', error_render_hint: 'red', ui_summary: 'Rows' },
      empty_result_policy: 'explicit_marker',
    })
  })

  it('wrapped outputs have content, refs, a summary and a partial failure separately', async () => {
    const { result } = await run(
      defineTool({
        name: 't',
        description: 'T.',
        ...quiet,
        execute: () =>
          toolOutput({
            content: [{ type: 'image', data: 'AAAA', media_type: 'image/png' }],
            structured: { done: 2 },
            summary: 'Two of three.',
            resourceRefs: [{ uri: 'file:///a', media_type: 'text/plain' }],
            artifactRefs: [{ ref_id: 'art_1' }],
            partialFailure: 'The third was locked.',
            contextModifier: { cwd: '/x' },
          }),
      }),
      {},
    )
    expect(result).toMatchObject({
      status: 'partial_succeeded',
      is_error: false,
      content: [{ type: 'image', data: 'AAAA' }],
      structured_content: { done: 2 },
      summary: 'Two of three.',
      resource_refs: [{ uri: 'file:///a' }],
      artifact_refs: [{ ref_id: 'art_1' }],
      error: { error_class: 'partial_failure', message: 'The third was locked.' },
      toolcrib: { context_modifier_state: 'rejected', context_modifier_rejected_by: 'forbid' },
    })
  })

  it('data that looks like a wrapped output is data', async () => {
    const { result } = await run(
      defineTool({ name: 't', description: 'T.', ...quiet, execute: () => ({ content: [], structured: 1 }) }),
      {},
    )
    expect(result.structured_content).toEqual({ content: [], structured: 1 })
  })

  it('an output that does not match its schema is an error that says where', async () => {
    const draft = (execute: () => never) =>
      defineTool({ name: 't', description: 'T.', output: z.object({ n: z.number() }), ...quiet, execute })
    const { result } = await run(
      draft(() => ({ n: 'one' }) as never),
      {},
    )
    expect(result).toMatchObject({
      status: 'failed',
      error: { error_class: 'result_mapping_failed', error_code: 'toolcrib.output_schema_mismatch' },
    })
    expect(shownText(result)).toContain('/n')
    expect(
      (
        await run(
          draft(() => undefined as never),
          {},
        )
      ).result.is_error,
    ).toBe(true)
    expect(
      (
        await run(
          draft(() => ({ n: 1 }) as never),
          {},
        )
      ).result.structured_content,
    ).toEqual({ n: 1 })
  })

  it('a mapper that throws is an error, not a crash', async () => {
    const broken = () => {
      throw new Error('the mapper broke')
    }
    for (const more of [{ toModel: broken }, { toUi: broken }, { transcriptText: broken }]) {
      const draft = defineTool({ name: 't', description: 'T.', ...quiet, execute: () => ({ a: 1 }), ...more })
      expect((await run(draft, {})).result.error?.error_class).toBe('result_mapping_failed')
    }
  })

  it('generators yield progress and partial results, and return the result', async () => {
    const draft = defineTool({
      name: 't',
      description: 'T.',
      ...quiet,
      async *execute() {
        yield 'one'
        yield { percent: 50 }
        yield partialResult({ first: 1 })
        return { all: [1, 2] }
      },
    })
    const { result, story } = await run(draft, {})
    expect(result.structured_content).toEqual({ all: [1, 2] })
    expect(story.progress.map(({ status }) => status)).toEqual(['running', 'running', 'partial_result'])
    expect(story.invocation.status_transitions!.map(({ to }) => to)).toEqual([
      'planned',
      'selected',
      'arguments_ready',
      'running',
      'partial_result',
      'running',
      'succeeded',
    ])
  })
})

describe('schemas of every kind', () => {
  const forms = {
    'zod 4': z.object({ n: z.number().default(2) }),
    'zod 3 pair': {
      validator: z3.object({ n: z3.number().default(2) }),
      jsonSchema: zodToJsonSchema,
    },
    valibot: toStandardJsonSchema(v.object({ n: v.optional(v.number(), 2) })),
    arktype: type({ n: 'number = 2' }),
    'plain JSON Schema': {
      jsonSchema: { type: 'object', properties: { n: { type: 'number', default: 2 } } },
    },
  } as const

  it.each(Object.entries(forms))('%s checks, fills defaults and is declared', async (_name, input) => {
    const draft = defineTool({ name: 't', description: 'T.', input, ...quiet, execute: (given) => given })
    const { crib, result } = await run(draft, {})
    expect(result.structured_content).toEqual({ n: 2 })
    expect((await run(draft, { n: 'x' })).result.error?.error_class).toBe('schema_validation_failed')
    const declared = crib.declaration('t')!.input_contract!.model_input_schema
    expect(declared).toMatchObject({ type: 'object', properties: { n: { type: 'number' } } })
  })

  it('an unusable schema blocks its own tool and no other', async () => {
    const crib = await openCrib({
      tools: [
        defineTool({
          name: 'bad',
          description: 'T.',
          input: { jsonSchema: { type: 'nonsense' } },
          ...quiet,
          execute: () => 1,
        }),
        defineTool({ name: 'good', description: 'T.', ...quiet, execute: () => 1 }),
      ],
    })
    const surface = await crib.surface({ scope: 'turn' })
    expect((await crib.call(surface, { name: 'bad' })).error).toMatchObject({
      error_class: 'setup_required',
      error_code: 'toolcrib.schema_unusable',
    })
    expect((await crib.call(surface, { name: 'good' })).status).toBe('succeeded')
  })

  it('without an executor there is no tool', () => {
    expect(() => defineTool({ name: 't', description: 'T.', execute: undefined as never })).toThrow(
      /no executor/,
    )
  })
})

describe('[AR-INV-02] [AT-KIND-01] [AT-DECL-01] [AT-DECL-02] a declaration', () => {
  it('has what its author stated, and refs to the rest', async () => {
    const crib = await openCrib({
      tools: [
        defineTool({
          namespace: 'web',
          name: 'search',
          aliases: ['web_search'],
          searchHint: 'current public web information',
          title: 'Web Search',
          description: 'Search the web.',
          kind: 'web_search',
          capabilityRefs: ['web_search'],
          annotations: { readOnlyHint: true },
          input: { jsonSchema: { type: 'object', properties: { q: { type: 'string' } } } },
          output: { jsonSchema: { type: 'object' } },
          examples: [{ q: 'weather' }],
          maxInlineChars: 100,
          execute: () => ({}),
        }),
        defineTool({ name: 'bare', description: 'Says little.', execute: () => 1 }),
      ],
    })
    expect(crib.declaration('web.search')).toMatchObject({
      schema_version: '0.2.0',
      tool_id: 'web.search',
      namespace: 'web',
      name: 'search',
      aliases: ['web_search'],
      search_hint: 'current public web information',
      title: 'Web Search',
      description: 'Search the web.',
      lifecycle: 'available',
      tool_kind: 'web_search',
      capability_refs: ['web_search'],
      input_contract: {
        strict: true,
        examples: [{ q: 'weather' }],
        argument_mode: 'json',
        mutation_policy: 'allow',
      },
      output_contract: { structured_schema: { type: 'object' }, max_inline_chars: 100 },
      interface_ref: versionOf('tool_interface:web.search'),
      execution_profile_ref: versionOf('execution_profile:web.search'),
      permission_profile_ref: versionOf('permission_profile:web.search'),
      external_mappings: [{ source: 'function', function_name: 'search' }],
      annotations: { readOnlyHint: true },
    })
    const tool = crib.tool('web.search')!
    expect(toInterface(tool).interface_id).toBe('tool_interface:web.search')
    expect(toExecutionProfile(tool).execution_profile_id).toBe('execution_profile:web.search')
    expect(toPermissionProfile(tool).permission_profile_id).toBe('permission_profile:web.search')
    expect(crib.declaration('bare')!.tool_kind).toBe('function')
    expect(crib.declaration('nothing')).toBeUndefined()
  })
})

describe('[AT-EXEC-01] an execution profile states what is true', () => {
  const profileOf = async (more: object, options: Partial<CribOptions> = {}) => {
    const crib = await openCrib({
      tools: [defineTool({ name: 't', description: 'T.', execute: () => 1, ...more })],
      ...options,
    })
    return (await crib.resolveRef('execution_profile:local.t')) as ToolExecutionProfile
  }

  it.each<[string, object, Partial<CribOptions>, Partial<ToolExecutionProfile>]>([
    ['results are stored', {}, {}, { supports_result_persistence: true }],
    ['the tool forbids it', { persistence: 'never_persist' }, {}, { supports_result_persistence: false }],
    ['results stay inline', { persistence: 'inline' }, {}, { supports_result_persistence: false }],
    [
      'the crib forbids it',
      {},
      { results: { persistence: 'never_persist' } },
      { supports_result_persistence: false },
    ],
    [
      'any function can return artifacts',
      { supports: ['cancel'] },
      {},
      { supports_artifacts: true, supports_cancel: true },
    ],
    ['context is not changed', {}, {}, { supports_context_modifiers: false }],
    ['context is forbidden', { contextModifierPolicy: 'forbid' }, {}, { supports_context_modifiers: false }],
    [
      'context alone',
      { contextModifierPolicy: 'allow_serial_only' },
      {},
      { supports_context_modifiers: true },
    ],
    ['no retries', {}, {}, { supports_retries: false }],
    ['retries of the tool', { retries: 1 }, {}, { supports_retries: true }],
    ['retries of the crib', {}, { retries: { max: 2 } }, { supports_retries: true }],
    [
      'no retries of the tool, whatever the crib says',
      { retries: 0 },
      { retries: 2 },
      { supports_retries: false },
    ],
  ])('%s', async (_what, more, options, profile) => {
    expect(await profileOf(more, options)).toMatchObject(profile)
  })

  it.each<[object, string]>([
    [{ supports: ['cancellation'] }, '"supports" has "cancellation"'],
    [{ supports: ['context_modifiers'] }, 'its "contextModifierPolicy" forbids them'],
    [
      { supports: ['result_persistence'], persistence: 'never_persist' },
      'its "persistence" is never_persist',
    ],
  ])('false statements are rejected: %j', (more, sentence) => {
    const options = { name: 't', description: 'T.', execute: () => 1, ...more }
    expect(() => defineTool(options as never)).toThrow(sentence)
  })
})

describe('[AT-INPUT-05] arguments in another form than JSON', () => {
  it.each(['text', 'file', 'multipart', 'stream', 'custom', 'xml'])('%s is refused', async (argumentMode) => {
    const sentence = `has the argument mode "${argumentMode}", but arguments are given as JSON here`
    const plain = { name: 't', description: 'T.', execute: () => 1 }
    expect(() => defineTool({ ...plain, argumentMode } as never)).toThrow(sentence)
    const draft = defineTool({ ...plain, argumentMode: 'json' })
    const other = { ...draft, input: { ...draft.input, argumentMode } } as typeof draft
    await expect(openCrib({ tools: [other] })).rejects.toThrow(sentence)
  })
})
