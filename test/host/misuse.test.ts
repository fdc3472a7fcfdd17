import { describe, expect, it } from 'vitest'
import {
  createCrib,
  defineHook,
  defineTool,
  memoryStore,
  sqliteStore,
  toolOutput,
  type CribOptions,
  type HookAnswer,
} from 'toolcrib'
import { openCrib } from '../scenarios/open-crib.js'

const tool = (more: object = {}) =>
  defineTool({
    name: 'go',
    description: 'Goes.',
    isReadOnly: true,
    isOpenWorld: false,
    execute: () => 'went',
    ...more,
  })

const crib = (options: object) => createCrib({ store: memoryStore(), ...options } as CribOptions)

describe('a wrong argument is refused in one sentence that says what to write', () => {
  it.each<[string, () => unknown, string]>([
    ['a crib’s option', () => crib({ hook: [] }), 'createCrib has no option "hook"; did you mean "hooks"?'],
    ['a crib’s tools', () => crib({ tools: tool() }), 'createCrib: "tools" must be a list, not an object.'],
    [
      'a tool that is no list',
      async () => (await crib({})).add(tool() as never),
      'crib.add takes a list of tools',
    ],
    ['a crib’s store', () => createCrib({ store: {} as never }), 'createCrib: "store" must be a store'],
    ['an empty path as store', () => createCrib({ store: '' }), 'createCrib: "store" must be a store'],
    ['a store without path', () => sqliteStore('./x.db' as never), 'sqliteStore takes the path of a file'],
    ['a bare object as tool', () => crib({ tools: [{ name: 'x', execute() {} }] }), 'wrap it in defineTool'],
    [
      'a tool’s option',
      () => tool({ isReadonly: true }),
      'has no option "isReadonly"; did you mean "isReadOnly"?',
    ],
    ...[
      ['inputSchema', 'input'],
      ['parameters', 'input'],
      ['outputSchema', 'output'],
      ['handler', 'execute'],
    ].map(([given, own]): [string, () => unknown, string] => [
      `the name that others give ${given}`,
      () => tool({ [given!]: {} }),
      `The tool "local.go" has no option "${given}"; did you mean "${own}"?`,
    ]),
    ['a tool’s fact', () => tool({ isReadOnly: 'yes' }), 'must be true, false or a function of the input'],
    [
      'a tool’s retries',
      () => tool({ retries: 1.5 }),
      'The tool "local.go": "retries" must be a whole number of at least 0, such as 2, or an object such as { max: 2, baseMs: 500 }.',
    ],
    [
      'the pace of retries',
      () => tool({ retries: { max: 1, base: 5 } }),
      '"retries" has no option "base"; did you mean "baseMs"?',
    ],
    ['retries without number', () => crib({ retries: { baseMs: 5 } }), 'createCrib: "retries" needs "max"'],
    ['waits for ever', () => crib({ retries: { max: 1, maxMs: 1e12 } }), '"maxMs" of at most a day'],
    [
      'waits that shrink',
      () => crib({ retries: { max: 1, baseMs: 9, maxMs: 8 } }),
      '"baseMs" that is at most',
    ],
    ['a tool without description', () => tool({ description: ' ' }), 'has no description'],
    [
      'a sensitive field',
      () =>
        tool({
          input: { jsonSchema: { type: 'object', properties: { password: { type: 'string' } } } },
          sensitiveFields: ['passwrd'],
        }),
      'names the field "passwrd", which its schema does not have; did you mean "password"?',
    ],
    [
      'a hook’s event',
      () => defineHook({ id: 'h', event: 'preToolUse' as never, run: () => {} }),
      'did you mean "pre_tool_use"?',
    ],
    ['a hook without run', () => defineHook({ id: 'h', event: 'pre_tool_use' } as never), 'has no "run"'],
    ['an output’s option', () => toolOutput({ text: 'x' } as never), 'toolOutput has no option "text"'],
  ])('%s', async (_what, mistake, sentence) => {
    await expect((async () => mistake())()).rejects.toThrow(sentence)
  })

  it.each<[string, object, string]>([
    ['an option', { scope: 'turn', includes: ['a'] }, 'did you mean "include"?'],
    ['a scope', { scope: 'bogus' }, '"scope" must be one of turn, task'],
    ['a pattern that is no list', { scope: 'turn', include: 'a' }, '"include" must be a list of texts'],
    ['an actor that is no text', { scope: 'turn', actor: { id: 1 } }, '"actor" must be a text'],
  ])('%s of a surface', async (_what, request, sentence) => {
    const open = await openCrib()
    await expect(open.surface(request as never)).rejects.toThrow(sentence)
  })

  it('of a call', async () => {
    const open = await openCrib({ tools: [tool()] })
    const promised = open.surface({ scope: 'turn' })
    expect(() => open.call(promised as never, { name: 'go' })).toThrow('await crib.surface')
    const surface = await promised
    expect(() => open.call({ name: 'go' } as never, undefined as never)).toThrow('takes a surface first')
    expect(() => open.call(surface, 'go' as never)).toThrow('{ name, input }')
    expect(() => open.call(surface, { name: 'go', arguments: {} } as never)).toThrow('belong in "input"')
    expect(() => open.call(surface, { name: 'go', requestedBy: 10n } as never)).toThrow('"requestedBy"')
    expect(() => open.call(surface, { name: 'go', retries: -1 })).toThrow('crib.call: "retries" must be')
  })

  it('of a query', async () => {
    const open = await openCrib()
    const first = async (query: object) => {
      for await (const each of open.invocations(query)) return each
      return undefined
    }
    await expect(first({ status: 'succeded' })).rejects.toThrow('did you mean "succeeded"?')
    await expect(first({ since: 'yesterday' })).rejects.toThrow('must be a Date or milliseconds')
  })

  it('of a hook’s answer: the call then requires approval', async () => {
    const open = await openCrib({
      tools: [tool()],
      hooks: [
        defineHook({
          id: 'h',
          event: 'pre_tool_use',
          run: () => ({ behavior: 'deny' }) as unknown as HookAnswer,
        }),
      ],
    })
    const result = await open.call(await open.surface({ scope: 'turn' }), { name: 'go' })
    expect(result).toMatchObject({ status: 'rejected', error: { error_code: 'toolcrib.nobody_to_ask' } })
    expect(result.error!.message).toContain('belongs in "permission"')
  })
})

describe('a closed crib', () => {
  it('refuses surfaces and calls with a sentence', async () => {
    const open = await crib({ tools: [tool()] })
    const surface = await open.surface({ scope: 'turn' })
    await open.close()
    await expect(open.surface({ scope: 'turn' })).rejects.toThrow('The crib is closed')
    expect((await open.call(surface, { name: 'go' })).error!.message).toContain('the crib is closed')
  })
})
