import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { defineHook, type Decider, type HookAnswer, type HookDefinition, type Verdict } from 'toolcrib'
import { answering, makeCall, type Made } from './make-call.js'
import { versionOf } from '../crib/records/version-of.js'

type Says = 'allow' | 'ask' | 'deny' | 'passthrough'

const breaking = (more: Partial<HookDefinition> = {}) =>
  defineHook({
    id: 'broken',
    event: 'pre_tool_use',
    run: () => {
      throw new Error('it broke')
    },
    ...more,
  })

const request = (permission: Says, more: Partial<HookDefinition> = {}) =>
  defineHook({
    id: `request-${permission}`,
    event: 'permission_request',
    run: answering({ permission: { behavior: permission, message: `I say ${permission}` } }),
    ...more,
  })

/** The outcome, with an approver who approves. */
const ended = ({ result, asked }: Made): string => (asked > 0 ? `asked, ${result.status}` : result.status)

const rule = (behavior: Says) => (): Verdict => ({ behavior, reason: { type: 'rule' } })
const byDefault = (): Verdict => ({ behavior: 'ask', isDefault: true })

describe('a failing hook before the call', () => {
  it.each([
    ['ask', 'asked, succeeded'],
    ['deny', 'failed'],
    ['continue', 'succeeded'],
  ] as const)('counts as %s if it is set so', async (onFailure, expected) => {
    const made = await makeCall([breaking({ onFailure })], { approves: true })
    expect(ended(made)).toBe(expected)
    expect(made.executions).toBe(onFailure === 'deny' ? 0 : 1)
  })

  it('set to deny, ends the call as a failed hook', async () => {
    const { result, story } = await makeCall([breaking({ onFailure: 'deny' })])
    expect(result.error).toMatchObject({
      error_class: 'hook_failed',
      message: 'The hook "broken" failed: it broke.',
    })
    expect(story.invocation.status).toBe('blocked')
  })

  it('set to continue, is reported by the result', async () => {
    const { result } = await makeCall([breaking({ onFailure: 'continue' })])
    expect(result.toolcrib!['hook_problem']).toBe('The hook "broken" failed: it broke.')
  })

  it('is not overruled by another hook that allows', async () => {
    const allow = defineHook({
      id: 'kind',
      event: 'pre_tool_use',
      isAuthoritative: true,
      run: answering({ permission: { behavior: 'allow' } }),
    })
    for (const hooks of [
      [breaking(), allow],
      [allow, breaking()],
    ]) {
      expect(ended(await makeCall(hooks, { decider: byDefault, approves: true }))).toBe('asked, succeeded')
    }
  })
})

describe('hooks in place of the approver', () => {
  it.each<[string, () => Verdict, HookDefinition[], string]>([
    ['a default ask, allowed', byDefault, [request('allow')], 'succeeded'],
    ['a passthrough, allowed', rule('passthrough'), [request('allow')], 'succeeded'],
    ['a rule’s ask, allowed', rule('ask'), [request('allow')], 'asked, succeeded'],
    [
      'a rule’s ask, allowed by one that is trusted',
      rule('ask'),
      [request('allow', { isAuthoritative: true })],
      'succeeded',
    ],
    ['a default ask, denied', byDefault, [request('deny')], 'denied'],
    ['a rule’s ask, denied', rule('ask'), [request('deny')], 'denied'],
    ['a default ask, allowed and denied', byDefault, [request('allow'), request('deny')], 'denied'],
    ['a default ask, allowed and asked', byDefault, [request('allow'), request('ask')], 'asked, succeeded'],
    ['a default ask, passed through', byDefault, [request('passthrough')], 'asked, succeeded'],
    [
      'a deny, which nobody asks about',
      rule('deny'),
      [request('allow', { isAuthoritative: true })],
      'denied',
    ],
    ['an allow, which nobody asks about', rule('allow'), [request('deny')], 'succeeded'],
  ])('%s', async (_what, decider, hooks, expected) => {
    expect(ended(await makeCall(hooks, { decider, approves: true }))).toBe(expected)
  })

  it.each([
    ['first', (broken: HookDefinition) => [broken, request('allow')]],
    ['last', (broken: HookDefinition) => [request('allow'), broken]],
    [
      'beside a trusted one',
      (broken: HookDefinition) => [broken, request('allow', { isAuthoritative: true })],
    ],
  ])('a failing one, %s: the ask stays and no allow fills it', async (_where, hooks) => {
    const broken = breaking({ event: 'permission_request' })
    for (const decider of [byDefault, rule('passthrough'), rule('ask')]) {
      expect(ended(await makeCall(hooks(broken), { decider, approves: true }))).toBe('asked, succeeded')
      expect(ended(await makeCall(hooks(broken), { decider }))).toBe('rejected')
    }
  })

  it('a failing one may be set to deny, or to be ignored', async () => {
    const broken = (onFailure: 'deny' | 'continue') => breaking({ event: 'permission_request', onFailure })
    const denied = await makeCall([broken('deny'), request('allow')], { decider: byDefault, approves: true })
    expect(ended(denied)).toBe('denied')
    const passed = await makeCall([broken('continue'), request('allow')], {
      decider: byDefault,
      approves: true,
    })
    expect(ended(passed)).toBe('succeeded')
    expect(passed.result.toolcrib!['hook_problem']).toContain('it broke')
  })

  it('a trusted one does not lift an ask of a hook before the call', async () => {
    const ask = defineHook({
      id: 'careful',
      event: 'pre_tool_use',
      run: answering({ permission: { behavior: 'ask' } }),
    })
    const made = await makeCall([ask, request('allow', { isAuthoritative: true })], {
      decider: rule('allow'),
      approves: true,
    })
    expect(ended(made)).toBe('asked, succeeded')
  })

  it('a stop is a deny', async () => {
    const stop = defineHook({
      id: 'stop',
      event: 'permission_request',
      run: answering({ stop: { reason: 'enough' } }),
    })
    const { result } = await makeCall([stop], { decider: byDefault, approves: true })
    expect(result).toMatchObject({ status: 'denied', error: { message: 'The call was denied: enough' } })
  })

  const editing = (id: string, updatedInput: unknown, permission?: 'allow') =>
    defineHook({
      id,
      event: 'permission_request',
      run: answering({ ...(permission && { permission: { behavior: permission } }), updatedInput }),
    })

  it('an allow with another input runs that input, after validation and judgement', async () => {
    const made = await makeCall([editing('editor', { n: 2 }, 'allow')], {
      input: { n: 1 },
      decider: byDefault,
    })
    expect(ended(made)).toBe('succeeded')
    expect(made.ran).toEqual({ n: 2 })
    expect(made.result.toolcrib!['input_mutations']).toMatchObject([
      { source_type: 'hook', source_ref: versionOf('hook:editor') },
    ])
  })

  it('a call that the rules deny stays denied, although a hook allowed it', async () => {
    const decider: Decider = ({ input }) =>
      (input as { n: number }).n === 666 ? { behavior: 'deny' } : { behavior: 'ask', isDefault: true }
    const made = await makeCall([editing('editor', { n: 666 }, 'allow')], { input: { n: 1 }, decider })
    expect(ended(made)).toBe('denied')
    expect(made.ran).toBeUndefined()
  })

  it.each([
    ['two that want another input', [editing('a', { n: 2 }, 'allow'), editing('b', { n: 3 }, 'allow')]],
    ['one that wants it without allowing it', [editing('a', { n: 2 }), request('allow')]],
  ])('%s: needs approval unchanged, and is reported', async (_what, hooks) => {
    const made = await makeCall(hooks, { input: { n: 1 }, decider: byDefault, approves: true })
    expect(ended(made)).toBe('asked, succeeded')
    expect(made.ran).toEqual({ n: 1 })
    expect(made.result.toolcrib!['hook_problem']).toContain('another input')
  })
})

describe('hooks on decisions', () => {
  it.each([
    ['allow', rule('allow'), undefined],
    ['deny', rule('deny'), undefined],
    ['allow', rule('ask'), true],
    ['deny', rule('ask'), false],
  ] as const)('get the record: %s', async (behavior, decider, approves) => {
    const seen: unknown[] = []
    const hook = defineHook({
      id: 'informed',
      event: 'permission_decision',
      run: ({ decision }) => void seen.push(decision),
    })
    const { story } = await makeCall([hook], { decider, ...(approves !== undefined && { approves }) })
    expect(seen).toEqual([story.decisions.at(-1)])
    expect(story.decisions.at(-1)).toMatchObject({ behavior })
  })

  it('cannot change the decision, and the record says so', async () => {
    const hook = defineHook({
      id: 'late',
      event: 'permission_decision',
      run: answering({
        permission: { behavior: 'deny' },
        stop: { reason: 'no' },
        additionalContext: 'known',
      }),
    })
    const { result, story } = await makeCall([hook])
    expect(result.status).toBe('succeeded')
    expect(result.toolcrib!['additional_context']).toEqual(['known'])
    expect(story.hooks[0]!.toolcrib!['unheard']).toEqual(['permission', 'stop'])
    expect(story.hooks[0]!.outputs).toEqual([{ type: 'additional_context', text: 'known' }])
  })

  it('that fail are reported by the result, also for a denied call', async () => {
    const { result } = await makeCall([breaking({ event: 'permission_decision' })], { decider: rule('deny') })
    expect(result).toMatchObject({
      status: 'denied',
      toolcrib: { hook_problem: expect.stringContaining('it broke') },
    })
  })
})

describe('[AT-HOOK-02] with any answers of hooks', () => {
  /** 0: it ran. 1: it ran because it was approved. 2: it did not run. */
  const strictness = ({ executions, asked }: Made): number => (executions === 0 ? 2 : asked > 0 ? 1 : 0)

  const behaviors = fc.constantFrom<Says>('allow', 'ask', 'deny', 'passthrough')
  const events = fc.constantFrom('pre_tool_use', 'permission_request', 'permission_decision', 'post_tool_use')
  const answers: fc.Arbitrary<unknown> = fc.oneof(
    behaviors.map((behavior) => ({ permission: { behavior } })),
    fc.constantFrom<unknown>(
      undefined,
      {},
      { message: 'm', additionalContext: ['c'], progress: 'p' },
      { stop: { reason: 'enough' } },
      { updatedInput: { n: 2 }, permission: { behavior: 'allow' } },
      { updatedInput: { n: 666 } },
      { updatedInput: { n: 666 }, permission: { behavior: 'allow' } },
      { updatedOutput: 'changed' },
      'junk',
      { permission: 'allow' },
      { junk: 1 },
      new Error('it broke'),
    ),
  )
  const hooks = fc.array(
    fc.record({
      event: events,
      answer: answers,
      order: fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined }),
      isAuthoritative: fc.boolean(),
    }),
    { maxLength: 4 },
  )
  type Drawn = { event: string; answer: unknown; order: number | undefined; isAuthoritative: boolean }

  const toHook = ({ event, answer, order, isAuthoritative }: Drawn, index: number): HookDefinition =>
    defineHook({
      id: `h${index}`,
      event: event as HookDefinition['event'],
      ...(order !== undefined && { order }),
      ...(isAuthoritative &&
        /^p.*(use|request)$/.test(event) &&
        event !== 'post_tool_use' && { isAuthoritative }),
      run: () => {
        if (answer instanceof Error) throw answer
        return answer as HookAnswer
      },
    })

  const decide = (verdict: Says | 'default') => {
    // This input is forbidden, independent of the rewrites.
    return ({ input }: { input: unknown }): Verdict =>
      (input as { n: number }).n === 666
        ? { behavior: 'deny', reason: { type: 'rule' } }
        : verdict === 'default'
          ? byDefault()
          : { behavior: verdict, reason: { type: 'rule' } }
  }

  it('adding one that allows lifts neither a deny nor an ask that a rule made', async () => {
    await fc.assert(
      fc.asyncProperty(
        hooks.map((list) => list.map((each) => ({ ...each, isAuthoritative: false }))),
        fc.constantFrom<Says>('ask', 'deny'),
        fc.constantFrom('pre_tool_use', 'permission_request'),
        fc.nat(4),
        async (drawn, verdict, event, place) => {
          const others = drawn.map(toHook)
          const allow = defineHook({
            id: 'added',
            event: event as 'pre_tool_use',
            run: answering({ permission: { behavior: 'allow' } }),
          })
          const options = { input: { n: 1 }, decider: decide(verdict), approves: true }
          const before = await makeCall(others, options)
          const after = await makeCall(others.toSpliced(place, 0, allow), options)
          expect(strictness(after)).toBeGreaterThanOrEqual(strictness(before))
          expect(strictness(after)).toBeGreaterThanOrEqual(verdict === 'deny' ? 2 : 1)
        },
      ),
      { numRuns: 300, seed: 1 },
    )
  })

  it('no forbidden call runs, and no hook loosens a deny', async () => {
    await fc.assert(
      fc.asyncProperty(
        hooks,
        fc.constantFrom<Says | 'default'>('allow', 'ask', 'deny', 'passthrough', 'default'),
        async (drawn, verdict) => {
          const made = await makeCall(drawn.map(toHook), {
            input: { n: 1 },
            decider: decide(verdict),
            approves: true,
          })
          if (verdict === 'deny') expect(made.executions).toBe(0)
          if (made.executions > 0) expect((made.ran as { n: number }).n).not.toBe(666)
        },
      ),
      { numRuns: 300, seed: 2 },
    )
  })
})
