import { describe, expect, it } from 'vitest'
import { toolOutput } from 'toolcrib'
import { onBothStores, shownText } from '../scenarios/open-crib.js'
import { give, numbered, readAll } from './give.js'

type Said = { ofTool?: Limits; ofSurface?: Limits; ofCrib?: Limits }
type Limits = { maxInlineChars?: number; maxInlineLines?: number; maxInlineTokens?: number }

onBothStores('[AT-RES-02] a result above a limit', (newStore) => {
  const made = (text: string, { ofTool = {}, ofSurface = {}, ofCrib = {} }: Said) =>
    give(() => text, {
      store: newStore(),
      tool: ofTool,
      on: { results: ofSurface },
      results: { previewChars: 300, ...ofCrib },
    })

  const text = numbered(40)

  it.each<[string, Limits, string]>([
    ['characters', { maxInlineChars: 400 }, 'chars'],
    ['lines', { maxInlineLines: 39 }, 'lines'],
    ['tokens', { maxInlineTokens: 100 }, 'tokens'],
  ])('in %s is a preview with a ref, wherever the limit is set', async (_unit, limit, exceeded) => {
    for (const said of [{ ofTool: limit }, { ofSurface: limit }, { ofCrib: limit }] as Record<
      string,
      Limits
    >[]) {
      const { crib, ref, result, story } = await made(text, said)
      expect(result).toMatchObject({ status: 'succeeded', persisted_payload_ref: { uri: ref } })
      expect(story.persistence).toMatchObject({
        strategy: 'preview_and_persist',
        reason: 'result_exceeded_inline_limit',
        original_size_bytes: text.length,
        threshold: { toolcrib: { exceeded } },
      })
      expect(shownText(result).length).toBeLessThanOrEqual(300)
      expect(result.content).toMatchObject([{ type: 'text' }, { type: 'persisted_output_ref', uri: ref }])
      expect(String(await readAll(crib, ref))).toBe(text)
    }
  })

  it.each<[string, Limits]>([
    ['characters', { maxInlineChars: text.length }],
    ['lines', { maxInlineLines: 40 }],
    ['tokens', { maxInlineTokens: 1000 }],
  ])('does not include a result of exactly the limit, in %s', async (_unit, limit) => {
    for (const said of [{ ofTool: limit }, { ofSurface: limit }, { ofCrib: limit }] as Record<
      string,
      Limits
    >[]) {
      const { result, story } = await made(text, said)
      expect(shownText(result)).toBe(text)
      expect(result).not.toHaveProperty('persisted_payload_ref')
      expect(story.persistence).toBeUndefined()
    }
  })

  it('uses the strictest limit of tool and surface; the crib’s where neither has one', async () => {
    const cases: [Said, number][] = [
      [{ ofTool: { maxInlineChars: 500 }, ofSurface: { maxInlineChars: 400 } }, 400],
      [{ ofTool: { maxInlineChars: 400 }, ofSurface: { maxInlineChars: 500 } }, 400],
      [{ ofTool: { maxInlineChars: 450 }, ofCrib: { maxInlineChars: 10 } }, 450],
      [{ ofSurface: { maxInlineChars: 450 }, ofCrib: { maxInlineChars: 10 } }, 450],
      [{ ofCrib: { maxInlineChars: 10 } }, 10],
    ]
    for (const [said, limit] of cases) {
      const { story } = await made(text, said)
      expect(story.persistence?.threshold).toMatchObject({ max_inline_chars: limit })
    }
  })

  it('exceeds if one of several limits is exceeded', async () => {
    const limits = { maxInlineChars: 100_000, maxInlineLines: 3, maxInlineTokens: 100_000 }
    const { result, story } = await made(text, { ofSurface: limits })
    expect(story.persistence?.threshold).toEqual({
      max_inline_chars: 100_000,
      toolcrib: { max_inline_lines: 3, max_inline_tokens: 100_000, exceeded: 'lines' },
    })
    expect(shownText(result).trimEnd().split('\n').length).toBeLessThanOrEqual(3)
  })

  it.each([
    { maxInlineTokens: 20 },
    { maxInlineTokens: 80 },
    { previewChars: 1, maxInlineChars: 100 },
    { previewChars: 200, maxInlineChars: 400 },
    { maxInlineLines: 1 },
    { maxInlineLines: 2 },
  ])('always names the ref of the whole, however small the preview: %o', async (results) => {
    const { result, ref } = await give(() => numbered(5000), { store: newStore(), on: { results } })
    expect(shownText(result)).toContain(`Read on with result.read and {"ref":"${ref}"}`)
    expect(shownText(result).length).toBeLessThan(400)
  })

  it('has a preview of the length that the surface sets', async () => {
    const { result } = await give(() => numbered(5000), {
      store: newStore(),
      on: { results: { maxInlineChars: 10_000, previewChars: 700 } },
    })
    const shown = shownText(result)
    expect(shown.length).toBeLessThanOrEqual(700)
    expect(shown.length).toBeGreaterThan(500)
  })
})

describe('limits apply to every form of an output', () => {
  it.each<[string, () => unknown, object]>([
    [
      'structured content beside a short text',
      () =>
        toolOutput({
          content: [{ type: 'text', text: 'short' }],
          structured: { all: 'abc '.repeat(2000) },
        }),
      {},
    ],
    ['the text for people', () => 'short', { toUi: () => 'long '.repeat(2000) }],
    ['the text for search', () => 'short', { transcriptText: () => 'long '.repeat(2000) }],
    ['the text for the model', () => ({ a: 1 }), { toModel: () => 'long '.repeat(2000) }],
    ['a summary', () => toolOutput({ structured: { a: 1 }, summary: 'long '.repeat(2000) }), {}],
  ])('%s', async (_name, execute, tool) => {
    const { result, logged } = await give(execute, { results: { maxInlineChars: 2000 }, tool })
    expect(result.persisted_payload_ref).toBeDefined()
    expect(JSON.stringify(result).length).toBeLessThan(8000)
    expect(logged).not.toContain('long '.repeat(1000))
  })

  it('the tool’s own content for the model is used instead of a preview, where it is short', async () => {
    const rows = Array.from({ length: 500 }, (_, id) => ({ id, name: `row ${id}` }))
    const { crib, ref, result } = await give(() => ({ rows }), {
      results: { maxInlineChars: 2000 },
      tool: {
        toModel: (output: { rows: unknown[] }) => `${output.rows.length} rows were found.`,
        toUi: () => 'Found rows',
        transcriptText: () => 'rows found',
      },
    })
    expect(shownText(result)).toMatch(/^500 rows were found\.\n\[.*toolcrib:\/\/.*\]$/)
    expect(result).toMatchObject({
      status: 'succeeded',
      ui_facing_summary: 'Found rows',
      transcript_search_text: 'rows found',
      native_output: { uri: ref },
    })
    expect(result).not.toHaveProperty('structured_content')
    expect(JSON.parse(String(await readAll(crib, ref)))).toEqual({ rows })
  })
})

describe('invalid options are rejected with a sentence', () => {
  it.each<[object, RegExp]>([
    [{ maxInlineChars: -1 }, /"maxInlineChars" must be a whole number of at least 1, not the number -1/],
    [{ maxInlineChars: 0 }, /maxInlineChars/],
    [{ previewChars: 1.5 }, /"previewChars" must be a whole number/],
    [{ maxInlineTokens: 0 }, /maxInlineTokens/],
    [{ maxInlineLines: 'many' }, /maxInlineLines/],
    [{ persistence: 'always' }, /persistence.* must be one of inline, preview_and_persist/],
    [{ retainDays: { outputs: 3 } }, /retainDays.* has no "outputs"/],
    [{ retainDays: { output: 'long' } }, /must be a number of days, or false/],
    [{ maxSize: 3 }, /maxSize/],
  ])('%o', async (results, sentence) => {
    await expect(give(() => 1, { results: results as never })).rejects.toThrow(sentence)
  })

  it.each(['maxInlineChars', 'maxInlineLines', 'maxInlineTokens'])('of a tool: %s', async (name) => {
    await expect(give(() => 1, { tool: { [name]: -1 } })).rejects.toThrow(
      `"${name}" must be a whole number of at least 1`,
    )
  })

  it('on a surface', async () => {
    await expect(give(() => 1, { on: { results: { persistence: 'always' as never } } })).rejects.toThrow(
      /must be one of/,
    )
  })
})
