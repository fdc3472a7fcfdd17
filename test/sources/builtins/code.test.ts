import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createCrib, defineTool, memoryStore, type Crib, type Surface, type ToolResult } from 'toolcrib'
import { builtinSource } from '../../../src/sources/builtins/builtin-source.js'
import { collect } from '../../scenarios/open-crib.js'

const add = defineTool({
  namespace: 'math',
  name: 'add',
  description: 'Add two numbers.',
  input: {
    jsonSchema: {
      type: 'object',
      properties: { a: { type: 'number' }, b: { type: 'number' } },
      required: ['a', 'b'],
      additionalProperties: false,
    },
  },
  isReadOnly: true,
  isOpenWorld: false,
  isConcurrencySafe: true,
  execute: ({ a, b }) => ({ sum: a + b }),
})

const long = defineTool({
  name: 'long',
  description: 'Give a long text.',
  input: { jsonSchema: { type: 'object' } },
  isReadOnly: true,
  isOpenWorld: false,
  isConcurrencySafe: true,
  execute: () => 'line\n'.repeat(60_000),
})

const huge = defineTool({
  name: 'huge',
  description: 'Give a text of many megabytes.',
  input: { jsonSchema: { type: 'object' } },
  isReadOnly: true,
  isOpenWorld: false,
  isConcurrencySafe: true,
  execute: () => 'x'.repeat(8 * 1024 * 1024),
})

const wipe = defineTool({
  name: 'wipe',
  description: 'Wipe everything.',
  input: { jsonSchema: { type: 'object' } },
  isDestructive: true,
  execute: () => 'wiped',
})

const slow = defineTool({
  name: 'slow',
  description: 'Wait until it is canceled.',
  input: { jsonSchema: { type: 'object' } },
  isReadOnly: true,
  isOpenWorld: false,
  isConcurrencySafe: true,
  supports: ['cancel'],
  execute: (_, { signal }) =>
    new Promise((_resolve, reject) =>
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }),
    ),
})

describe('code.run', () => {
  let crib: Crib
  let surface: Surface
  /** Code has less time there. */
  let hurried: Crib
  const run = (code: string): Promise<ToolResult> =>
    crib.call(surface, { name: 'code.run', input: { code } }).then((result) => result)
  const runIn = async (place: Crib, code: string): Promise<ToolResult> =>
    place.call(await place.surface(), { name: 'code.run', input: { code } })
  const value = async (code: string): Promise<unknown> =>
    ((await run(code)).structured_content as { value: unknown }).value

  beforeAll(async () => {
    crib = await createCrib({
      store: memoryStore(),
      tools: [add, long, huge, wipe, slow],
      sources: [builtinSource('code', { timeoutMs: 2_000, memoryMb: 24, maxCalls: 120 })],
      permission: { deny: ['wipe'], openReads: true },
    })
    surface = await crib.surface()
    hurried = await createCrib({
      store: memoryStore(),
      sources: [builtinSource('code', { timeoutMs: 500 })],
      permission: { openReads: true },
    })
  })
  afterAll(() => Promise.all([crib.close(), hurried.close()]))

  it('makes 100 calls that are invocations of their own, and gives one result', async () => {
    const result = await run(`
      const all = await Promise.all(Array.from({ length: 100 }, (_, a) => tools.math.add({ a, b: 1 })))
      return all.reduce((total, { sum }) => total + sum, 0)`)
    expect(result.structured_content).toEqual({ value: 5050, calls: 100 })
    const children = (await collect(crib.invocations())).filter(
      ({ toolcrib }) => toolcrib?.['parent_invocation_id'] === result.invocation_id,
    )
    expect(children).toHaveLength(100)
    expect(new Set(children.map(({ tool_id: id, status }) => `${id} ${status}`))).toEqual(
      new Set(['math.add succeeded']),
    )
    const parent = await crib.invocation(result.invocation_id)
    expect(parent!.toolcrib!['child_invocation_ids']).toHaveLength(100)
  })

  it.each([
    ['tools.math.add({ a: 1, b: 2 })', { sum: 3 }],
    [`tools['math.add']({ a: 1, b: 2 })`, { sum: 3 }],
    [`callTool('math__add', { a: 1, b: 2 })`, { sum: 3 }],
  ])('%s names a tool', async (call, expected) => {
    expect(await value(`return await ${call}`)).toEqual(expected)
  })

  it('gets the whole of a result that a model would get as a preview', async () => {
    expect(await value('return (await tools.long()).length')).toBe(300_000)
  })

  it('returns nothing as null, and shows what the code prints', async () => {
    const result = await run(`console.log('a', { b: 1 }); console.error(new Error('c'))`)
    expect(result.structured_content).toEqual({ value: null, calls: 0, log: 'a {"b":1}\nError: c\n' })
    expect(result.model_facing_content).toMatchObject([{ text: 'null\n\nPrinted:\na {"b":1}\nError: c\n' }])
  })

  it('a failed call is an error that the code can catch', async () => {
    expect(
      await value(`
        const seen = []
        for (const call of [() => tools.wipe(), () => tools.missing(), () => tools.math.add({ a: 'x', b: 1 }), () => tools.huge()])
          try { await call() } catch (error) { seen.push([error.name, error.error_class]) }
        return seen`),
    ).toEqual([
      ['ToolError', expect.stringMatching(/permission_denied|blocked_tool/)],
      ['ToolError', 'unknown_tool'],
      ['ToolError', 'schema_validation_failed'],
      ['ToolError', 'result_too_large'],
    ])
  })

  it.each([
    ['an endless loop', 'while (true) {}'],
    ['an endless loop of long steps', 'const text = "x".repeat(4e6); for (;;) console.log(text)'],
    ['an endless chain of promises', 'for (;;) await null'],
    ['a slow regular expression', `return /^(a+)+$/.test('a'.repeat(40) + 'b')`],
  ])('%s ends as a clean error', async (_, code) => {
    const result = await runIn(hurried, code)
    expect(result).toMatchObject({ is_error: true, error: { error_class: 'timeout' } })
    expect(result.error!.message).toContain('computed for more than 500 ms')
    expect((await runIn(hurried, 'return 1')).structured_content).toMatchObject({ value: 1 })
  })

  it.each([
    ['a memory bomb', 'const a = []; for (;;) a.push(new Array(1e4).fill(a.length))', '24 MB'],
    ['a string bomb', `let s = 'x'; for (;;) s += s`, ''],
    ['deep recursion', 'const f = () => f() + 1; return f()', 'stack'],
    ['a syntax error', 'return 1 +', 'cannot be parsed'],
    ['an error', 'let a\n\nthrow new TypeError("no")', 'TypeError: no (line 3)'],
    ['a thrown text', 'throw "no"', 'no'],
    ['a promise that nothing resolves', 'await new Promise(() => {})', 'nothing resolves'],
    ['a cyclic value', 'const a = {}; a.a = a; return a', 'cannot be written as JSON'],
    ['a module', `await import('node:fs')`, ''],
  ])('%s ends as a clean error', async (_, code, words) => {
    const result = await run(code)
    expect(result).toMatchObject({ is_error: true, error: { error_class: 'execution_failed' } })
    expect(result.error!.message).toContain(words)
    expect(await value('return 1')).toBe(1)
  })

  it('has nothing of Node', async () => {
    const names = [
      'process',
      'require',
      'fetch',
      'setTimeout',
      'Buffer',
      'WebAssembly',
      'Worker',
      'std',
      'os',
    ]
    expect(await value(`return ${JSON.stringify(names)}.filter((name) => name in globalThis)`)).toEqual([])
    expect(await value(`return [].constructor.constructor('return typeof process')()`)).toBe('undefined')
  })

  it('may make as many calls as the settings say', async () => {
    const result = await run(`
      let made = 0
      try { for (;;) { await tools.math.add({ a: 1, b: 1 }); made++ } } catch (error) { return [made, error.message] }`)
    expect(result.structured_content).toMatchObject({
      value: [120, expect.stringContaining('One run may call 120 tools')],
    })
  })

  it('a canceled run cancels its calls', async () => {
    const call = crib.call(surface, { name: 'code.run', input: { code: 'await tools.slow()' } })
    for await (const { event_type: type } of call) {
      if (type !== 'toolcrib.invocation.called_tool') continue
      call.cancel()
      break
    }
    const result = await call
    expect(result.status).toBe('canceled')
    const child = (await collect(crib.invocations({ tool: 'slow' }))).at(-1)!
    expect(child.status).toBe('canceled')
  })

  it('states what it does', async () => {
    const declared = crib.declaration('code.run')!
    expect(declared).toMatchObject({
      tool_id: 'tool_code_run',
      namespace: 'local.code',
      name: 'code.run',
      tool_kind: 'code_execution',
    })
    expect(await crib.resolveRef(declared.permission_profile_ref!)).toMatchObject({
      access_kinds: ['code_execution'],
      write_effects: ['none'],
    })
    expect(await crib.resolveRef(declared.execution_profile_ref!)).toMatchObject({
      execution_kind: 'embedded_runtime',
      supports_cancel: true,
    })
  })
})

describe('many runs at once', () => {
  it('are bounded, so that code that starts code cannot fill the memory', async () => {
    let release: () => void = () => {}
    const released = new Promise<void>((resolve) => (release = resolve))
    const about = {
      input: { jsonSchema: { type: 'object' } },
      isReadOnly: true,
      isOpenWorld: false,
      isConcurrencySafe: true,
    } as const
    const hold = defineTool({
      ...about,
      name: 'hold',
      description: 'Wait.',
      execute: () => released.then(() => 1),
    })
    const free = defineTool({
      ...about,
      name: 'free',
      description: 'End the wait.',
      execute: () => release(),
    })
    const crib = await createCrib({
      tools: [hold, free],
      store: memoryStore(),
      sources: [builtinSource('code', { memoryMb: 16 })],
    })
    const code = `
      const runs = Array.from({ length: 35 }, () => callTool('code.run', { code: 'return await tools.hold()' }))
      const refused = []
      await new Promise((done) =>
        runs.forEach((run) => run.catch(({ message }) => refused.push(message) === 4 && done())),
      )
      await tools.free()
      const ended = await Promise.allSettled(runs)
      return { refused, succeeded: ended.filter(({ status }) => status === 'fulfilled').length }`
    const result = await crib.call(await crib.surface(), { name: 'code.run', input: { code } })
    await crib.close()
    expect(result.structured_content).toMatchObject({ value: { succeeded: 31 } })
    const { refused } = (result.structured_content as { value: { refused: string[] } }).value
    expect(refused).toEqual(Array(4).fill(expect.stringContaining('32 runs of code are under way')))
  })
})
