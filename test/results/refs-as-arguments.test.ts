import { existsSync, readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import { defineHook, defineTool, toolOutput, type Crib, type Surface, type ToolResult } from 'toolcrib'
import { memoryBlobs } from 'toolcrib/blobs'
import { onBothStores, openCrib } from '../scenarios/open-crib.js'
import { endChildren, startChild } from '../storage/run-child.js'
import { temporaryFolder } from '../temporary-folder.js'
import { eventsOf, giver, keptIn, numbered, type GiveOptions } from './give.js'

afterEach(endChildren)

const long = numbered(4000)
const CANARY = 'line 3333 of many'

onBothStores('a ref as an argument', (newStore) => {
  interface Used {
    crib: Crib
    surface: Surface
    ref: string
    seen: Record<string, unknown>[]
    use(
      input: Record<string, unknown>,
      on?: Surface,
    ): Promise<{ result: ToolResult; logged: string; id: string }>
  }

  /** A long result, and a tool that takes its ref. */
  async function place(
    { tool = {}, output = () => long, ...options }: GiveOptions & { output?: () => unknown } = {},
    onUse: (input: Record<string, unknown>) => unknown = () => 'used',
  ): Promise<Used> {
    const seen: Record<string, unknown>[] = []
    const crib = await openCrib({
      store: newStore(),
      decider: () => ({ behavior: 'allow' }),
      ...options,
      tools: [
        giver(output),
        defineTool({
          name: 'use',
          description: 'Uses.',
          input: { jsonSchema: { type: 'object' } },
          isReadOnly: true,
          isOpenWorld: false,
          ...tool,
          execute: ((input: Record<string, unknown>) => {
            seen.push(input)
            return onUse(input)
          }) as never,
        }),
      ],
    })
    const surface = await crib.surface({ scope: 'turn', actor: 'agent' })
    const given = crib.call(surface, { name: 'give' })
    await given
    return {
      crib,
      surface,
      seen,
      ref: `toolcrib://invocations/${given.invocationId}/output`,
      async use(input, on = surface) {
        const call = crib.call(on, { name: 'use', input })
        const result = await call
        const logged = JSON.stringify([
          await crib.story(call.invocationId),
          await eventsOf(crib, call.invocationId),
        ])
        return { result, logged, id: call.invocationId }
      },
    }
  }

  it('is replaced by its text, and the records show the ref and never the content', async () => {
    const { ref, use, seen } = await place()
    const { result, logged } = await use({ text: ref })
    expect(result.status).toBe('succeeded')
    expect(seen).toEqual([{ text: long }])
    expect(logged).toContain(ref)
    expect(logged).not.toContain(CANARY)
  })

  it('to JSON is its value, and its text where a field takes only texts', async () => {
    const rows = Array.from({ length: 5000 }, (_, id) => ({ id, name: `row ${id}` }))
    const properties = { any: {}, text: { type: 'string' }, texts: { items: { type: 'string' } } }
    const { ref, use, seen } = await place({
      output: () => ({ rows }),
      tool: { input: { jsonSchema: { type: 'object', properties } } },
    })
    await use({ any: ref, text: ref, texts: [ref] })
    expect(seen[0]!['any']).toEqual({ rows })
    expect(seen[0]!['text']).toBe(JSON.stringify({ rows }))
    expect(seen[0]!['texts']).toEqual([JSON.stringify({ rows })])
  })

  it('to bytes is the bytes', async () => {
    const bytes = Buffer.from(Array.from({ length: 60_000 }, (_, index) => (index * 31) % 256))
    const { crib, surface, use, seen } = await place({
      output: () => toolOutput({ stream: new Blob([bytes]), mediaType: 'image/png' }),
    })
    const made = crib.call(surface, { name: 'give' })
    await made
    await use({ image: `toolcrib://invocations/${made.invocationId}/blocks/0` })
    expect(Buffer.from(seen[0]!['image'] as Uint8Array).equals(bytes)).toBe(true)
  })

  it('may refer to a short result, an input or a part: anything with a ref', async () => {
    const { crib, surface, use, seen } = await place({ output: () => ({ celsius: 21 }) })
    const made = crib.call(surface, { name: 'give', input: { city: 'here' } })
    await made
    await use({
      output: `toolcrib://invocations/${made.invocationId}/output`,
      input: `toolcrib://invocations/${made.invocationId}/inputs/0`,
    })
    expect(seen).toEqual([{ output: { celsius: 21 }, input: { city: 'here' } }])
  })

  it('is found in lists and objects; a text that only mentions a ref is not changed', async () => {
    const { ref, use, seen } = await place()
    const said = `see ${ref}`
    await use({ list: [1, ref, [ref]], deep: { er: { text: ref, other: null } }, said, [ref]: 1 })
    expect(seen).toEqual([
      { list: [1, long, [long]], deep: { er: { text: long, other: null } }, said, [ref]: 1 },
    ])
  })

  it('is a temporary file for a path that is read, and the file is removed after the call', async () => {
    let found: { text: string; mode: number; folderMode: number } | undefined
    const { ref, use, seen } = await place({ tool: { paths: { path: 'read' } } }, ({ path }) => {
      const file = String(path)
      found = {
        text: readFileSync(file, 'utf8'),
        mode: statSync(file).mode & 0o777,
        folderMode: statSync(fileURLToPath(new URL('.', `file://${file}`))).mode & 0o777,
      }
    })
    const { result, logged } = await use({ path: ref })
    expect(result.status).toBe('succeeded')
    expect(found).toEqual({ text: long, mode: 0o600, folderMode: 0o700 })
    expect(String(seen[0]!['path'])).toMatch(/result\.txt$/)
    expect(existsSync(String(seen[0]!['path']))).toBe(false)
    expect(logged).not.toContain(String(seen[0]!['path']))
  })

  it('two calls at once each have their own file', async () => {
    const { ref, use, seen } = await place(
      { tool: { paths: { path: 'read' }, isConcurrencySafe: true } },
      async ({ path }) => {
        await new Promise((resolve) => setTimeout(resolve, 20))
        return readFileSync(String(path)).length
      },
    )
    const made = await Promise.all([use({ path: ref }), use({ path: ref })])
    expect(made.map(({ result }) => result.structured_content)).toEqual([long.length, long.length])
    expect(new Set(seen.map(({ path }) => path)).size).toBe(2)
  })

  it('is refused for a path that is written', async () => {
    const { ref, use, seen } = await place({ tool: { paths: { path: 'write' } } })
    const { result } = await use({ path: ref })
    expect(result).toMatchObject({
      is_error: true,
      error: { error_class: 'invalid_arguments', error_code: 'toolcrib.ref_read_only' },
    })
    expect(seen).toEqual([])
  })

  it('is used as the tool states: for all fields, or for each', async () => {
    const kept = await place({ tool: { refs: 'keep' } })
    await kept.use({ text: kept.ref })
    expect(kept.seen).toEqual([{ text: kept.ref }])
    const each = await place(
      { tool: { refs: { a: 'file', b: 'content', c: 'keep' } } },
      ({ a }) => readFileSync(String(a), 'utf8').length,
    )
    const { result } = await each.use({ a: each.ref, b: each.ref, c: each.ref, d: each.ref })
    expect(result.structured_content).toBe(long.length)
    expect(each.seen[0]).toMatchObject({ b: long, c: each.ref, d: long })
  })

  it('a tool with an invalid "refs" is rejected', () => {
    expect(() =>
      defineTool({ name: 'x', description: 'X.', refs: 'copy' as never, execute: () => 1 }),
    ).toThrow(/"refs" must be content, base64, file, keep/)
  })

  describe('that cannot be resolved says why, and the tool does not run', () => {
    const expectRefused = async (
      { use, seen }: Used,
      ref: string,
      [errorClass, code]: [string, string],
      on?: Surface,
    ) => {
      const { result } = await use({ text: ref }, on)
      expect(result.error).toMatchObject({ error_class: errorClass, error_code: code })
      expect(result.error!.message).toContain(ref)
      expect(seen).toEqual([])
    }

    it('unknown', async () => {
      const made = await place()
      const unknown = 'toolcrib://invocations/inv_0000000000000000000000/output'
      await expectRefused(made, unknown, ['invalid_arguments', 'toolcrib.ref_unknown'])
    })

    it('of another tenant, which counts as unknown', async () => {
      const made = await place()
      const elsewhere = await made.crib.surface({ scope: 'turn', tenant: 'other' })
      await expectRefused(made, made.ref, ['invalid_arguments', 'toolcrib.ref_unknown'], elsewhere)
    })

    it('denied, because it is encrypted: its readers read it themselves, and no tool gets it', async () => {
      const hook = defineHook({
        id: 'h',
        event: 'post_tool_use',
        matcher: 'give',
        run: () => ({ updatedOutput: 'safe' }),
      })
      const made = await place({
        hooks: [hook],
        redaction: { readers: ['auditor'] },
        sealKey: Buffer.alloc(32, 7),
      })
      const native = made.ref.replace(/output$/, 'native')
      await expectRefused(made, native, ['permission_denied', 'toolcrib.ref_denied'])
      const auditor = await made.crib.surface({ scope: 'turn', actor: 'auditor' })
      const { result, logged } = await made.use({ text: native }, auditor)
      expect(result.error).toMatchObject({
        error_class: 'permission_denied',
        error_code: 'toolcrib.ref_denied',
        message: `No tool gets protected data; its readers open it with result.read: ${native}`,
      })
      expect(logged).not.toContain(CANARY)
      expect(made.seen).toEqual([])
      const page = await made.crib.read(native, { by: 'lines' }, { actor: 'auditor' })
      expect(JSON.stringify(page)).toContain('line 1 of many')
    })

    it('denied, because a rule denies reading results', async () => {
      const made = await place({
        decider: undefined as never,
        permission: { deny: ['result.read'], allow: ['local.*'] },
      })
      await expectRefused(made, made.ref, ['permission_denied', 'toolcrib.ref_denied'])
    })

    it('denied by a rule also where the reader is not offered, not chosen, or not needed', async () => {
      const denying = {
        decider: undefined as never,
        permission: { deny: ['result.read'], allow: ['local.*'] },
      }
      const refused: [string, string] = ['permission_denied', 'toolcrib.ref_denied']
      const notOffered = await place({ ...denying, results: { readTool: false } })
      await expectRefused(notOffered, notOffered.ref, refused)
      const short = await place({ ...denying, output: () => 'short' })
      await expectRefused(short, short.ref, refused)
      const chosen = await place(denying)
      const few = await chosen.crib.surface({ scope: 'turn', include: ['local.*'] })
      await expectRefused(chosen, chosen.ref, refused, few)
    })

    it('expired', async () => {
      let now = Date.UTC(2026, 0, 1)
      const made = await place({ clock: () => now })
      now += 31 * 24 * 3_600_000
      await expectRefused(made, made.ref, ['invalid_arguments', 'toolcrib.ref_expired'])
    })

    it('missing: its bytes are removed, its record is not', async () => {
      const blobs = memoryBlobs()
      const made = await place({ blobs })
      for (const { digest } of await keptIn(blobs)) await blobs.remove('default', digest)
      await expectRefused(made, made.ref, ['invalid_arguments', 'toolcrib.ref_missing'])
    })

    it('too large for a value; as a file it is available', async () => {
      const output = () => new Blob(['x'.repeat(17 * 1024 * 1024)], { type: 'text/plain' })
      const made = await place({ output })
      await expectRefused(made, made.ref, ['invalid_arguments', 'toolcrib.ref_too_large'])
      const asFile = await place(
        { output, tool: { refs: 'file' } },
        ({ text }) => statSync(String(text)).size,
      )
      const { result } = await asFile.use({ text: asFile.ref })
      expect(result.structured_content).toBe(17 * 1024 * 1024)
    })
  })

  it('is judged by its content; approvers, hooks and records get the ref and never the content', async () => {
    const judged: unknown[] = []
    const shown: unknown[] = []
    const { ref, use, seen } = await place({
      decider: (request) => {
        judged.push(structuredClone(request.input))
        shown.push(structuredClone(request.shownInput))
        return { behavior: request.toolId === 'local.use' ? 'ask' : 'allow' }
      },
      approver: (request) => {
        shown.push(JSON.parse(JSON.stringify(request)))
        return { approved: true }
      },
      hooks: [
        defineHook({
          id: 'h',
          event: 'pre_tool_use',
          matcher: 'use',
          run: (call) => void shown.push(JSON.parse(JSON.stringify(call))),
        }),
      ],
    })
    const { result, logged } = await use({ text: ref })
    expect(result.status).toBe('succeeded')
    expect(judged).toContainEqual({ text: long })
    expect(seen).toEqual([{ text: long }])
    expect(shown.length).toBeGreaterThanOrEqual(4)
    expect(JSON.stringify(shown)).toContain(ref)
    expect(JSON.stringify([shown, logged])).not.toContain(CANARY)
  })

  it('that expires between the decision and the run keeps the tool from running', async () => {
    let now = Date.UTC(2026, 0, 1)
    const { ref, use, seen } = await place({
      clock: () => now,
      decider: ({ tool }) => ({ behavior: tool.toolId === 'local.use' ? 'ask' : 'allow' }),
      approver: () => {
        now += 31 * 24 * 3_600_000
        return { approved: true }
      },
    })
    const { result } = await use({ text: ref })
    expect(result.error).toMatchObject({
      error_class: 'dependency_unavailable',
      error_code: 'toolcrib.ref_expired',
      message: expect.stringMatching(/^The tool did not run: /),
    })
    expect(seen).toEqual([])
  })
})

describe('a call with refs that waits for approval', () => {
  it('continues in another process, and gets the content there', async () => {
    const folder = temporaryFolder()
    const script = new URL('./children/ref-process.mjs', import.meta.url)
    const first = startChild(script, [folder, 'ask'])
    const said = await new Promise<string>((resolve) => {
      let text = ''
      first.process.stdout!.on('data', (chunk) => {
        text += String(chunk)
        if (text.includes('\n')) resolve(text)
      })
    })
    const { ref, approvalId } = JSON.parse(said) as { ref: string; approvalId: string }
    expect(said).toContain(ref)
    expect(said).not.toContain('the-content the-content')
    first.kill('SIGKILL')
    await first.end
    const second = startChild(script, [folder, 'answer', approvalId])
    const { stdout } = await second.end
    const effects = readFileSync(`${folder}/effects`, 'utf8').trimEnd().split('\n')
    expect(effects.map((line) => JSON.parse(line) as unknown)).toEqual([
      { pid: second.process.pid, chars: 72_000, fileBytes: 72_000 },
    ])
    expect(JSON.parse(stdout.trimEnd().split('\n').at(-1)!)).toMatchObject({ status: 'succeeded' })
  })
})
