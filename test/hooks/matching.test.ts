import { describe, expect, it, vi } from 'vitest'
import { defineHook, type HookCondition, type HookDefinition } from 'toolcrib'
import { makeCall } from './make-call.js'

/** Whether the hook ran, and the tool name that it got. */
async function asked(matching: Partial<HookDefinition>, input: unknown = {}): Promise<string | undefined> {
  const run = vi.fn<HookDefinition['run']>()
  await makeCall([defineHook({ id: 'h', event: 'pre_tool_use', run, ...matching })], { input })
  return run.mock.calls[0]?.[0].toolName
}

describe('a hook matches tools', () => {
  it.each([
    [['files.write'], true],
    [['write'], true],
    [['Write'], true],
    [['files.*'], true],
    [['*'], true],
    [['other', 'files_*'], true],
    [['files'], false],
    [['mail.*'], false],
    [[], false],
  ])('named %j: %s', async (tools, expected) => {
    expect(await asked({ tools })).toBe(expected ? 'files.write' : undefined)
  })

  it.each([
    // As coding agents write them; the hook gets the tool's name as it was requested.
    ['Edit|Write', 'Write'],
    ['Write', 'Write'],
    ['^Write$', 'Write'],
    ['files__?.*', 'files__write'],
    ['files\\.(read|write)', 'files.write'],
    ['pu.', 'put'],
    ['*', 'files.write'],
    ['', 'files.write'],
    ['Writ', undefined],
    ['write.', undefined],
    ['Edit|Read', undefined],
    ['mcp__.*', undefined],
  ])('matched by %j: %s', async (matcher, name) => {
    expect(await asked({ matcher })).toBe(name)
  })

  it('by any name of the call', async () => {
    const run = vi.fn<HookDefinition['run']>(() => ({ permission: { behavior: 'deny' } }))
    const { result } = await makeCall([
      defineHook({ id: 'h', event: 'pre_tool_use', tools: ['files.write'], run }),
    ])
    expect(result.status).toBe('denied')
  })
})

describe('a hook matches inputs', () => {
  it.each<[HookCondition | HookCondition[], unknown, boolean]>([
    [{ field: 'path', matches: '*.env' }, { path: '/work/.env' }, true],
    [{ field: 'path', matches: '*.env' }, { path: '/work/.env.txt' }, false],
    [{ field: 'path', matches: '*.env' }, { path: ['a.txt', 'b.env'] }, true],
    [{ field: 'path', matches: '*.env' }, { path: { deep: ['b.env'] } }, true],
    [{ field: 'path', matches: '*.env' }, { path: null }, false],
    [{ field: 'path', matches: '*.env' }, {}, false],
    [{ field: 'path', matches: '*' }, { path: 'line\nbreak' }, true],
    [{ field: 'path', matches: 'a.b' }, { path: 'axb' }, false],
    [{ field: 'count', matches: '1*' }, { count: 12 }, true],
    [{ field: 'options.mode', equals: 'force' }, { options: { mode: 'force' } }, true],
    [{ field: 'options.mode', equals: 'force' }, { options: [{ mode: 'soft' }, { mode: 'force' }] }, true],
    [{ field: 'options.mode', equals: 'force' }, { options: 'force' }, false],
    [{ field: 'options', equals: { mode: 'force' } }, { options: { mode: 'force' } }, true],
    [{ field: 'n', equals: 1 }, { n: '1' }, false],
    [{ field: 'n', equals: null }, { n: null }, true],
    [{ field: 'n', oneOf: [1, 2] }, { n: 2 }, true],
    [{ field: 'n', oneOf: [1, 2] }, { n: 3 }, false],
    [{ field: 'n', oneOf: [] }, { n: 3 }, false],
    [
      [
        { field: 'a', equals: 1 },
        { field: 'b', equals: 2 },
      ],
      { a: 1, b: 2 },
      true,
    ],
    [
      [
        { field: 'a', equals: 1 },
        { field: 'b', equals: 2 },
      ],
      { a: 1, b: 3 },
      false,
    ],
    [{ field: 'constructor.name', matches: '*' }, {}, false],
  ])('when %j, and the input is %j: %s', async (when, input, expected) => {
    expect((await asked({ when }, input)) !== undefined).toBe(expected)
  })

  it('as earlier hooks rewrote them', async () => {
    const seen: string[] = []
    const note = (id: string, equals: number, answer = {}) =>
      defineHook({
        id,
        event: 'pre_tool_use',
        when: { field: 'n', equals },
        run: () => {
          seen.push(id)
          return answer
        },
      })
    await makeCall([note('one', 1, { updatedInput: { n: 2 } }), note('again', 1), note('two', 2)], {
      input: { n: 1 },
    })
    expect(seen).toEqual(['one', 'two'])
  })

  it('after the call as they ran', async () => {
    const run = vi.fn<HookDefinition['run']>()
    await makeCall(
      [
        defineHook({ id: 'change', event: 'pre_tool_use', run: () => ({ updatedInput: { n: 2 } }) }),
        defineHook({ id: 'old', event: 'post_tool_use', when: { field: 'n', equals: 1 }, run }),
        defineHook({ id: 'new', event: 'post_tool_use', when: { field: 'n', equals: 2 }, run }),
      ],
      { input: { n: 1 } },
    )
    expect(run.mock.calls.map(([{ input }]) => input)).toEqual([{ n: 2 }])
  })

  it('the record has its conditions', async () => {
    const when = { field: 'path', matches: '*' }
    const hook = defineHook({ id: 'h', event: 'pre_tool_use', matcher: 'Write', when, run: () => {} })
    const { story } = await makeCall([hook], { input: { path: 'a' } })
    expect(story.hooks[0]!.matcher).toEqual({ matcher: 'Write', when })
  })
})

describe('a hook that could never match is refused with one sentence', () => {
  it.each<[Partial<HookDefinition> | Record<string, unknown>, string]>([
    [{ tools: ['a'], matcher: 'a' }, 'has both "tools" and "matcher"'],
    [{ matcher: '(' }, 'which is no regular expression'],
    [{ when: {} as never }, 'needs in "when" a "field" and one of'],
    [{ when: 'path' as never }, 'needs in "when" a "field" and one of'],
    [{ when: { field: 'a' } }, 'needs in "when" a "field" and one of'],
    [{ when: { field: 'a', equals: 1, oneOf: [1] } }, 'needs in "when" a "field" and one of'],
    [{ when: { field: '', equals: 1 } }, 'needs in "when" a "field" and one of'],
    [{ when: { field: 'a', match: '*' } as never }, 'has "match" in "when", which means nothing'],
    [{ when: { field: 'a', matches: 1 } as never }, 'has a "matches" in "when" that is no text'],
    [{ when: { field: 'a', oneOf: 1 } as never }, 'has a "oneOf" in "when" that is no list'],
    [{ when: { field: 'a', equals: new Map() } }, 'has a value in "when" that is no JSON'],
    [{ onFailure: 'explode' as never }, 'must be "ask" or "deny" or "continue"'],
    [
      { event: 'post_tool_use_failure', onFailure: 'deny' },
      'a hook at post_tool_use_failure decides nothing',
    ],
    [{ event: 'post_tool_use', onFailure: 'ask' }, 'must be "deny" or "continue"'],
    [{ event: 'result_persistence', onFailure: 'ask' }, 'must be "deny" or "continue"'],
    [{ event: 'post_tool_use', isAuthoritative: true }, 'allows nothing'],
    [{ order: 'first' as never }, '"order" must be a number'],
  ])('%j', (mistake, sentence) => {
    expect(() => defineHook({ id: 'h', event: 'pre_tool_use', run: () => {}, ...mistake })).toThrow(sentence)
  })
})
