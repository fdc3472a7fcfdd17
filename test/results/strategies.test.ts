import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { defineHook, toolOutput, type HookPersistence } from 'toolcrib'
import { memoryBlobs } from 'toolcrib/blobs'
import { onBothStores, shownText } from '../scenarios/open-crib.js'
import { answering, give, keptIn, numbered, readAll, type GiveOptions } from './give.js'

type Strategy =
  'inline' | 'preview_and_persist' | 'ref_only' | 'redact' | 'drop_with_reason' | 'never_persist'

const CANARY = 'canary-4711'
const long = `${CANARY}\n${numbered(100)}`

const keeper = (persistence: HookPersistence) =>
  defineHook({ id: 'keeper', event: 'result_persistence', run: answering({ persistence }) })

onBothStores('a strategy', (newStore) => {
  const byTool = (persistence: Strategy): GiveOptions => ({ tool: { persistence } })
  const bySurface = (persistence: Strategy): GiveOptions => ({ on: { results: { persistence } } })
  const byCrib = (persistence: Strategy): GiveOptions => ({ results: { persistence } })

  async function given(text: string, ...said: GiveOptions[]) {
    const merged = Object.assign({}, ...said) as GiveOptions
    const blobs = memoryBlobs()
    const results = { maxInlineChars: 400, previewChars: 300, ...merged.results }
    const made = await give(() => text, { store: newStore(), blobs, ...merged, results })
    await made.crib.flush()
    return { ...made, kept: await keptIn(blobs) }
  }

  describe.each([
    ['of the tool', byTool],
    ['of the surface', bySurface],
    ['of the crib', byCrib],
  ])('%s', (_whose, by) => {
    it('inline: the result is whole at any size', async () => {
      const { result, story, kept } = await given(long, by('inline'))
      expect(shownText(result)).toBe(long)
      expect(story.result).toEqual(result)
      expect(story.persistence).toBeUndefined()
      expect(kept).toEqual([])
    })

    it('preview_and_persist: a long output is shown in part and stored whole', async () => {
      const { crib, ref, result, story } = await given(long, by('preview_and_persist'))
      expect(story.persistence).toMatchObject({
        strategy: 'preview_and_persist',
        persisted_ref: { uri: ref },
      })
      expect(shownText(result)).toContain(CANARY)
      expect(String(await readAll(crib, ref))).toBe(long)
    })

    it('ref_only: the result is only a ref at any size', async () => {
      for (const text of [long, CANARY]) {
        const { crib, ref, result, story, logged } = await given(text, by('ref_only'))
        expect(result).toMatchObject({ status: 'succeeded', persisted_payload_ref: { uri: ref } })
        expect(story.persistence).toMatchObject({ strategy: 'ref_only' })
        expect(JSON.stringify(result) + logged).not.toContain(CANARY)
        expect(shownText(result)).toContain(ref)
        expect(String(await readAll(crib, ref))).toBe(text)
      }
    })

    it('redact: no consumer gets it', async () => {
      for (const text of [long, CANARY]) {
        const { result, story, logged, kept, crib, ref } = await given(text, by('redact'))
        expect(result).toMatchObject({ status: 'redacted', is_error: false, redaction_state: 'redacted' })
        expect(story.persistence).toMatchObject({ strategy: 'redact', redaction_state: 'redacted' })
        expect(JSON.stringify(result) + logged).not.toContain(CANARY)
        expect(kept).toEqual([])
        expect(JSON.stringify(await crib.read(ref))).not.toContain(CANARY)
      }
    })

    it('drop_with_reason: a long output becomes a preview, and the rest is dropped', async () => {
      const { result, story, kept } = await given(long, by('drop_with_reason'))
      expect(result).toMatchObject({ status: 'too_large', is_error: false })
      expect(result).not.toHaveProperty('persisted_payload_ref')
      expect(shownText(result)).toContain('The rest was not kept.')
      expect(story.persistence).toMatchObject({
        strategy: 'drop_with_reason',
        reason: 'result_exceeded_inline_limit',
      })
      expect(story.persistence).not.toHaveProperty('persisted_ref')
      expect(kept).toEqual([])
      const short = await given(CANARY, by('drop_with_reason'))
      expect(shownText(short.result)).toBe(CANARY)
    })

    it('never_persist: the caller gets it, the log does not', async () => {
      const { result, story, logged, kept } = await given(CANARY, by('never_persist'))
      expect(shownText(result)).toBe(CANARY)
      expect(logged).not.toContain(CANARY)
      expect(story.persistence).toMatchObject({ strategy: 'never_persist', preview_size_bytes: 0 })
      expect(story.result).toMatchObject({ status: 'succeeded', content: [] })
      expect(kept).toEqual([])
    })
  })

  describe('two together', () => {
    const forbidding: Strategy[] = ['redact', 'never_persist']
    const placing: Strategy[] = ['inline', 'preview_and_persist', 'ref_only', 'drop_with_reason']
    const pairs = forbidding.flatMap((one) =>
      [...placing, ...forbidding].map((other) => [one, other] as const),
    )

    it.each(pairs)('%s is never loosened by %s, in either order', async (strict, other) => {
      for (const text of [long, CANARY]) {
        for (const said of [
          [byTool(strict), bySurface(other)],
          [byTool(other), bySurface(strict)],
        ]) {
          const { result, logged, kept } = await given(text, ...said)
          expect(logged).not.toContain(CANARY)
          expect(kept).toEqual([])
          if (strict === 'redact') expect(JSON.stringify(result)).not.toContain(CANARY)
        }
      }
    })

    it.each(['inline', 'preview_and_persist', 'ref_only'] as const)(
      'drop_with_reason stores nothing, whatever %s says',
      async (other) => {
        for (const said of [
          [byTool('drop_with_reason'), bySurface(other)],
          [byTool(other), bySurface('drop_with_reason')],
        ]) {
          const { result, kept } = await given(long, ...said)
          expect(result.status).toBe('too_large')
          expect(kept).toEqual([])
        }
      },
    )

    it('of two strategies that only decide where it is stored, the tool’s counts', async () => {
      const { result } = await given(long, byTool('inline'), bySurface('ref_only'))
      expect(shownText(result)).toBe(long)
      const other = await given(long, byTool('ref_only'), bySurface('inline'))
      expect(JSON.stringify(other.result)).not.toContain(CANARY)
    })

    it('the record names who set it', async () => {
      expect((await given(CANARY, byTool('never_persist'))).story.persistence).toMatchObject({
        reason: 'declared_for_this_tool',
        toolcrib: { by: 'local.give' },
      })
      const { story, surface } = await given(CANARY, bySurface('never_persist'))
      expect(story.persistence).toMatchObject({
        reason: 'declared_for_this_surface',
        toolcrib: { by: surface.id },
      })
      expect((await given(CANARY, byCrib('never_persist'))).story.persistence).toMatchObject({
        reason: 'declared_for_all_results',
      })
    })
  })

  describe('of a hook', () => {
    it.each<[HookPersistence['strategy'], Strategy]>([
      ['redact', 'inline'],
      ['never_persist', 'preview_and_persist'],
      ['drop_with_reason', 'ref_only'],
      ['drop_with_reason', 'never_persist'],
      ['never_persist', 'redact'],
    ])('%s applies beside %s of the tool', async (strategy, ofTool) => {
      const hooks = [keeper({ strategy, reason: 'not here' })]
      const { result, story, logged, kept } = await given(long, byTool(ofTool), { hooks })
      expect(logged).not.toContain(CANARY)
      expect(kept).toEqual([])
      expect(story.persistence).toBeDefined()
      if (strategy === 'redact' || ofTool === 'redact' || strategy === 'drop_with_reason')
        expect(JSON.stringify(result)).not.toContain(CANARY)
    })

    it('that redacts a field stores the rest without it', async () => {
      const hooks = [keeper({ strategy: 'redact', reason: 'cards stay here', fields: ['card'] })]
      const { crib, ref, result, story, logged } = await give(() => ({ card: CANARY, rows: numbered(100) }), {
        store: newStore(),
        results: { maxInlineChars: 400 },
        hooks,
      })
      expect(result.persisted_payload_ref).toMatchObject({ uri: ref, redaction_state: 'partially_redacted' })
      expect(JSON.parse(String(await readAll(crib, ref)))).toEqual({
        card: '[redacted]',
        rows: numbered(100),
      })
      expect(JSON.stringify(result) + logged).not.toContain(CANARY)
      expect(story.persistence).toMatchObject({
        strategy: 'preview_and_persist',
        toolcrib: { redacted_by: 'hook:keeper', redaction_reason: 'cards stay here' },
      })
    })

    it('removes a stream that was written before the hook ran', async () => {
      const blobs = memoryBlobs()
      const stream = () => Readable.from(['x'.repeat(3_000_000), '\n', CANARY], { objectMode: false })
      const { result, story } = await give(stream, {
        store: newStore(),
        blobs,
        hooks: [keeper({ strategy: 'never_persist', reason: 'not here' })],
      })
      expect(story.persistence).toMatchObject({ strategy: 'never_persist' })
      expect(result).not.toHaveProperty('persisted_payload_ref')
      expect(await keptIn(blobs)).toEqual([])
    })

    it('does not remove bytes that another result still needs', async () => {
      const blobs = memoryBlobs()
      let isKept = true
      const hook = defineHook({
        id: 'keeper',
        event: 'result_persistence',
        run: () => (isKept ? {} : { persistence: { strategy: 'never_persist', reason: 'no' } }),
      })
      const stream = () => Readable.from(['same bytes '.repeat(200_000)], { objectMode: false })
      const { crib, surface, ref } = await give(stream, { store: newStore(), blobs, hooks: [hook] })
      isKept = false
      const again = await crib.call(surface, { name: 'give' })
      expect(again).not.toHaveProperty('persisted_payload_ref')
      expect((await readAll(crib, ref)).length).toBe(2_200_000)
    })
  })

  it('of a tool applies before its stream is written: a stream that may not be stored never reaches the disk', async () => {
    for (const persistence of ['never_persist', 'redact', 'drop_with_reason'] as const) {
      const blobs = memoryBlobs()
      let writers = 0
      const counted = { ...blobs, create: (tenant: string) => (writers++, blobs.create(tenant)) }
      const { result } = await give(
        () => toolOutput({ stream: Readable.from([CANARY, 'x'.repeat(3_000_000)], { objectMode: false }) }),
        { store: newStore(), blobs: counted, tool: { persistence } },
      )
      expect(writers, persistence).toBe(0)
      expect(result.is_error).toBe(false)
    }
  })
})
