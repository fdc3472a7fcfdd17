import { describe, expect, it } from 'vitest'
import { defineTool, toolOutput, type Crib, type Surface, type ToolResult } from 'toolcrib'
import { memoryBlobs } from 'toolcrib/blobs'
import { onBothStores, openCrib, shownText } from '../scenarios/open-crib.js'
import { countTokens } from '../../src/platform/tokens/count-tokens.js'
import { eventsOf, give, giver, keptIn, numbered, type GiveOptions } from './give.js'

interface Read {
  result: ToolResult
  text: string
  id: string
}

const readOn =
  (crib: Crib, surface: Surface, ref: string) =>
  async (input: Record<string, unknown> = {}): Promise<Read> => {
    const call = crib.call(surface, { name: 'result.read', input: { ref, ...input } })
    const result = await call
    return { result, text: shownText(result), id: call.invocationId }
  }

onBothStores('result.read', (newStore) => {
  async function place(execute: () => unknown, options: GiveOptions = {}) {
    const made = await give(execute, { store: newStore(), ...options })
    return { ...made, read: readOn(made.crib, made.surface, made.ref) }
  }

  it('is offered as soon as there is something to read, and stays', async () => {
    const store = newStore()
    const crib = await openCrib({ store, tools: [giver(() => numbered(5000))] })
    expect(crib.tool('result.read')).toBeUndefined()
    const surface = await crib.surface({ scope: 'turn' })
    const result = await crib.call(surface, { name: 'give' })
    expect(shownText(result)).toContain('Read on with result.read and {"ref":"toolcrib://')
    expect(crib.tool('result.read')).toBeDefined()
    expect(
      (await crib.call(surface, { name: 'result.read', input: { ref: result.persisted_payload_ref!.uri } }))
        .status,
    ).toBe('succeeded')
  })

  it('is not offered where the crib disables it; the preview then names the ref only', async () => {
    const { crib, ref, result } = await place(() => numbered(5000), { results: { readTool: false } })
    expect(crib.tool('result.read')).toBeUndefined()
    expect(shownText(result)).toContain(`All of it: ${ref}`)
    expect((await crib.read(ref)).kind).toBe('text')
  })

  it('is not what rules about files deny: a ref is no path, and "Read" means tools that read files', async () => {
    const { read } = await place(() => numbered(5000), {
      permission: { deny: ['Read(**/.env)', 'Read(.env)'] },
    })
    expect((await read({ line: 1, lines: 1 })).text).toContain('1\tline 1 of many')
  })

  it('reads by lines, from the end too, and says how to continue', async () => {
    const { read } = await place(() => numbered(20_000))
    const first = await read()
    expect(first.text).toMatch(/^1\tline 1 of many\n2\tline 2 of many\n/)
    expect(first.text).toMatch(/read on with line \d+/)
    expect((await read({ line: 12_345, lines: 2 })).text).toContain(
      '12345\tline 12345 of many\n12346\tline 12346 of many',
    )
    expect((await read({ line: -1 })).text).toContain('20000\tline 20000 of many')
  })

  it('reads by bytes', async () => {
    const { read } = await place(() => numbered(20_000))
    const { text } = await read({ offset: 5, length: 4 })
    expect(text).toMatch(/^1 of\n/)
    expect((await read({ offset: -7, length: 7 })).text).toMatch(/^of many\n/)
  })

  it('reads by JSON pointer', async () => {
    const rows = Array.from({ length: 5000 }, (_, id) => ({ id, tags: ['a', 'b'], name: `row ${id}` }))
    const { read } = await place(() => ({ rows, total: 5000 }))
    expect((await read({ pointer: '/rows/4321/name' })).text).toContain('"row 4321"')
    expect((await read({ pointer: '/total' })).text).toContain('5000')
    expect((await read({ pointer: '/rows', offset: 4998 })).text).toContain('row 4999')
    expect((await read({ pointer: '/rows/9999' })).result).toMatchObject({ is_error: true })
  })

  it('searches: a text, a pattern, case-insensitively, with context', async () => {
    const { read } = await place(() => numbered(20_000))
    expect((await read({ search: 'line 777 ' })).text).toMatch(/^777:line 777 of many/)
    expect((await read({ search: 'LINE 777 ', ignore_case: true })).text).toContain('777:line 777 of many')
    expect((await read({ search: '^line 1\\d{4} ', regex: true, limit: 3 })).text).toContain(
      '10000:line 10000',
    )
    expect((await read({ search: 'line 777 ', context: 1 })).text).toContain('line 778 of many')
    expect((await read({ search: 'nothing like it' })).text).toMatch(/no match/i)
  })

  it('shows binary data as such', async () => {
    const bytes = Buffer.from(Array.from({ length: 60_000 }, (_, index) => (index * 31) % 256))
    const { crib, surface, id } = await place(() =>
      toolOutput({ stream: new Blob([bytes]), mediaType: 'image/png' }),
    )
    const read = readOn(crib, surface, `toolcrib://invocations/${id}/blocks/0`)
    const { text } = await read({ offset: 0, length: 9 })
    expect(text).toContain(bytes.subarray(0, 9).toString('base64'))
  })

  it('[AT-PERSIST-04] [AT-PERSIST-01] never stores its pages: no page is in the log, and none becomes a result to read', async () => {
    const blobs = memoryBlobs()
    const { crib, read } = await place(() => numbered(20_000), { blobs })
    const before = await keptIn(blobs)
    for (const input of [{}, { line: 9000 }, { offset: 1000 }, { search: 'line 5' }, { pointer: '' }]) {
      const { result, id, text } = await read(input)
      expect(text.length).toBeGreaterThan(10)
      expect(result).not.toHaveProperty('persisted_payload_ref')
      const story = (await crib.story(id))!
      const logged = JSON.stringify([story, await eventsOf(crib, id)])
      expect(logged).not.toMatch(/line \d+ of many/)
      if (!result.is_error) {
        expect(story.persistence).toMatchObject({ strategy: 'never_persist', preview_size_bytes: 0 })
        expect(story.result).toMatchObject({ status: 'succeeded', content: [] })
      }
    }
    expect(await keptIn(blobs)).toEqual(before)
  })

  it('its own result cannot be read', async () => {
    const { crib, surface, read } = await place(() => numbered(20_000))
    const { id } = await read()
    const again = await readOn(crib, surface, `toolcrib://invocations/${id}/output`)()
    expect(again.text).not.toMatch(/line \d+ of many/)
  })

  it.each<[string, object, (text: string) => boolean]>([
    ['characters', { maxInlineChars: 3000 }, (text) => text.length <= 3000],
    ['lines', { maxInlineLines: 25 }, (text) => text.split('\n').length <= 26],
    ['tokens', { maxInlineTokens: 900 }, (text) => text.length < 4 * 900],
  ])('observes the surface’s limit of %s, and all of it can still be read', async (_unit, limit, fits) => {
    const { crib, ref } = await place(() => numbered(3000), { results: { maxInlineChars: 2000 } })
    const surface = await crib.surface({ scope: 'turn', results: limit })
    const read = readOn(crib, surface, ref)
    const seen = new Set<string>()
    for (let next: string | undefined = '1', pages = 0; next && pages < 20; pages++) {
      const { text, result } = await read({ line: Number(next) })
      expect(result.status).toBe('succeeded')
      expect(fits(text), `${text.length} characters`).toBe(true)
      for (const [, line] of text.matchAll(/^\d+\tline (\d+) of many$/gm)) seen.add(line!)
      next = /read on with line (\d+)/.exec(text)?.[1]
    }
    expect(seen.size).toBeGreaterThan(400)
    expect([...seen].map(Number)).toEqual(Array.from({ length: seen.size }, (_, index) => index + 1))
  })

  it('observes a limit of few tokens', async () => {
    const { crib, ref } = await place(() => numbered(20_000))
    const surface = await crib.surface({ scope: 'turn', results: { maxInlineTokens: 150 } })
    const read = readOn(crib, surface, ref)
    for (const input of [{}, { line: 9000 }, { offset: 7 }, { search: 'line 5', context: 10 }]) {
      const { text } = await read(input)
      expect(await countTokens(text)).toBeLessThanOrEqual(150)
      expect(text).toMatch(/(?:read|go) on with/)
    }
  })

  it('always returns at least a page, however strict the surface is', async () => {
    const { crib, ref } = await place(() => numbered(3000), { results: { maxInlineChars: 2000 } })
    const surface = await crib.surface({ scope: 'turn', results: { maxInlineChars: 100 } })
    const { text, result } = await readOn(crib, surface, ref)()
    expect(result.status).toBe('succeeded')
    expect(text.length).toBeLessThanOrEqual(2000)
    expect(text).toContain('read on with line')
  })

  it('a rule that denies it is observed', async () => {
    const { crib, ref } = await place(() => numbered(5000), {
      permission: { deny: ['result.read'] },
      results: { readTool: true },
    })
    const surface = await crib.surface({ scope: 'turn' })
    expect((await readOn(crib, surface, ref)()).result.error).toMatchObject({
      error_class: 'blocked_tool',
    })
  })

  describe('says in one sentence what is wrong', () => {
    it.each<[string, object, RegExp]>([
      [
        'no ref of ours',
        { ref: 'https://example.org' },
        /not a ref to something kept.*begins with toolcrib:\/\//,
      ],
      [
        'a ref to nothing',
        { ref: 'toolcrib://invocations/inv_0000000000000000000000/output' },
        /There is nothing at/,
      ],
      ['two ways at once', { search: 'x', line: 3 }, /./],
      ['a pattern that is none', { search: '(', regex: true }, /./],
      ['a pointer that is none', { pointer: 'rows' }, /./],
      ['a pointer into a text', { pointer: '/rows' }, /./],
      ['a line beyond the end', { line: 999_999 }, /20000|20,000/],
    ])('%s', async (_name, input, sentence) => {
      const { read } = await place(() => numbered(20_000))
      const { result, text } = await read(input as Record<string, unknown>)
      expect(result, text).toMatchObject({ is_error: true })
      expect(result.error!.message).toMatch(sentence)
    })

    it('an expired result', async () => {
      let now = Date.UTC(2026, 0, 1)
      const { read, ref } = await place(() => numbered(5000), { clock: () => now })
      now += 31 * 24 * 3_600_000
      const { result } = await read()
      expect(result.error).toMatchObject({
        error_code: 'toolcrib.ref_expired',
        message: `Its time is over, and only the record of it is left: ${ref}`,
      })
    })
  })
})

describe('JSON of 60 MB', () => {
  it('is read by pointer, anywhere in it', { timeout: 120_000 }, async () => {
    const rows = 600_000
    const row = (id: number) => JSON.stringify({ id, name: `row ${id}`, note: 'x'.repeat(60) })
    function* json(): Generator<string> {
      yield '{"rows":['
      for (let id = 0; id < rows; id += 1000)
        yield (id === 0 ? '' : ',') + Array.from({ length: 1000 }, (_, more) => row(id + more)).join(',')
      yield '],"total":600000}'
    }
    const { Readable } = await import('node:stream')
    const crib = await openCrib({
      tools: [
        defineTool({
          name: 'give',
          description: 'Gives.',
          isReadOnly: true,
          isOpenWorld: false,
          mediaType: 'application/json',
          execute: () => Readable.from(json(), { objectMode: false }),
        }),
      ],
    })
    const surface = await crib.surface({ scope: 'turn' })
    const made = await crib.call(surface, { name: 'give' })
    const { size_bytes: size, uri } = made.persisted_payload_ref!
    expect(size).toBeGreaterThan(60_000_000)
    expect(size).toBeLessThan(64 * 1024 * 1024)
    const read = readOn(crib, surface, uri!)
    expect((await read({ pointer: '/rows/599999/name' })).text).toContain('"row 599999"')
    expect((await read({ pointer: '/rows/300000' })).text).toContain('"row 300000"')
    expect((await read({ pointer: '/total' })).text).toContain('600000')
    expect((await read({ search: '"row 599998"' })).text).toContain('1 match')
  })
})
