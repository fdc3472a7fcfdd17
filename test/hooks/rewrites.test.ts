import { describe, expect, it, vi } from 'vitest'
import { commandHook, defineHook, type HookAnswer, type HookDefinition } from 'toolcrib'
import { openCrib } from '../scenarios/open-crib.js'
import { makeCall, printing } from './make-call.js'
import { versionOf } from '../crib/records/version-of.js'

const SCHEMA = {
  input: {
    jsonSchema: {
      type: 'object',
      properties: { n: { type: 'number' }, trail: { type: 'array' } },
      required: ['n'],
      additionalProperties: false,
    },
  },
}

/** Adds its name to the trail. */
const adding = (id: string, order?: number, more: Partial<HookAnswer> = {}): HookDefinition =>
  defineHook({
    id,
    event: 'pre_tool_use',
    ...(order !== undefined && { order }),
    run: ({ input }) => {
      const { trail = [], ...rest } = input as { trail?: string[] }
      return { updatedInput: { ...rest, trail: [...trail, id] }, ...more }
    },
  })

describe('a hook that rewrites the input', () => {
  it('replaces all of it; the record names the hook and the version', async () => {
    const hook = commandHook({
      id: 'fix',
      event: 'pre_tool_use',
      ...printing({ hookSpecificOutput: { updatedInput: { n: 2 } } }),
    })
    const { ran, result, story } = await makeCall([hook], { input: { n: 1, trail: [] }, tool: SCHEMA })
    expect(ran).toEqual({ n: 2 })
    expect(story.invocation.model_input).toEqual({ n: 1, trail: [] })
    expect(story.mutations).toMatchObject([
      { source_type: 'hook', source_ref: versionOf('hook:fix'), changed_fields: ['n', 'trail'] },
    ])
    expect(result.toolcrib!['input_mutations']).toMatchObject([{ source_ref: versionOf('hook:fix') }])
    expect(story.hooks[0]!.outputs).toEqual([
      { type: 'updated_input', ref: story.mutations[0]!.to_input_ref },
    ])
  })

  it.each([
    ['allow', 'succeeded'],
    ['runtime_only', 'failed'],
    ['forbid', 'failed'],
  ] as const)('obeys the mutation policy "%s" of the tool', async (mutationPolicy, status) => {
    const { result, story, executions } = await makeCall([adding('fix')], {
      input: { n: 1 },
      tool: { ...SCHEMA, mutationPolicy },
    })
    expect(result.status).toBe(status)
    if (status === 'succeeded') return
    expect(result.error).toMatchObject({ error_code: 'toolcrib.mutation_forbidden' })
    expect(story.hooks[0]!.outputs).toEqual([
      { type: 'updated_input', toolcrib: { refused: 'toolcrib.mutation_forbidden' } },
    ])
    expect(story.mutations).toEqual([])
    expect(executions).toBe(0)
  })

  it('is validated again by the schema, by the tool and by the rules', async () => {
    const wrong = defineHook({ id: 'h', event: 'pre_tool_use', run: () => ({ updatedInput: { n: 'two' } }) })
    expect((await makeCall([wrong], { input: { n: 1 }, tool: SCHEMA })).result.error!.error_class).toBe(
      'schema_validation_failed',
    )
    const change = defineHook({ id: 'h', event: 'pre_tool_use', run: () => ({ updatedInput: { n: 2 } }) })
    const validate = vi.fn(({ n }: { n: number }) => (n === 2 ? 'no twos' : undefined))
    const refused = await makeCall([change], { input: { n: 1 }, tool: { ...SCHEMA, validate } })
    expect(refused.result.error!.error_class).toBe('invalid_arguments')
    const judged: unknown[] = []
    await makeCall([change], {
      input: { n: 1 },
      tool: SCHEMA,
      decider: ({ input }) => {
        judged.push(input)
        return { behavior: 'allow' }
      },
    })
    expect(judged).toEqual([{ n: 2 }])
  })

  it('to the same value has changed nothing', async () => {
    const same = defineHook({ id: 'h', event: 'pre_tool_use', run: ({ input }) => ({ updatedInput: input }) })
    const { story } = await makeCall([same], {
      input: { n: 1 },
      tool: { ...SCHEMA, mutationPolicy: 'forbid' },
    })
    expect(story.mutations).toEqual([])
    expect(story.hooks[0]!.outputs).toEqual([{ type: 'updated_input', ref: story.invocation.call_input_ref }])
  })

  it('stops the call if it asks for that, and then its rewrite is not applied', async () => {
    const { result, story } = await makeCall([adding('h', undefined, { stop: { reason: 'no' } })], {
      input: { n: 1 },
      tool: SCHEMA,
    })
    expect(result.error).toMatchObject({ error_class: 'hook_blocked', toolcrib: { stopped_by: 'hook:h' } })
    expect(story.mutations).toEqual([])
  })

  it('a secret that it inserts is not repeated by its messages', async () => {
    const hook = defineHook({
      id: 'h',
      event: 'pre_tool_use',
      run: () => ({ updatedInput: { password: 'brand-new-secret' }, message: 'set to brand-new-secret' }),
    })
    const { story, result } = await makeCall([hook], { tool: { sensitiveFields: ['password'] } })
    expect(JSON.stringify([story, result])).not.toContain('brand-new-secret')
  })
})

it('the hook that a mutation names can be found', async () => {
  const crib = await openCrib({
    hooks: [defineHook({ id: 'fix', event: 'pre_tool_use', tools: ['a.*'], order: 2, run: () => {} })],
  })
  expect(await crib.resolveRef('hook:fix')).toEqual({
    schema_version: '0.2.0',
    hook_id: 'fix',
    hook_event: 'pre_tool_use',
    matcher: { tools: ['a.*'] },
    toolcrib: { transport: 'function', order: 2 },
  })
  expect(await crib.resolveRef('hook:other')).toBeUndefined()
})

describe('two hooks that rewrite one call', () => {
  const both = (a: HookDefinition, b: HookDefinition) => makeCall([a, b], { input: { n: 1 }, tool: SCHEMA })

  it.each([
    ['neither has an order', undefined, undefined],
    ['only the first has one', 1, undefined],
    ['only the second has one', undefined, 1],
    ['both have the same', 1, 1],
  ])('are an error if %s', async (_what, first, second) => {
    const { result, executions, story } = await both(adding('a', first), adding('b', second))
    expect(result.error).toMatchObject({
      error_class: 'input_mutation_failed',
      error_code: 'toolcrib.two_rewrites',
    })
    expect(story.hooks[1]!.outputs).toEqual([
      { type: 'updated_input', toolcrib: { refused: 'toolcrib.two_rewrites' } },
    ])
    expect(executions).toBe(0)
  })

  it.each([
    ['as they are written', 1, 2, ['a', 'b']],
    ['by their numbers', 2, 1, ['b', 'a']],
  ])('with an order run %s, each on the result of the other', async (_what, first, second, trail) => {
    const { ran, story, result } = await both(adding('a', first), adding('b', second))
    expect(ran).toEqual({ n: 1, trail })
    expect(story.mutations.map(({ source_ref: by }) => by)).toEqual(
      trail.map((id) => versionOf(`hook:${id}`)),
    )
    expect(result.toolcrib!['input_mutations']).toHaveLength(2)
    expect(story.mutations[1]!.from_input_ref).toBe(story.mutations[0]!.to_input_ref)
    expect(story.hooks.map(({ hook_id: id }) => id)).toEqual(trail)
  })

  it('three may, and those without a number come after them', async () => {
    const seen: unknown[] = []
    const last = defineHook({
      id: 'last',
      event: 'pre_tool_use',
      run: ({ input }) => void seen.push((input as { trail: string[] }).trail),
    })
    const { ran } = await makeCall([last, adding('c', 30), adding('a', -1), adding('b', 2.5)], {
      input: { n: 1 },
      tool: SCHEMA,
    })
    expect(ran).toEqual({ n: 1, trail: ['a', 'b', 'c'] })
    expect(seen).toEqual([['a', 'b', 'c']])
  })

  it('an allow before a later rewrite does not cover the rewritten input', async () => {
    const allow = defineHook({
      id: 'allow',
      event: 'pre_tool_use',
      run: () => ({ permission: { behavior: 'allow' } }),
    })
    const options = {
      input: { n: 1 },
      tool: SCHEMA,
      decider: () => ({ behavior: 'ask', isDefault: true }) as const,
    }
    expect((await makeCall([allow], options)).result.status).toBe('succeeded')
    expect((await makeCall([adding('a'), allow], options)).result.status).toBe('succeeded')
    expect((await makeCall([allow, adding('a')], options)).result.status).toBe('rejected')
    const own = adding('a', undefined, { permission: { behavior: 'allow' } })
    expect((await makeCall([own], options)).result.status).toBe('succeeded')
  })

  it('a deny by the first hook ends the call, although the second hook rewrites the input', async () => {
    const deny = defineHook({
      id: 'deny',
      event: 'pre_tool_use',
      run: () => ({ permission: { behavior: 'deny' } }),
    })
    const { result, executions } = await makeCall([deny, adding('a')], { input: { n: 1 }, tool: SCHEMA })
    expect({ status: result.status, executions }).toEqual({ status: 'denied', executions: 0 })
  })
})
