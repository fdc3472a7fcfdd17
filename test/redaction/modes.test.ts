import { Readable } from 'node:stream'
import { afterEach, describe, expect, it } from 'vitest'
import {
  createCrib,
  defineTool,
  memoryStore,
  sqliteStore,
  toolFailure,
  toolOutput,
  type Crib,
  type CribOptions,
  type HookAnswer,
  type HookDefinition,
  type RedactionMode,
  type ToolResult,
} from 'toolcrib'
import { createRedactor } from '../../src/redaction/redactor.js'
import { openTemporaryFolder } from '../temporary-folder.js'

const SECRET = 'violet-harbour-nineteen'
const OTHER = 'copper-meadow-eleven'
const KEY = Buffer.alloc(32, 7).toString('base64')

const open: { end(): unknown }[] = []
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.end()
})

async function openCrib(redaction: CribOptions['redaction'] = {}, more: CribOptions = {}): Promise<Crib> {
  const place = openTemporaryFolder()
  open.push({ end: place.remove })
  const tool = (name: string, execute: (input: never) => unknown, said: object = {}) =>
    defineTool({
      namespace: 't',
      name,
      description: name,
      isReadOnly: true,
      execute: execute as () => unknown,
      ...said,
    })
  const crib = await createCrib({
    store: sqliteStore({ path: place.file('crib.db') }),
    sealKey: KEY,
    decider: () => ({ behavior: 'allow' }),
    tools: [
      tool('text', () => `first line\nthe word is ${SECRET}!\nlast line`),
      tool('value', () => ({ word: SECRET, keep: 1 })),
      tool('stream', () =>
        Readable.from([`first\nit is ${SECRET.slice(0, 9)}`, `${SECRET.slice(9)}\nlast\n`]),
      ),
      tool('bytes', () => toolOutput({ stream: Readable.from([Buffer.from(`\0${SECRET}\0`)]) })),
      tool('throws', () => Promise.reject(new Error(`bad ${SECRET}`))),
      tool('echo', (input) => input),
      tool('output', () => ({ card: OTHER, name: 'Ada' }), { sensitiveOutputFields: ['card'] }),
      tool('pin', () => ({ pin: 123, name: 'Ada' }), { sensitiveOutputFields: ['pin'] }),
    ],
    redaction: { secrets: [SECRET], environment: false, ...redaction },
    ...more,
  })
  open.push({ end: () => crib.close() })
  return crib
}

async function callAs(way: RedactionMode | undefined, name: string, input: unknown = {}, crib?: Crib) {
  const readers = { readers: ['person:ada'] }
  const used = crib ?? (await openCrib(readers))
  const surface = await used.surface({ scope: 'session', actor: 'agent', ...(way && { redaction: way }) })
  const call = used.call(surface, { name: `t.${name}`, input })
  return { crib: used, result: await call, story: (await used.story(call.invocationId))! }
}

const textOf = ({ content }: ToolResult): string | undefined => content![0]!.text

describe('a secret in the output of a tool', () => {
  it('is masked, and the rest stays', async () => {
    expect(textOf((await callAs('mask', 'text')).result)).toBe(
      'first line\nthe word is [redacted]!\nlast line',
    )
    expect((await callAs('mask', 'value')).result.structured_content).toEqual({ word: '[redacted]', keep: 1 })
    expect(textOf((await callAs('mask', 'stream')).result)).toBe('first\nit is [redacted]\nlast\n')
    expect((await callAs('mask', 'throws')).result.error!.message).toBe('bad [redacted]')
  })

  it('is removed with its whole line where lines are dropped', async () => {
    expect(textOf((await callAs('drop', 'text')).result)).toBe('first line\n[redacted:dropped]\nlast line')
    expect(textOf((await callAs('drop', 'stream')).result)).toBe('first\n[redacted:dropped]\nlast\n')
    expect((await callAs('drop', 'value')).result.structured_content).toEqual({
      word: '[redacted:dropped]',
      keep: 1,
    })
    expect((await callAs('drop', 'throws')).result.error!.message).toBe('[redacted:dropped]')
  })

  it('has the same mark everywhere, in every process that has the key, and the mark is no secret itself', async () => {
    const marks = new Set<string>()
    const hash = /\[redacted:[0-9a-f]{16}\]/
    for (const name of ['text', 'value', 'stream', 'throws']) {
      const { result, story } = await callAs('hash', name)
      const mark = hash.exec(JSON.stringify(result))![0]
      marks.add(mark)
      expect(JSON.stringify(story)).not.toContain(SECRET)
      const engine = createRedactor({ patterns: true })
      const again = { password: mark, text: `token=${mark} and Authorization: Bearer ${mark}`, [mark]: mark }
      expect(engine.value(again)).toBe(again)
    }
    expect(marks.size).toBe(1)
    const crib = await openCrib({}, { sealKey: Buffer.alloc(32, 8).toString('base64') })
    const other = (await callAs('hash', 'text', {}, crib)).result
    expect(hash.exec(textOf(other)!)![0]).not.toBe([...marks][0])
  })

  it.each(['text', 'value', 'stream'])(
    '[AT-RES-02] in a protected %s is kept sealed for named actors only',
    async (name) => {
      const { crib, result } = await callAs('protect', name)
      expect(JSON.stringify(result)).not.toContain(SECRET)
      const ref = result.resource_refs!.find(({ relation }) => relation === 'unredacted_output')!
      expect(ref).toMatchObject({ access: 'named_actors', redaction_state: 'none' })
      const read = (actor?: string) =>
        crib.read(ref.uri!, { by: 'lines' }, actor === undefined ? {} : { actor })
      expect(JSON.stringify(await read('person:ada'))).toContain(SECRET)
      for (const actor of [undefined, 'agent', 'person:eve'])
        await expect(read(actor)).rejects.toMatchObject({
          code: 'toolcrib.ref_denied',
          errorClass: 'permission_denied',
        })
    },
  )

  it('in protected bytes is restored byte for byte', async () => {
    const { crib, result } = await callAs('protect', 'bytes')
    const ref = result.resource_refs!.find(({ relation }) => relation === 'unredacted_output')!
    const page = await crib.read(ref.uri!, { by: 'bytes' }, { actor: 'person:ada' })
    expect(JSON.stringify(page)).toContain(Buffer.from(`\0${SECRET}\0`).toString('base64'))
  })

  it('is masked in inputs in every mode, and the tool gets the original', async () => {
    for (const [way, shown] of [
      ['mask', '[redacted]'],
      ['drop', '[redacted:dropped]'],
      ['protect', '[redacted]'],
    ] as const) {
      const { story } = await callAs(way, 'echo', { note: SECRET })
      expect(story.invocation.model_input).toEqual({ note: shown })
      expect(story.invocation.call_input).toEqual({ note: shown })
    }
  })

  it('the mode of a crib applies where a surface names none', async () => {
    const crib = await openCrib({ way: 'drop' })
    expect(textOf((await callAs(undefined, 'text', {}, crib)).result)).toContain('[redacted:dropped]')
    expect(textOf((await callAs('mask', 'text', {}, crib)).result)).toContain('is [redacted]!')
  })

  it('cannot be protected where no reader is configured', async () => {
    const crib = await openCrib()
    const sentence = 'name them in createCrib, { redaction: { readers: [...] } }.'
    await expect(crib.surface({ scope: 'session', redaction: 'protect' })).rejects.toThrow(sentence)
    const surface = await crib.surface({ scope: 'session' })
    await expect(surface.update({ redaction: 'protect' })).rejects.toThrow(sentence)
    await expect(openCrib({ way: 'protect' })).rejects.toThrow('"protect" needs "readers"')
  })
})

describe('a declared field of an output', () => {
  it('is masked in all forms, and the declaration says so', async () => {
    const { crib, result } = await callAs('mask', 'output')
    expect(result.structured_content).toEqual({ card: '[redacted]', name: 'Ada' })
    expect(textOf(result)).toBe('{"card":"[redacted]","name":"Ada"}')
    expect(result.redaction_state).toBe('partially_redacted')
    expect(crib.declaration('t.output')!.output_contract!.redaction_rules).toEqual([
      { field: 'card', action: 'mask' },
    ])
  })
})

it('a declared field that is too short to be searched for is masked all the same', async () => {
  const { result } = await callAs('mask', 'pin')
  expect(textOf(result)).toBe('{"pin":"[redacted]","name":"Ada"}')
  expect(result.toolcrib!['redactions']).toEqual({ declared_field: 1 })
})

describe('masked secrets are counted', () => {
  const counts = (result: ToolResult) => result.toolcrib!['redactions']

  it('once, in however many forms the output exists', async () => {
    expect(counts((await callAs('mask', 'value')).result)).toEqual({ known_secret: 1 })
    expect(counts((await callAs('mask', 'text')).result)).toEqual({ known_secret: 1 })
    expect(counts((await callAs('mask', 'stream')).result)).toEqual({ known_secret: 1 })
    expect(counts((await callAs('mask', 'throws')).result)).toEqual({ known_secret: 1 })
    expect(counts((await callAs('mask', 'output')).result)).toEqual({ declared_field: 1 })
  })

  it('in the block, the result and the event', async () => {
    const { crib, result } = await callAs('mask', 'value')
    expect(result).toMatchObject({
      redaction_state: 'partially_redacted',
      content: [{ redaction_state: 'partially_redacted' }],
    })
    const rules: unknown[] = []
    for await (const { event_type: type, data } of crib.events({ invocation: result.invocation_id }))
      if (type === 'tool.result.redacted') rules.push((data as { rules: unknown }).rules)
    expect(rules).toEqual([{ known_secret: 1 }])
  })

  it('for an input on the invocation; the result is not marked', async () => {
    const crib = await openCrib(
      {},
      {
        tools: [
          defineTool({ namespace: 't', name: 'quiet', description: 'Says nothing.', execute: () => 'done' }),
        ],
      },
    )
    const { result, story } = await callAs('mask', 'quiet', { note: SECRET }, crib)
    expect(result.redaction_state).toBe('none')
    expect(counts(result)).toBeUndefined()
    expect(story.invocation.toolcrib!['input_redactions']).toEqual({ known_secret: 1 })
  })
})

describe('the record says where something was masked', () => {
  const reads = { namespace: 's', description: 'Gives.', isReadOnly: true, isOpenWorld: false } as const
  const gives = (name: string, execute: () => unknown, more: object = {}) =>
    defineTool({ ...reads, name, execute, ...more })
  const hook = (id: string, event: string, answer: unknown): HookDefinition => ({
    id,
    event: event as HookDefinition['event'],
    tools: [`s.${id}`],
    run: () => {
      if (answer instanceof Error) throw answer
      return answer as HookAnswer
    },
  })
  const failure = toolFailure('rate_limited', 'Too many.', { code: `code_${SECRET}` })
  const tools = [
    gives('text', () => `it is ${SECRET}`),
    gives('name', () => ({ [SECRET]: 1 })),
    gives('summary', () => toolOutput({ structured: { a: 1 }, summary: `with ${SECRET}` })),
    gives('native', () =>
      toolOutput({ structured: { a: 1 }, native: { source: 'mcp', meta: { said: SECRET } } }),
    ),
    gives('ref', () =>
      toolOutput({ structured: { a: 1 }, resourceRefs: [{ uri: `https://a.test/${SECRET}` }] }),
    ),
    gives('partly', () => toolOutput({ structured: { a: 1 }, partialFailure: `not ${SECRET}` })),
    gives('said_error', () => toolOutput({ failure: `no ${SECRET}` })),
    gives('to_ui', () => 'a', { toUi: () => SECRET }),
    gives('throws', () => Promise.reject(new Error(SECRET))),
    gives('throws_code', () => Promise.reject(failure)),
    gives('context', () => 'a'),
    gives('broken', () => 'a'),
    gives('withheld', () => 'a'),
    gives('refused', () => 'a'),
    gives('noted', () => 'a'),
    gives('dropped', () => 'a'),
    gives('checked', () => 'a', { validate: () => `not with ${SECRET}` }),
    gives('long', () => `${SECRET}\n${'words of a line\n'.repeat(9000)}`),
    gives('file', () =>
      toolOutput({ content: [{ type: 'file', data: Buffer.from(SECRET).toString('base64') }] }),
    ),
  ]
  const hooks = [
    hook('context', 'post_tool_use', { additionalContext: `mind ${SECRET}` }),
    hook('broken', 'post_tool_use', new Error(`broke at ${SECRET}`)),
    hook('withheld', 'post_tool_use', { stop: { reason: `because of ${SECRET}` } }),
    hook('refused', 'pre_tool_use', { permission: { behavior: 'deny', message: `because of ${SECRET}` } }),
    hook('noted', 'pre_tool_use', { additionalContext: `mind ${SECRET}` }),
    hook('dropped', 'result_persistence', { persistence: { strategy: 'drop_with_reason', reason: SECRET } }),
  ]

  it.each(
    (['mask', 'hash', 'drop'] as const).flatMap((way) => tools.map(({ name }) => [way, name] as const)),
  )('with the way %s: %s', async (way, name) => {
    const crib = await openCrib({ way }, { tools, hooks, store: memoryStore() })
    const call = crib.call(await crib.surface({ scope: 'turn' }), { name: `s.${name}` })
    const given = await call
    const { result, persistence } = (await crib.story(call.invocationId))!
    for (const record of [given, result, persistence]) {
      if (!record) continue
      const shown = JSON.stringify(record)
      expect(shown).not.toContain(SECRET)
      if (shown.includes('[redacted')) expect(record.redaction_state, shown).not.toBe('none')
    }
    expect(JSON.stringify(given)).toContain('redacted')
  })

  it('has no such mark where nothing was masked', async () => {
    const plain = [gives('text', () => 'The docs have [redacted] in them.')]
    const crib = await openCrib({}, { tools: plain, store: memoryStore() })
    const result = await crib.call(await crib.surface({ scope: 'turn' }), { name: 's.text' })
    expect(result.redaction_state).toBe('none')
  })
})
