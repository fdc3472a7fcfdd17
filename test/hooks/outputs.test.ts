import { describe, expect, it, vi } from 'vitest'
import { commandHook, defineHook, type CallStory } from 'toolcrib'
import { hookEvents } from '../../src/contract/unions.js'
import { openCrib } from '../scenarios/open-crib.js'
import { answering, makeCall, printing } from './make-call.js'
import { versionOf } from '../crib/records/version-of.js'

const refsOf = ({ invocation }: CallStory) => ({
  hook_ref: versionOf('hook:h'),
  run_ref: invocation.hook_refs![0],
})

describe('the whole answer of a hook is in its record', () => {
  it('before the call, in one list', async () => {
    const { story, result } = await makeCall([
      commandHook({
        id: 'h',
        event: 'pre_tool_use',
        ...printing({
          systemMessage: 'm',
          progress: 'p',
          mood: 'fine',
          hookSpecificOutput: {
            hookEventName: 'PreToolUse',
            permissionDecision: 'allow',
            permissionDecisionReason: 'w',
            updatedInput: { n: 2 },
            additionalContext: ['c1', 'c2'],
          },
        }),
      }),
    ])
    expect(story.hooks).toMatchObject([
      {
        schema_version: '0.2.0',
        hook_id: 'h',
        hook_event: 'pre_tool_use',
        tool_id: 'files.write',
        permission_result: { behavior: 'allow', message: 'w' },
        additional_context: [{ text: 'c1' }, { text: 'c2' }],
        outputs: [
          { type: 'message', text: 'm' },
          { type: 'progress', text: 'p' },
          { type: 'updated_input', ref: story.mutations[0]!.to_input_ref },
          { type: 'permission_result', value: { behavior: 'allow', message: 'w' } },
          { type: 'additional_context', text: 'c1' },
          { type: 'additional_context', text: 'c2' },
        ],
        toolcrib: { outcome: 'completed', transport: 'command', exit_code: 0, ignored: ['mood'] },
      },
    ])
    expect(Date.parse(story.hooks[0]!.ended_at!)).toBeGreaterThanOrEqual(
      Date.parse(story.hooks[0]!.started_at!),
    )
    expect(story.progress).toMatchObject([{ message: 'p' }])
    expect(result.toolcrib!['additional_context']).toEqual(['c1', 'c2'])
    expect(story.invocation.hook_refs).toEqual([story.hooks[0]!.toolcrib!['run_ref']])
  })

  it('a required hook on the result that fails withholds the result, and the error says why', async () => {
    const run = () => Promise.reject(new Error('the archive is full'))
    const {
      result,
      executions,
      story,
      events: denied,
    } = await makeCall([defineHook({ id: 'h', event: 'post_tool_use', onFailure: 'deny', run })])
    expect(result).toMatchObject({
      status: 'failed',
      error: { error_class: 'post_hook_failed', message: expect.stringContaining('the archive is full') },
    })
    expect(executions).toBe(1)
    expect(JSON.stringify([result.content, result.structured_content])).not.toContain('done')
    expect(story.invocation.status).toBe('failed')
    const heard = await makeCall([defineHook({ id: 'h', event: 'post_tool_use', run })])
    expect(heard.result.status).toBe('succeeded')
    expect(JSON.stringify(heard.result.structured_content ?? heard.result.content)).toContain('done')
    const unfit = { id: 'h', event: 'post_tool_use', run: () => ({ updatedOutput: 1n }) } as const
    const refused = await makeCall([defineHook(unfit as never)])
    expect(refused.result.status).toBe('succeeded')
    for (const { events } of [{ events: denied }, heard, refused]) {
      const failed = events.filter(({ event_type: type }) => type === 'toolcrib.hook.failed')
      expect(failed).toMatchObject([{ data: { hook_id: 'h', error: { error_class: 'post_hook_failed' } } }])
    }
  })

  it('after the call too: a stop, a new output', async () => {
    const stopped = await makeCall([
      commandHook({ id: 'h', event: 'post_tool_use', ...printing({ continue: false, stopReason: 's' }) }),
    ])
    expect(stopped.result).toMatchObject({ status: 'failed', error: { error_class: 'hook_blocked' } })
    expect(stopped.story.hooks).toMatchObject([
      { stop: { message: 's' }, outputs: [{ type: 'stop', text: 's' }], toolcrib: { outcome: 'blocked' } },
    ])
    const { result, story } = await makeCall([
      commandHook({
        id: 'h',
        event: 'post_tool_use',
        ...printing({ hookSpecificOutput: { updatedOutput: { other: 1 } }, progress: 'p' }),
      }),
    ])
    expect(result).toMatchObject({
      status: 'succeeded',
      structured_content: { other: 1 },
      toolcrib: { output_updated_by: 'hook:h' },
    })
    expect(story.hooks[0]!.outputs).toEqual([
      { type: 'progress', text: 'p' },
      { type: 'updated_output', ref: result.result_id },
    ])
    expect(story.progress).toMatchObject([{ message: 'p' }])
  })

  it('a function too, and it may add facts of its own', async () => {
    const { story } = await makeCall([
      defineHook({
        id: 'h',
        event: 'pre_tool_use',
        run: ({ report }) => report({ pages_read: 3, sources: ['a'] }),
      }),
    ])
    expect(story.hooks[0]!.toolcrib).toEqual({
      ...refsOf(story),
      outcome: 'completed',
      transport: 'function',
      pages_read: 3,
      sources: ['a'],
    })
  })

  it('facts that JSON cannot hold, or that change later, do no harm', async () => {
    const sources = ['a']
    const { story } = await makeCall([
      defineHook({
        id: 'h',
        event: 'pre_tool_use',
        run: ({ report }) => {
          report({ sources, outcome: 'wonderful' })
          report({ big: 1n } as never)
          sources.push('b')
        },
      }),
    ])
    expect(story.hooks[0]!.toolcrib).toEqual({
      ...refsOf(story),
      outcome: 'completed',
      transport: 'function',
      sources: ['a'],
    })
  })

  it('fields without a meaning at the event are ignored, and the record says so', async () => {
    const everything = {
      message: 'm',
      updatedInput: { n: 2 },
      permission: { behavior: 'passthrough' },
      stop: undefined,
      updatedOutput: { n: 3 },
      persistence: { strategy: 'redact', reason: 'r' },
    }
    const unheard: Record<string, unknown> = {}
    for (const event of hookEvents) {
      const { story } = await makeCall([defineHook({ id: 'h', event, run: answering(everything) })], {
        decider: () => ({ behavior: 'ask' }),
        approves: true,
        ...(event === 'post_tool_use_failure' && {
          execute: () => {
            throw new Error('no')
          },
        }),
      })
      unheard[event] = story.hooks[0]!.toolcrib!['unheard']
    }
    const [input, permission, output, persistence] = [
      'updatedInput',
      'permission',
      'updatedOutput',
      'persistence',
    ]
    expect(unheard).toEqual({
      pre_tool_use: [output, persistence],
      permission_request: [output, persistence],
      permission_decision: [input, permission, output, persistence],
      post_tool_use: [input, permission, persistence],
      post_tool_use_failure: [input, permission, output, persistence],
      result_persistence: [input, permission, output],
    })
  })
})

describe('an output that a hook replaced', () => {
  it('is mapped once for the tool and once for the hook', async () => {
    const toModel = vi.fn((output: unknown) => `mapped ${JSON.stringify(output)}`)
    const hook = defineHook({ id: 'h', event: 'post_tool_use', run: answering({ updatedOutput: { n: 2 } }) })
    const { result } = await makeCall([hook], { execute: () => ({ n: 1 }), tool: { toModel } })
    expect(toModel.mock.calls).toEqual([[{ n: 1 }], [{ n: 2 }]])
    expect(result.model_facing_content).toEqual([{ type: 'text', text: 'mapped {"n":2}' }])
  })

  it('is what the next hook sees, and keeps what was added before it', async () => {
    const seen: unknown[] = []
    const { result } = await makeCall([
      defineHook({ id: 'a', event: 'post_tool_use', run: answering({ additionalContext: 'first' }) }),
      defineHook({
        id: 'b',
        event: 'post_tool_use',
        run: answering({ updatedOutput: { n: 2 }, additionalContext: 'second' }),
      }),
      defineHook({ id: 'c', event: 'post_tool_use', run: ({ output }) => void seen.push(output) }),
    ])
    expect(seen).toEqual([{ n: 2 }])
    expect(result.toolcrib).toMatchObject({
      additional_context: ['first', 'second'],
      output_updated_by: 'hook:b',
    })
  })

  it('by an invalid one is refused, and the result reports it', async () => {
    const hook = defineHook({ id: 'h', event: 'post_tool_use', run: answering({ updatedOutput: { no: 1 } }) })
    const { result, story } = await makeCall([hook], {
      execute: () => ({ n: 1 }),
      tool: {
        output: { jsonSchema: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] } },
      },
    })
    expect(result.structured_content).toEqual({ n: 1 })
    expect(result.toolcrib!['hook_problem']).toContain('does not fit the schema')
    expect(story.hooks[0]!.outputs).toEqual([
      { type: 'updated_output', toolcrib: { refused: 'its output does not fit the schema' } },
    ])
  })
})

describe('a call without hooks', () => {
  it('has no trace of them, also if other calls have some', async () => {
    const crib = await openCrib({ hooks: [] })
    await crib.surface({ scope: 'turn' })
    const hook = defineHook({ id: 'h', event: 'pre_tool_use', tools: ['mail.*'], run: vi.fn() })
    const { story, result } = await makeCall([hook])
    expect(hook.run).not.toHaveBeenCalled()
    expect(story.hooks).toEqual([])
    expect(story.invocation.status_transitions!.map(({ to }) => to)).not.toContain('pre_hooks_running')
    expect(result.toolcrib).not.toHaveProperty('hook_problem')
  })
})
