import { expect, it } from 'vitest'
import { toolOutput } from 'toolcrib'
import { onBothStores, shownText } from '../scenarios/open-crib.js'
import { give, numbered, readAll } from './give.js'

const rows = { rows: 'z'.repeat(60_000) }
const long = numbered(1200)
const words = (text: string) => [{ type: 'text' as const, text }]

onBothStores('a tool whose data and text differ', (newStore) => {
  it('short text stays beside large data', async () => {
    const { crib, ref, result } = await give(
      () => toolOutput({ structured: rows, content: words('Summary: 42 is the answer') }),
      { store: newStore() },
    )
    expect(JSON.parse(String(await readAll(crib, ref)))).toEqual(rows)
    expect(result.content![0]).toEqual({ type: 'text', text: 'Summary: 42 is the answer' })
    expect(shownText(result)).toMatch(/^Summary: 42 is the answer/)
    expect(shownText(result)).toContain(ref)
    expect(result).not.toHaveProperty('structured_content')
  })

  it('short data stays beside long text', async () => {
    const report = numbered(20_000)
    const { crib, ref, result, story } = await give(
      () => toolOutput({ structured: { rows: 3 }, content: words(report) }),
      { store: newStore() },
    )
    expect(String(await readAll(crib, ref))).toBe(report)
    expect(result.structured_content).toEqual({ rows: 3 })
    expect(shownText(result).length).toBeLessThan(50_000)
    expect(story.persistence).toMatchObject({
      strategy: 'preview_and_persist',
      original_size_bytes: report.length,
    })
  })

  it('where both are long, both are stored in one payload', async () => {
    const report = numbered(20_000)
    const { crib, ref, result } = await give(() => toolOutput({ structured: rows, content: words(report) }), {
      store: newStore(),
    })
    const envelope = { structured_content: rows, content: words(report) }
    expect(JSON.parse(String(await readAll(crib, ref)))).toEqual(envelope)
    expect(result.persisted_payload_ref).toMatchObject({ media_type: 'application/json' })
    expect(JSON.stringify(result).length).toBeLessThan(50_000)
  })

  it('with ref_only, both are stored', async () => {
    const { crib, ref, result } = await give(
      () => toolOutput({ structured: { rows: 3 }, content: words('three rows') }),
      { store: newStore(), tool: { persistence: 'ref_only' } },
    )
    const envelope = { structured_content: { rows: 3 }, content: words('three rows') }
    expect(JSON.parse(String(await readAll(crib, ref)))).toEqual(envelope)
    expect(JSON.stringify(result)).not.toContain('three rows')
  })

  it('text that is the JSON of the data is not stored twice', async () => {
    const { crib, ref } = await give(
      () => toolOutput({ structured: rows, content: words(JSON.stringify(rows, null, 2)) }),
      { store: newStore() },
    )
    expect(JSON.parse(String(await readAll(crib, ref)))).toEqual(rows)
  })

  it('data and text are measured together', async () => {
    const half = { rows: 'y'.repeat(30_000) }
    const { crib, ref, result } = await give(
      () => toolOutput({ structured: half, content: words(numbered(1800)) }),
      { store: newStore() },
    )
    expect(result.persisted_payload_ref).toBeDefined()
    const kept = JSON.parse(String(await readAll(crib, ref))) as object
    expect(kept).toEqual({ structured_content: half, content: words(numbered(1800)) })
  })

  it.each<[string, unknown, ReturnType<typeof words>]>([
    ['as a text of the data', { content: long }, words(long)],
    ['with another end', { content: `${long}\n` }, words(long)],
    ['beside facts', { file: { content: long, lines: 1200 } }, words(long)],
    ['beside other words', { content: long }, [...words('Read.'), ...words(long)]],
    ['in several blocks', { result: long.split('\n') }, long.split('\n').flatMap(words)],
  ])('a text that is in both is stored once, with its lines: %s', async (_, structured, content) => {
    const { crib, ref, result } = await give(() => toolOutput({ structured, content }), {
      store: newStore(),
      results: { maxInlineChars: 15_000 },
    })
    expect(String(await readAll(crib, ref)).trimEnd()).toBe(long)
    expect(JSON.stringify(result).length).toBeLessThan(15_000)
    const page = await crib.read(ref, { by: 'lines', from: 1000, count: 1 })
    expect(page).toMatchObject({ text: expect.stringContaining('line 1000 of many') })
    expect(shownText(result)).toMatch(/line 1 of many\nline 2 of many/)
    if (content[0]!.text === 'Read.') expect(shownText(result)).toMatch(/^Read\./)
    if (JSON.stringify(structured).includes('"lines":1200'))
      expect(result.structured_content).toMatchObject({ file: { lines: 1200 } })
  })

  it('a text that is in both counts once', async () => {
    for (const structured of [{ content: long }, { result: long.split('\n') }]) {
      const content = Array.isArray(structured.result) ? structured.result.flatMap(words) : words(long)
      const { result } = await give(() => toolOutput({ structured, content }), {
        store: newStore(),
        results: { maxInlineChars: long.length + 100 },
      })
      expect(result).not.toHaveProperty('persisted_payload_ref')
      expect(result.structured_content).toEqual(structured)
    }
  })
})
