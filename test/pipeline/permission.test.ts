import { expect, it, vi } from 'vitest'
import {
  defineHook,
  defineTool,
  type Decider,
  type HookAnswer,
  type HookDefinition,
  type Verdict,
} from 'toolcrib'
import { onBothStores, openCrib, shownText } from '../scenarios/open-crib.js'

type Says = 'allow' | 'ask' | 'deny' | 'passthrough'

const hook = (behavior: Says, more: Partial<HookDefinition> = {}): HookDefinition =>
  defineHook({
    id: `says-${behavior}`,
    event: 'pre_tool_use',
    run: () => ({ permission: { behavior } }),
    ...more,
  })

onBothStores('permission', (newStore) => {
  /** The outcome with an approver who approves, and whether it was asked. */
  async function outcome(decider: Decider | undefined, hooks: HookDefinition[] = []) {
    const approver = vi.fn(() => ({ approved: true as const }))
    const execute = vi.fn(() => 'ran')
    const crib = await openCrib({
      store: newStore(),
      tools: [defineTool({ name: 't', description: 'T.', execute })],
      hooks,
      approver,
      ...(decider && { decider }),
    })
    const call = crib.call(await crib.surface({ scope: 'turn' }), { name: 't' })
    const result = await call
    expect(execute.mock.calls.length).toBe(result.status === 'succeeded' ? 1 : 0)
    const asked = approver.mock.calls.length > 0
    return {
      ended: asked ? `asked, ${result.status}` : result.status,
      result,
      story: (await crib.story(call.invocationId))!,
    }
  }

  it.each<[Says | 'default ask', (Says | 'authoritative allow')[], string]>([
    ['allow', [], 'succeeded'],
    ['ask', [], 'asked, succeeded'],
    ['deny', [], 'denied'],
    ['passthrough', [], 'asked, succeeded'],
    // [AT-HOOK-02]: a hook's allow overrides neither a deny nor a rule's ask.
    ['deny', ['allow'], 'denied'],
    ['deny', ['authoritative allow'], 'denied'],
    ['ask', ['allow'], 'asked, succeeded'],
    ['ask', ['authoritative allow'], 'succeeded'],
    ['default ask', ['allow'], 'succeeded'],
    ['passthrough', ['allow'], 'succeeded'],
    ['passthrough', ['passthrough'], 'asked, succeeded'],
    ['allow', ['ask'], 'asked, succeeded'],
    ['allow', ['deny'], 'denied'],
    ['ask', ['deny'], 'denied'],
    ['passthrough', ['deny'], 'denied'],
    ['allow', ['passthrough'], 'succeeded'],
    // The strictest hook wins.
    ['allow', ['allow', 'ask'], 'asked, succeeded'],
    ['allow', ['ask', 'deny', 'allow'], 'denied'],
    ['default ask', ['allow', 'ask'], 'asked, succeeded'],
    ['ask', ['authoritative allow', 'ask'], 'asked, succeeded'],
    ['ask', ['authoritative allow', 'deny'], 'denied'],
  ])('[AT-HOOK-04] [AT-HOOK-02] the policy says %s, hooks say %j: %s', async (policy, said, expected) => {
    const decider: Decider | undefined =
      policy === 'default ask' ? undefined : () => ({ behavior: policy, reason: { type: 'rule' } })
    const hooks = said.map((each) =>
      each === 'authoritative allow' ? hook('allow', { isAuthoritative: true }) : hook(each),
    )
    expect((await outcome(decider, hooks)).ended).toBe(expected)
  })

  it.each<[string, Partial<HookDefinition>]>([
    [
      'throws',
      {
        run: () => {
          throw new Error('the gate broke')
        },
      },
    ],
    ['rejects', { run: () => Promise.reject(new Error('the gate broke')) }],
    ['times out', { timeoutMs: 1, run: () => new Promise<HookAnswer>(() => {}) }],
    ['answers with a text', { run: () => 'fine' as unknown as HookAnswer }],
  ])('a hook that %s requires at least approval', async (_what, more) => {
    const { ended, story } = await outcome(() => ({ behavior: 'allow' }), [hook('allow', more)])
    expect(ended).toBe('asked, succeeded')
    expect(story.hooks[0]!.toolcrib!['outcome']).toMatch(/^(failed|timed_out)$/)
    expect(story.decisions[0]).toMatchObject({
      behavior: 'ask',
      source: 'toolcrib.hook',
      reason: { type: 'hook' },
    })
    expect((await outcome(() => ({ behavior: 'deny' }), [hook('allow', more)])).ended).toBe('denied')
  })

  it('a hook applies only to the tools that it names', async () => {
    const decider: Decider = () => ({ behavior: 'allow' })
    expect((await outcome(decider, [hook('deny', { tools: ['other', 'x.*'] })])).ended).toBe('succeeded')
    for (const name of ['t', 'local.t', 'local.*', '*', 'local__t']) {
      expect((await outcome(decider, [hook('deny', { tools: [name] })])).ended, name).toBe('denied')
    }
  })

  it.each<[string, Decider]>([
    ['nothing', () => undefined as unknown as Verdict],
    ['null', () => null as unknown as Verdict],
    ['a text', () => 'allow' as unknown as Verdict],
    ['an unknown behavior', () => ({ behavior: 'Allow' }) as unknown as Verdict],
    ['true', () => true as unknown as Verdict],
    [
      'an exception',
      () => {
        throw new Error('the judge broke')
      },
    ],
    ['a rejection', () => Promise.reject(new Error('the judge broke'))],
    ['an empty object, asynchronously', async () => ({}) as unknown as Verdict],
  ])('a decider that answers with %s has denied', async (_what, decider) => {
    const { ended, result, story } = await outcome(decider, [hook('allow', { isAuthoritative: true })])
    expect(ended).toBe('denied')
    expect(shownText(result)).toContain('decider')
    expect(story.decisions).toMatchObject([{ behavior: 'deny', source: 'toolcrib.decider' }])
  })

  it('a decider may be asynchronous', async () => {
    const decider: Decider = async () => {
      await new Promise(setImmediate)
      return { behavior: 'allow' }
    }
    expect((await outcome(decider)).ended).toBe('succeeded')
  })

  it('a hook’s stop ends the call with its reason, and its answer is recorded', async () => {
    const { result, story } = await outcome(
      () => ({ behavior: 'allow' }),
      [
        hook('allow', {
          run: () => ({
            stop: { reason: 'Not on Fridays.' },
            message: 'noted',
            additionalContext: ['c1', 'c2'],
            progress: 'checking',
          }),
        }),
      ],
    )
    expect(result).toMatchObject({ status: 'failed', error: { error_class: 'hook_blocked' } })
    expect(shownText(result)).toContain('Not on Fridays.')
    expect(story.invocation.status).toBe('blocked')
    expect(story.hooks).toMatchObject([
      {
        outputs: [
          { type: 'message', text: 'noted' },
          { type: 'progress', text: 'checking' },
          { type: 'additional_context', text: 'c1' },
          { type: 'additional_context', text: 'c2' },
          { type: 'stop', text: 'Not on Fridays.' },
        ],
        stop: { message: 'Not on Fridays.' },
        additional_context: [{ text: 'c1' }, { text: 'c2' }],
      },
    ])
    expect(story.progress).toMatchObject([{ message: 'checking' }])
  })

  it('context from hooks reaches the result', async () => {
    const { result } = await outcome(
      () => ({ behavior: 'allow' }),
      [
        hook('allow', { run: () => ({ additionalContext: 'before' }) }),
        defineHook({ id: 'after', event: 'post_tool_use', run: () => ({ additionalContext: ['after'] }) }),
      ],
    )
    expect(result.toolcrib!['additional_context']).toEqual(['before', 'after'])
  })

  it('a failed call runs the failure hooks, which cannot undo the failure', async () => {
    const seen: unknown[] = []
    const crib = await openCrib({
      store: newStore(),
      tools: [
        defineTool({
          name: 't',
          description: 'T.',
          execute: () => {
            throw new Error('broke')
          },
        }),
      ],
      hooks: [
        defineHook({ id: 'success', event: 'post_tool_use', run: () => void seen.push('wrong') }),
        defineHook({
          id: 'failure',
          event: 'post_tool_use_failure',
          run: ({ error }) => {
            seen.push(error)
            return { updatedOutput: 'all is well', stop: { reason: 'hush' } }
          },
        }),
      ],
      decider: () => ({ behavior: 'allow' }),
    })
    const result = await crib.call(await crib.surface({ scope: 'turn' }), { name: 't' })
    expect(seen).toEqual([{ error_class: 'execution_failed', message: 'broke' }])
    expect(result).toMatchObject({ status: 'failed', error: { message: 'broke' } })
  })

  it('a post hook may replace or withhold the output, and the result names it', async () => {
    const after = (answer: HookAnswer) =>
      defineHook({ id: 'after', event: 'post_tool_use', run: () => answer })
    const replaced = await outcome(() => ({ behavior: 'allow' }), [after({ updatedOutput: { short: true } })])
    expect(replaced.result).toMatchObject({
      structured_content: { short: true },
      model_facing_content: [{ type: 'text', text: '{"short":true}' }],
      toolcrib: { output_updated_by: 'hook:after' },
    })
    const crib = await openCrib({
      store: newStore(),
      tools: [defineTool({ name: 't', description: 'T.', execute: () => 'the private output' })],
      decider: () => ({ behavior: 'allow' }),
      hooks: [after({ stop: { reason: 'private' } })],
    })
    const call = crib.call(await crib.surface({ scope: 'turn' }), { name: 't' })
    expect(await call).toMatchObject({ status: 'failed', error: { error_class: 'hook_blocked' } })
    expect(JSON.stringify(await crib.story(call.invocationId))).not.toContain('the private output')
  })

  it('a post hook that throws is only recorded', async () => {
    const { result, story } = await outcome(
      () => ({ behavior: 'allow' }),
      [
        defineHook({
          id: 'after',
          event: 'post_tool_use',
          run: () => {
            throw new Error('broke')
          },
        }),
      ],
    )
    expect(result.status).toBe('succeeded')
    expect(story.hooks).toMatchObject([{ hook_id: 'after', toolcrib: { outcome: 'failed' } }])
  })
})
