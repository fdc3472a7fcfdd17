import { expect, it, vi } from 'vitest'
import { z } from 'zod'
import { defineHook, defineTool } from 'toolcrib'
import { onBothStores, openCrib, shownText } from './open-crib.js'

const addSchema = {
  jsonSchema: {
    type: 'object',
    properties: { a: { type: 'number' }, b: { type: 'number' } },
    required: ['a', 'b'],
    additionalProperties: false,
  },
} as const

onBothStores('[AT-SCEN-03] acceptance scenario 3: arguments are validated before execution', (newStore) => {
  async function openAdder() {
    const reached = { execute: vi.fn(), validate: vi.fn(), hook: vi.fn(), decider: vi.fn() }
    const add = defineTool({
      namespace: 'math',
      name: 'add',
      description: 'Adds two numbers.',
      input: addSchema,
      isReadOnly: true,
      isOpenWorld: false,
      validate: () => {
        reached.validate()
      },
      execute({ a, b }) {
        reached.execute()
        return a + b
      },
    })
    const crib = await openCrib({
      store: newStore(),
      tools: [add],
      hooks: [defineHook({ id: 'watch', event: 'pre_tool_use', run: () => reached.hook() })],
      decider: () => {
        reached.decider()
        return { behavior: 'allow' }
      },
    })
    return { crib, surface: await crib.surface({ scope: 'turn' }), reached }
  }

  it.each([
    ['a wrong type', { a: 'one', b: 2 }, '/a'],
    ['a missing field', { a: 1 }, 'b'],
    ['an unknown field', { a: 1, b: 2, c: 3 }, 'c'],
    ['another shape', [1, 2], 'object'],
    ['a number that JSON does not know', { a: Number.NaN, b: 2 }, 'NaN'],
    ['something that is no data', { a: () => 1, b: 2 }, 'function'],
  ])('[AT-PIPE-02] rejects %s before any other check', async (_what, input, named) => {
    const { crib, surface, reached } = await openAdder()
    const call = crib.call(surface, { name: 'math.add', input, nativeCallId: 'call_1' })
    const result = await call
    expect(result).toMatchObject({
      status: 'failed',
      is_error: true,
      invocation_id: call.invocationId,
      error: { error_class: 'schema_validation_failed', recoverability: 'change_arguments' },
    })
    expect(shownText(result)).toContain(named)
    for (const spy of Object.values(reached)) expect(spy).not.toHaveBeenCalled()

    const story = (await crib.story(call.invocationId))!
    expect(story.invocation.status).toBe('schema_parse_failed')
    expect(story.invocation.status_transitions!.map(({ to }) => to)).toEqual([
      'planned',
      'selected',
      'schema_parse_failed',
    ])
    expect(story.invocation).not.toHaveProperty('started_at')
    expect(story.invocation).not.toHaveProperty('observable_input')
    expect(story.invocation).not.toHaveProperty('permission_input')
    expect(story.invocation).not.toHaveProperty('call_input')
    expect(story.result).toEqual(result)
    expect(story.decisions).toEqual([])
  })

  it.each([
    ['text that is no JSON', '{"a": 1, '],
    ['a scalar', '3'],
  ])('parses JSON text as providers send it, and rejects %s', async (_what, input) => {
    const { crib, surface, reached } = await openAdder()
    const good = await crib.call(surface, { name: 'add', input: '{"a": 1, "b": 2}' })
    expect(good).toMatchObject({ status: 'succeeded', structured_content: 3 })
    const bad = await crib.call(surface, { name: 'add', input })
    expect(bad).toMatchObject({ is_error: true, error: { error_class: 'schema_validation_failed' } })
    expect(reached.execute).toHaveBeenCalledOnce()
  })

  it('lists every issue for programs and names the first for the model', async () => {
    const { crib, surface } = await openAdder()
    const result = await crib.call(surface, { name: 'add', input: { a: 'x', b: 'y', c: 'z' } })
    const issues = result.error?.toolcrib?.['issues'] as { path: string }[]
    expect(issues.map(({ path }) => path)).toEqual(expect.arrayContaining(['/a', '/b']))
  })

  it('uses the validated value of a schema library', async () => {
    const seen: unknown[] = []
    const crib = await openCrib({
      store: newStore(),
      tools: [
        defineTool({
          name: 'page',
          description: 'Shows a page.',
          input: z.object({ page: z.string().transform(Number), size: z.number().default(10) }),
          isReadOnly: true,
          isOpenWorld: false,
          execute: (input) => {
            seen.push(input)
            return input.page * input.size
          },
        }),
      ],
    })
    const surface = await crib.surface({ scope: 'turn' })
    const call = crib.call(surface, { name: 'page', input: { page: '2' } })
    expect(await call).toMatchObject({ structured_content: 20 })
    expect(seen).toEqual([{ page: 2, size: 10 }])
    const { invocation, mutations } = (await crib.story(call.invocationId))!
    expect(invocation.model_input).toEqual({ page: '2' })
    expect(invocation.call_input).toEqual({ page: 2, size: 10 })
    expect(mutations).toMatchObject([
      { source_type: 'adapter', source_ref: expect.stringMatching(/^tool_interface:/) },
    ])
    expect(await crib.call(surface, { name: 'page', input: { page: 2 } })).toMatchObject({
      error: { error_class: 'schema_validation_failed' },
    })
  })

  it('the schema is checked for each call, also after a valid one', async () => {
    const { crib, surface, reached } = await openAdder()
    const statuses: string[] = []
    for (const input of [{ a: 1, b: 2 }, { a: 1 }, { a: 3, b: 4 }, {}]) {
      statuses.push((await crib.call(surface, { name: 'add', input })).status)
    }
    expect(statuses).toEqual(['succeeded', 'failed', 'succeeded', 'failed'])
    expect(reached.execute).toHaveBeenCalledTimes(2)
  })
})
