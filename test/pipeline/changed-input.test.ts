import { expect, it, vi } from 'vitest'
import { defineHook, defineTool, type Decider, type HookDefinition } from 'toolcrib'
import { onBothStores, openCrib, shownText } from '../scenarios/open-crib.js'

const rewriting = (id: string, updatedInput: unknown): HookDefinition =>
  defineHook({ id, event: 'pre_tool_use', run: () => ({ updatedInput }) })

onBothStores('a changed input', (newStore) => {
  async function call(
    hooks: HookDefinition[],
    more: { decider?: Decider; validate?: () => string | undefined } = {},
  ) {
    const execute = vi.fn((input: unknown) => input)
    const crib = await openCrib({
      store: newStore(),
      tools: [
        defineTool({
          name: 't',
          description: 'T.',
          input: {
            jsonSchema: {
              type: 'object',
              properties: { n: { type: 'number' } },
              required: ['n'],
              additionalProperties: false,
            },
          },
          ...(more.validate && { validate: more.validate }),
          execute,
        }),
      ],
      hooks,
      decider: more.decider ?? (() => ({ behavior: 'allow' })),
    })
    const made = crib.call(await crib.surface({ scope: 'turn' }), { name: 't', input: { n: 1 } })
    const result = await made
    return { result, execute, story: (await crib.story(made.invocationId))! }
  }

  it('that does not fit the schema ends as a schema failure', async () => {
    const { result, execute, story } = await call([rewriting('h', { n: 'one' })])
    expect(result.error?.error_class).toBe('schema_validation_failed')
    expect(story.invocation.status).toBe('schema_parse_failed')
    expect(story.invocation.model_input).toEqual({ n: 1 })
    expect(execute).not.toHaveBeenCalled()
  })

  it('that the tool’s check refuses ends as invalid arguments', async () => {
    let checks = 0
    const validate = () => (++checks === 2 ? 'not this one' : undefined)
    const { result, execute } = await call([rewriting('h', { n: 2 })], { validate })
    expect(checks).toBe(2)
    expect(result.error?.error_class).toBe('invalid_arguments')
    expect(execute).not.toHaveBeenCalled()
  })

  it('that the decider denies does not run', async () => {
    const judged: unknown[] = []
    const { result, execute } = await call([rewriting('h', { n: 666 })], {
      decider: ({ input }) => {
        judged.push(input)
        return (input as { n: number }).n === 666 ? { behavior: 'deny' } : { behavior: 'allow' }
      },
    })
    expect(judged).toEqual([{ n: 666 }])
    expect(result.status).toBe('denied')
    expect(execute).not.toHaveBeenCalled()
  })

  it('runs, and the hook does not run again', async () => {
    const run = vi.fn(() => ({ updatedInput: { n: 2 } }))
    const { result, execute } = await call([defineHook({ id: 'h', event: 'pre_tool_use', run })])
    expect(result.status).toBe('succeeded')
    expect(run).toHaveBeenCalledOnce()
    expect(execute.mock.calls[0]![0]).toEqual({ n: 2 })
  })

  it('by two hooks is an error that names both', async () => {
    const { result, execute, story } = await call([rewriting('one', { n: 2 }), rewriting('two', { n: 3 })])
    expect(result.error).toMatchObject({
      error_class: 'input_mutation_failed',
      error_code: 'toolcrib.two_rewrites',
    })
    expect(shownText(result)).toContain('"one" and "two"')
    expect(story.hooks.map(({ hook_id: id }) => id)).toEqual(['one', 'two'])
    expect(execute).not.toHaveBeenCalled()
  })

  it('by two hooks to the same value is one change', async () => {
    const { result, story } = await call([rewriting('one', { n: 2 }), rewriting('two', { n: 2 })])
    expect(result.status).toBe('succeeded')
    expect(story.mutations).toHaveLength(1)
  })

  it.each<[string, unknown]>([
    ['a function', { n: () => 1 }],
    ['NaN', { n: Number.NaN }],
    ['a class', new (class Odd {})()],
    ['a large integer', { n: 1n }],
  ])('with %s is refused, because it cannot be recorded', async (_what, updatedInput) => {
    const { result, execute } = await call([rewriting('h', updatedInput)])
    expect(result.error?.error_class).toBe('input_mutation_failed')
    expect(execute).not.toHaveBeenCalled()
  })

  it('by an approver needs no second approval', async () => {
    let n = 0
    const execute = vi.fn()
    const crib = await openCrib({
      store: newStore(),
      tools: [defineTool({ name: 't', description: 'T.', execute })],
      decider: () => ({ behavior: 'ask' }),
      // Would edit again if it were asked again.
      approver: () => ({ approved: true, updatedInput: { n: ++n } }),
    })
    const result = await crib.call(await crib.surface({ scope: 'turn' }), { name: 't' })
    expect(result.status).toBe('succeeded')
    expect(n).toBe(1)
    expect(execute).toHaveBeenCalledOnce()
  })
})
