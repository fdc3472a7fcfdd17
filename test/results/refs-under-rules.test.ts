import { existsSync, readdirSync, readFileSync, rmdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { defineTool, toolOutput, type Crib, type CribOptions, type Surface, type ToolResult } from 'toolcrib'
import { memoryBlobs, type BlobStore } from 'toolcrib/blobs'
import { openCrib } from '../scenarios/open-crib.js'
import { endChildren, startChild } from '../storage/run-child.js'
import { eventsOf } from './give.js'
import { temporaryFolder } from '../temporary-folder.js'
import '../own-process.js'

afterEach(endChildren)

const READS = { description: 'A tool.', isReadOnly: true, isOpenWorld: false } as const

/** A tool that takes anything and records what it got. */
function taker(seen: unknown[], tool: object = {}) {
  return defineTool({
    name: 'take',
    ...READS,
    input: { jsonSchema: { type: 'object' } },
    ...tool,
    execute: ((input: unknown) => {
      seen.push(input)
      return 'taken'
    }) as never,
  })
}

interface Place {
  crib: Crib
  surface: Surface
  seen: unknown[]
  /** The ref of a result with this value. */
  refTo(value: unknown): Promise<string>
  take(input: unknown, more?: object): Promise<ToolResult>
}

async function place(options: CribOptions = {}, tool: object = {}, say: object = {}): Promise<Place> {
  const seen: unknown[] = []
  const crib = await openCrib({
    decider: () => ({ behavior: 'allow' }),
    ...options,
    tools: [
      defineTool({
        name: 'say',
        ...READS,
        input: { jsonSchema: { type: 'object' } },
        ...say,
        execute: ((input: { value: unknown }) => input.value) as never,
      }),
      taker(seen, tool),
      ...(options.tools ?? []),
    ],
  })
  const surface = await crib.surface({ scope: 'turn', actor: 'ana' })
  return {
    crib,
    surface,
    seen,
    async refTo(value) {
      const { invocation_id: id } = await crib.call(surface, { name: 'say', input: { value } })
      return `toolcrib://invocations/${id}/output`
    },
    take: async (input, more = {}) => crib.call(surface, { name: 'take', input, ...more }),
  }
}

const ruled = (permission: CribOptions['permission']): CribOptions => ({
  decider: undefined as never,
  permission: { allow: ['local.*'], ...permission },
})

const NOT_ALLOWED = { error_class: 'invalid_arguments', error_code: 'toolcrib.ref_not_allowed' }
const DENIED = { error_class: 'permission_denied' }

describe('rules see the content of a ref', () => {
  it('a condition of a deny matches its text, also nested and in JSON values', async () => {
    const { take, refTo, seen } = await place(
      ruled({ deny: ['take(to = mallory)', 'take(order.amount > 100)', 'take(whole.to ~ mal*)'] }),
    )
    const [name, amount, whole] = [await refTo('mallory'), await refTo(500), await refTo({ to: 'mallory' })]
    expect((await take({ to: name })).error).toMatchObject(DENIED)
    expect((await take({ order: { amount } })).error).toMatchObject(DENIED)
    expect((await take({ whole })).error).toMatchObject(DENIED)
    expect(seen).toEqual([])
    expect((await take({ to: await refTo('alice') })).status).toBe('succeeded')
    expect(seen).toEqual([{ to: 'alice' }])
  })

  it('so does a condition of an allow: the ref itself does not count as the value', async () => {
    const options = { decider: undefined as never, permission: { allow: ['say', 'take(to = alice)'] } }
    const { take, refTo, seen } = await place(options, { isReadOnly: false })
    expect((await take({ to: await refTo('mallory') })).error).toMatchObject({
      error_code: 'toolcrib.nobody_to_ask',
    })
    expect((await take({ to: await refTo('alice') })).status).toBe('succeeded')
    expect(seen).toEqual([{ to: 'alice' }])
  })

  it('facts that depend on the input depend on the content', async () => {
    const { take, refTo, seen } = await place(
      { decider: ({ facts }) => ({ behavior: facts.is_destructive ? 'deny' : 'allow' }) },
      { isReadOnly: false, isDestructive: ({ what }: { what: string }) => what === 'drop' },
      { isDestructive: false },
    )
    expect((await take({ what: await refTo('drop') })).error).toMatchObject(DENIED)
    expect((await take({ what: await refTo('list') })).status).toBe('succeeded')
    expect(seen).toEqual([{ what: 'list' }])
  })

  it('bytes are judged as their text, or as one character for each byte', async () => {
    const judged: unknown[] = []
    const long = ' '.repeat(60_000)
    const given = {
      text: Buffer.from(`zu Händen: mallory${long}`),
      bytes: Buffer.from(`\u00ffmal${long}`, 'latin1'),
    }
    const { take, crib, surface, seen } = await place({
      decider: ({ toolId, input }) => {
        if (toolId === 'local.take') judged.push(structuredClone(input))
        return { behavior: 'allow' }
      },
      tools: [
        defineTool({
          name: 'give',
          ...READS,
          input: { jsonSchema: { type: 'object' } },
          execute: (({ which }: { which: 'text' | 'bytes' }) =>
            toolOutput({ stream: new Blob([given[which]]), mediaType: 'image/png' })) as never,
        }),
      ],
    })
    const refOf = async (which: string) => {
      const { invocation_id: id } = await crib.call(surface, { name: 'give', input: { which } })
      return `toolcrib://invocations/${id}/blocks/0`
    }
    const input = { text: await refOf('text'), bytes: await refOf('bytes') }
    expect((await take(input)).status).toBe('succeeded')
    expect(judged).toEqual([{ text: `zu Händen: mallory${long}`, bytes: `\u00ffmal${long}` }])
    const { text, bytes } = seen[0] as Record<'text' | 'bytes', Buffer>
    expect([text.equals(given.text), bytes.equals(given.bytes)]).toEqual([true, true])
  })

  it('the content of a sensitive field is not recorded anywhere', async () => {
    const { take, refTo, crib, seen } = await place(
      {},
      {
        sensitiveFields: ['pin'],
        validate: ({ pin }: { pin: string }) => (pin.startsWith('no') ? `"${pin}" is none.` : undefined),
      },
    )
    const { error, invocation_id: id } = await take({ pin: await refTo('no blue horse staple') })
    expect(error!.message).not.toContain('blue horse')
    expect(JSON.stringify(await eventsOf(crib, id))).not.toContain('blue horse')
    expect(seen).toEqual([])
  })

  it('value checks see the content', async () => {
    const { take, refTo, seen } = await place(
      {},
      { validate: ({ to }: { to: string }) => (to === 'mallory' ? 'Not to them.' : undefined) },
    )
    expect((await take({ to: await refTo('mallory') })).error?.message).toBe('Not to them.')
    expect((await take({ to: await refTo('alice') })).status).toBe('succeeded')
    expect(seen).toEqual([{ to: 'alice' }])
  })
})

describe('a ref is refused where rules need the exact text', () => {
  it.each([
    ['a command', { command: 'command', kind: 'shell_command' }, (ref: string) => ({ command: ref })],
    ['a word of a command', { command: 'command' }, (ref: string) => ({ command: ['rm', ref] })],
    ['a URL', { urls: ['url'] }, (ref: string) => ({ url: ref })],
    ['one of several URLs', { urls: ['urls'] }, (ref: string) => ({ urls: ['https://a.example', ref] })],
    ['a URL further below', { urls: ['request.url'] }, (ref: string) => ({ request: { url: ref } })],
    ['an object that holds a URL', { urls: ['request.url'] }, (ref: string) => ({ request: ref })],
    ['an object that holds a path', { paths: { 'at.path': 'read' } }, (ref: string) => ({ at: ref })],
  ])('%s', async (_, tool, input) => {
    const { take, refTo, seen } = await place({}, tool)
    const ref = await refTo({ url: 'https://evil.example' })
    const { error } = await take(input(ref))
    expect(error).toMatchObject(NOT_ALLOWED)
    expect(error!.message).toContain(ref)
    expect(seen).toEqual([])
  })

  it.each([
    [{ 'options.path': 'write' }, (ref: string) => ({ options: { path: ref } })],
    [{ 'options.path': 'write' }, (ref: string) => ({ options: ref })],
    [{ 'files.path': 'write' }, (ref: string) => ({ files: [{ path: ref }] })],
    [{ paths: 'write' }, (ref: string) => ({ paths: ['a', [ref]] })],
  ])('a path that is written, at any depth: %j', async (paths, input) => {
    const { take, refTo, seen } = await place({}, { paths, isReadOnly: false })
    expect((await take(input(await refTo('/etc/passwd')))).error).toMatchObject({
      error_class: 'invalid_arguments',
      error_code: 'toolcrib.ref_read_only',
    })
    expect(seen).toEqual([])
  })

  it('a nested path that is read is a file, whatever the tool states for other fields', async () => {
    const { take, refTo, seen } = await place({}, { paths: { 'options.path': 'read' }, refs: 'content' })
    const ref = await refTo('words')
    expect((await take({ options: { path: ref, text: ref } })).status).toBe('succeeded')
    expect(seen).toEqual([{ options: { path: expect.stringMatching(/result\.txt$/), text: 'words' } }])
  })
})

describe('a ref to the newest version', () => {
  const maker = defineTool({
    name: 'make',
    ...READS,
    input: { jsonSchema: { type: 'object' } },
    execute: (({ text, artifact }: { text: string; artifact?: string }) =>
      toolOutput({
        structured: 1,
        artifacts: [{ name: 'a.txt', content: text, ...(artifact && { artifact }) }],
      })) as never,
  })

  it('is resolved to its version before approval is requested, and the change is recorded', async () => {
    let id = ''
    let asked: unknown
    const { crib, surface, seen } = await place({
      tools: [maker],
      decider: ({ toolId }) => ({ behavior: toolId === 'local.take' ? 'ask' : 'allow' }),
      approver: async ({ input }) => {
        asked = input
        await crib.call(surface, { name: 'make', input: { text: 'other words', artifact: id } })
        return { approved: true }
      },
    })
    const made = await crib.call(surface, { name: 'make', input: { text: 'first words' } })
    id = made.artifact_refs![0]!.ref_id!
    const latest = `toolcrib://artifacts/${id}/latest`
    const call = crib.call(surface, { name: 'take', input: { body: latest, list: [latest] } })
    expect((await call).status).toBe('succeeded')
    const version = `toolcrib://artifacts/${id}/versions/1`
    expect(asked).toEqual({ body: version, list: [version] })
    expect(seen).toEqual([{ body: 'first words', list: ['first words'] }])
    const changes = (await eventsOf(crib, call.invocationId)).filter((event) =>
      JSON.stringify(event).includes('toolcrib:refs'),
    )
    expect(JSON.stringify(changes)).toContain(
      'Refs that move are set to the version that they stand for now.',
    )
  })

  it('that leads nowhere yet is unknown', async () => {
    const { take, seen } = await place()
    expect(
      (await take({ body: 'toolcrib://artifacts/art_00000000000000000000/latest' })).error,
    ).toMatchObject({
      error_code: 'toolcrib.ref_unknown',
    })
    expect(seen).toEqual([])
  })

  it('is not changed for a tool that takes the ref itself', async () => {
    const { crib, surface, seen } = await place({ tools: [maker] }, { refs: 'keep' })
    const made = await crib.call(surface, { name: 'make', input: { text: 'words' } })
    const latest = `toolcrib://artifacts/${made.artifact_refs![0]!.ref_id}/latest`
    await crib.call(surface, { name: 'take', input: { body: latest } })
    expect(seen).toEqual([{ body: latest }])
  })
})

describe('rules about result.read apply to refs in arguments', () => {
  it('a deny with a condition refuses the matching refs', async () => {
    const { take, refTo, seen } = await place(ruled({ deny: ['result.read(ref ~ */output)'] }))
    const ref = await refTo('words')
    expect((await take({ x: ref })).error).toMatchObject({
      error_class: 'permission_denied',
      error_code: 'toolcrib.ref_denied',
    })
    expect(seen).toEqual([])
    const input = ref.replace(/output$/, 'inputs/0')
    expect((await take({ x: input })).status).toBe('succeeded')
    expect(seen).toEqual([{ x: { value: 'words' } }])
  })

  it('an ask makes the call require approval, once for all its refs', async () => {
    const messages: string[] = []
    const { take, refTo, seen } = await place({
      ...ruled({ ask: ['result.read'] }),
      approver: ({ message }) => {
        messages.push(message)
        return { approved: messages.length === 1 }
      },
    })
    const refs = [await refTo('one'), await refTo('two')]
    expect((await take({ refs })).status).toBe('succeeded')
    expect(messages).toEqual([expect.stringContaining('ask result.read')])
    expect((await take({ refs })).status).toBe('rejected')
    expect(seen).toEqual([{ refs: ['one', 'two'] }])
  })

  it('in the mode without approvals, an ask is a denial', async () => {
    const { take, refTo, seen } = await place(ruled({ ask: ['result.read'], mode: 'dontAsk' }))
    expect((await take({ x: await refTo('one') })).error).toMatchObject(DENIED)
    expect(seen).toEqual([])
  })

  it('a tool that takes only the ref reads nothing', async () => {
    const { take, refTo, seen } = await place(ruled({ ask: ['result.read'] }), { refs: 'keep' })
    const ref = await refTo('one')
    expect((await take({ x: ref })).status).toBe('succeeded')
    expect(seen).toEqual([{ x: ref }])
  })
})

describe('reading belongs to the call', () => {
  /** Blobs that can hang, fail, or be counted. */
  function watched(onRead: (digest: string) => Promise<void> | void): BlobStore {
    const base = memoryBlobs()
    return {
      ...base,
      read(...asked: Parameters<BlobStore['read']>) {
        const bytes = base.read(...asked)
        return (async function* () {
          await onRead(asked[1])
          yield* bytes
        })()
      },
    } as BlobStore
  }
  const kept = { persistence: 'ref_only' }

  it.each([
    ['a value', {}],
    ['a file', { paths: { x: 'read' } }],
  ])('timeout and cancellation of the call end the reading of %s', async (_, tool) => {
    let hangs = false
    const blobs = watched(() => (hangs ? new Promise(() => {}) : undefined))
    const { take, refTo, seen } = await place({ blobs }, tool, kept)
    const ref = await refTo('words')
    hangs = true
    expect((await take({ x: ref }, { timeoutMs: 30 })).status).toBe('timed_out')
    const controller = new AbortController()
    setTimeout(() => controller.abort(), 30)
    expect((await take({ x: ref }, { signal: controller.signal })).status).toBe('canceled')
    expect(seen).toEqual([])
  })

  it('each ref is read once, however often it occurs', async () => {
    let reads = 0
    const blobs = watched(() => void reads++)
    const { take, refTo, seen } = await place({ blobs }, {}, kept)
    const ref = await refTo('words')
    reads = 0
    expect((await take({ xs: Array.from({ length: 100 }, () => ref) })).status).toBe('succeeded')
    expect(reads).toBe(1)
    expect(seen).toEqual([{ xs: Array.from({ length: 100 }, () => 'words') }])
  })

  it('all values of a call together have a limit, each occurrence counted', async () => {
    const { take, refTo, seen } = await place()
    const ref = await refTo('w'.repeat(12_000_000))
    expect((await take({ xs: Array.from({ length: 6 }, () => ref) })).error).toMatchObject({
      error_class: 'invalid_arguments',
      error_code: 'toolcrib.ref_too_large',
      message: expect.stringContaining('64 MB'),
    })
    expect((await take({ xs: [ref, ref] })).status).toBe('succeeded')
    expect(seen).toHaveLength(1)
  })

  it('a file is removed when another ref of the call fails', async () => {
    let broken = ''
    const blobs = watched(async (digest) => {
      if (broken === '') return
      if (digest === broken) throw new Error('The disk is broken.')
      await new Promise((resolve) => setTimeout(resolve, 30))
    })
    const { crib, surface, take } = await place({ blobs }, { paths: { a: 'read', b: 'read' } }, kept)
    const say = async (value: string) =>
      (await crib.call(surface, { name: 'say', input: { value } })).persisted_payload_ref!
    const [good, bad] = [await say('good'), await say('bad')]
    broken = bad.digest!
    const ours = () =>
      readdirSync(tmpdir()).filter(
        (name) => name.startsWith('toolcrib-refs-') && name.includes(`-${process.pid}-`),
      )
    expect((await take({ a: good.uri, b: bad.uri })).error).toMatchObject({
      error_code: 'toolcrib.ref_unreadable',
    })
    expect(ours().flatMap((name) => readdirSync(join(tmpdir(), name)))).toEqual([])
  })
})

describe('files left by a killed process', () => {
  it('are removed when the next file is made, and nothing else is', async () => {
    const child = startChild(new URL('./children/die-with-file.mjs', import.meta.url), [])
    const left = (await child.end).stdout.trim()
    expect(readFileSync(left, 'utf8')).toBe('private words')
    const notOurs = temporaryFolder()
    try {
      const { take, refTo } = await place({}, { paths: { x: 'read' } })
      expect((await take({ x: await refTo('words') })).status).toBe('succeeded')
      expect(existsSync(dirname(dirname(left)))).toBe(false)
      expect(existsSync(notOurs)).toBe(true)
    } finally {
      rmdirSync(notOurs)
    }
  })
})

describe('the schema of a field', () => {
  it.each([
    { type: ['string', 'null'] },
    { anyOf: [{ type: 'string' }, { type: 'null' }] },
    { oneOf: [{ type: 'string' }, { type: 'number' }] },
    { allOf: [{ type: 'string' }] },
    { type: ['string', 'array'] },
  ])('%j gets the text of an object', async (x) => {
    const jsonSchema = { type: 'object', properties: { x } }
    const { take, refTo, seen } = await place({}, { input: { jsonSchema } })
    await take({ x: await refTo({ a: 1 }) })
    expect(seen).toEqual([{ x: '{"a":1}' }])
  })

  it.each([{}, { type: ['string', 'object'] }, { anyOf: [{ type: 'string' }, { type: 'object' }] }])(
    '%j gets the object',
    async (x) => {
      const jsonSchema = { type: 'object', properties: { x } }
      const { take, refTo, seen } = await place({}, { input: { jsonSchema } })
      await take({ x: await refTo({ a: 1 }) })
      expect(seen).toEqual([{ x: { a: 1 } }])
    },
  )

  it('a result that was returned and not stored is missing, not empty', async () => {
    const { take, refTo, seen } = await place({}, {}, { persistence: 'never_persist' })
    expect((await take({ x: await refTo('words') })).error).toMatchObject({
      error_class: 'invalid_arguments',
      error_code: 'toolcrib.ref_missing',
    })
    expect(seen).toEqual([])
  })
})
