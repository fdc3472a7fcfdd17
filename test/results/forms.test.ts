import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { defineHook, toolOutput } from 'toolcrib'
import { contentClasses } from '../../src/contract/unions.js'
import { onBothStores, shownText } from '../scenarios/open-crib.js'
import { answering, eventsOf, give, numbered, readAll } from './give.js'

type Block = NonNullable<Parameters<typeof toolOutput>[0]['content']>[number]

/** One block of each type, as a tool returns it. */
const BLOCKS: Record<(typeof contentClasses)[number], Omit<Block, 'type'>> = {
  text: { text: 'plain words' },
  structured_content: { structured_content: { a: [1, 2] } } as Omit<Block, 'type'>,
  image: { data: 'aGVsbG8=', media_type: 'image/png' },
  audio: { data: 'aGVsbG8=', media_type: 'audio/wav' },
  video: { uri: 'https://example.org/film.mp4', media_type: 'video/mp4' },
  file: { uri: 'file:///tmp/report.pdf', media_type: 'application/pdf', name: 'report.pdf' },
  resource_link: { uri: 'https://example.org/page', name: 'A page' },
  embedded_resource: { uri: 'note:7', text: 'the note itself', media_type: 'text/plain' },
  log: { text: '12:00 started\n12:01 done' },
  diff: { text: '--- a\n+++ b\n@@ -1 +1 @@\n-x\n+y\n' },
  artifact_ref: { uri: 'artifact:7', media_type: 'text/html' },
  persisted_output_ref: { uri: 'elsewhere://7', size_bytes: 7 },
  handoff_ref: { uri: 'agent:writer' },
}

onBothStores('[AT-RES-01] the forms of an output', (newStore) => {
  it.each(contentClasses)('a block of the type %s passes unchanged', async (type) => {
    const block = { type, ...BLOCKS[type] } as Block
    const { result, story } = await give(() => toolOutput({ content: [block] }), { store: newStore() })
    expect(result.content).toEqual([block])
    expect(result.model_facing_content).toEqual([block])
    expect(story.result).toEqual(result)
  })

  it('blocks of all types, too long for the result, are stored as a list', async () => {
    const content = contentClasses.map((type) => ({ type, ...BLOCKS[type] }) as Block)
    const { crib, ref, result } = await give(() => toolOutput({ content }), {
      store: newStore(),
      results: { maxInlineChars: 300, previewChars: 300 },
    })
    expect(result.persisted_payload_ref).toMatchObject({ media_type: 'application/json' })
    expect(JSON.parse(String(await readAll(crib, ref)))).toEqual(content)
  })

  it('each form is separate: native, structured, for the model, for people, for search', async () => {
    const { result } = await give(
      () =>
        toolOutput({ structured: { celsius: 21 }, content: [{ type: 'log', text: 'asked the station' }] }),
      {
        store: newStore(),
        tool: {
          output: { jsonSchema: { type: 'object', required: ['celsius'] } },
          toModel: ({ celsius }: { celsius: number }) => `It is ${celsius} °C.`,
          toUi: () => 'Asked for the weather',
          transcriptText: () => 'weather temperature 21',
        },
      },
    )
    expect(result).toMatchObject({
      content: [{ type: 'log', text: 'asked the station' }],
      structured_content: { celsius: 21 },
      model_facing_content: [{ type: 'text', text: 'It is 21 °C.' }],
      ui_facing_summary: 'Asked for the weather',
      transcript_search_text: 'weather temperature 21',
      native_output: { uri: expect.stringMatching(/^toolcrib:\/\/invocations\/.*\/output$/) },
    })
  })

  it('the native output of a short result can be read by its ref as well', async () => {
    const { crib, result } = await give(() => ({ celsius: 21 }), {
      store: newStore(),
      tool: { toModel: () => 'warm' },
    })
    const { uri } = result.native_output as { uri: string }
    expect(JSON.parse(String(await readAll(crib, uri)))).toEqual({ celsius: 21 })
  })

  it('structured content that does not match its schema is no success', async () => {
    const { result, story } = await give(() => ({ celsius: 'warm' }), {
      store: newStore(),
      tool: { output: { jsonSchema: { properties: { celsius: { type: 'number' } } } } },
    })
    expect(result.error).toMatchObject({
      error_class: 'result_mapping_failed',
      error_code: 'toolcrib.output_schema_mismatch',
    })
    expect(story.persistence).toBeUndefined()
  })

  it('a hook that updates the output causes exactly one remap, and each hook its own', async () => {
    const updating = (id: string, updatedOutput: unknown) =>
      defineHook({
        id,
        event: 'post_tool_use',
        run: answering(updatedOutput === undefined ? {} : { updatedOutput }),
      })
    const remaps = async (...hooks: ReturnType<typeof updating>[]) => {
      const made = await give(() => ({ celsius: 21 }), { store: newStore(), hooks })
      const events = await eventsOf(made.crib, made.id)
      return { ...made, remaps: events.filter(({ event_type: type }) => type === 'toolcrib.result.remapped') }
    }
    const none = await remaps(updating('quiet', undefined))
    expect(none.remaps).toEqual([])
    expect(none.result).not.toHaveProperty('native_output')

    const one = await remaps(updating('rounder', { celsius: 20 }), updating('quiet', undefined))
    expect(one.remaps.map(({ data }) => data)).toEqual([
      { result_id: one.result.result_id, by: 'hook:rounder' },
    ])
    expect(one.result).toMatchObject({
      structured_content: { celsius: 20 },
      toolcrib: { output_updated_by: 'hook:rounder' },
      native_output: { relation: 'native_output', access: 'named_actors', uri: expect.any(String) },
    })
    expect(shownText(one.result)).toBe('{"celsius":20}')

    const two = await remaps(updating('first', { celsius: 20 }), updating('second', { celsius: 19 }))
    expect(two.remaps.map(({ data }) => data!['by'])).toEqual(['hook:first', 'hook:second'])
    expect(two.result.structured_content).toEqual({ celsius: 19 })
  })

  it('output that a hook replaced is stored for the actors that the crib names, and for no others', async () => {
    const hook = defineHook({
      id: 'h',
      event: 'post_tool_use',
      run: answering({ updatedOutput: { safe: 1 } }),
    })
    const { crib, id, result } = await give(() => ({ original: 'as it was' }), {
      store: newStore(),
      hooks: [hook],
      redaction: { readers: ['auditor'] },
      sealKey: Buffer.alloc(32, 7),
    })
    const uri = `toolcrib://invocations/${id}/native`
    expect(result.native_output).toMatchObject({ uri, access: 'named_actors', relation: 'native_output' })
    expect(JSON.parse(String(await readAll(crib, uri, 'auditor')))).toEqual({ original: 'as it was' })
    await expect(crib.read(uri, undefined, { actor: 'somebody' })).rejects.toMatchObject({
      code: 'toolcrib.ref_denied',
    })
    await expect(crib.read(uri)).rejects.toMatchObject({ code: 'toolcrib.ref_denied' })
  })

  it('for a stream that a hook replaced, the record describes the original', async () => {
    const text = numbered(200_000)
    const hook = defineHook({ id: 'h', event: 'post_tool_use', run: answering({ updatedOutput: 'short' }) })
    const options = { store: newStore(), hooks: [hook] }
    const digest = `sha256:${createHash('sha256').update(text).digest('hex')}`
    const stream = () => new Blob([text], { type: 'text/plain' })
    const { result } = await give(stream, options)
    expect(shownText(result)).toBe('short')
    expect(result.native_output).toEqual({
      media_type: 'text/plain',
      size_bytes: text.length,
      digest,
      access: 'not_kept',
      relation: 'native_output',
    })
    const named = await give(stream, { ...options, store: newStore(), redaction: { readers: ['auditor'] } })
    const { uri } = named.result.native_output as { uri: string }
    expect(String(await readAll(named.crib, uri, 'auditor'))).toBe(text)
    await expect(named.crib.read(uri)).rejects.toMatchObject({ code: 'toolcrib.ref_denied' })
  })

  it('[AT-RES-04] [AT-REF-01] a ref states location, media type, size, readers and origin', async () => {
    const text = numbered(5000)
    const { ref, result } = await give(() => text, { store: newStore() })
    expect(result.persisted_payload_ref).toEqual({
      ref_id: ref,
      uri: ref,
      media_type: 'text/plain',
      size_bytes: text.length,
      digest: `sha256:${createHash('sha256').update(text).digest('hex')}`,
      access: 'tenant',
      relation: 'full_output',
      redaction_state: 'none',
      expires_at: expect.stringMatching(/^\d{4}-/),
      toolcrib: { line_count: 5000 },
    })
  })

  it('a partial failure keeps what succeeded, also where that is long', async () => {
    const { crib, ref, result } = await give(
      () => toolOutput({ structured: { rows: numbered(5000) }, partialFailure: 'Two pages were not there.' }),
      { store: newStore() },
    )
    expect(result).toMatchObject({
      status: 'partial_succeeded',
      is_error: false,
      error: { error_class: 'partial_failure', message: 'Two pages were not there.' },
      persisted_payload_ref: { uri: ref },
    })
    expect(JSON.parse(String(await readAll(crib, ref)))).toEqual({ rows: numbered(5000) })
  })

  it('a failing exit with a long output stays an error, and all of the output is stored', async () => {
    const stdout = numbered(5000)
    const { crib, ref, result, story } = await give(() => ({ code: 2, stdout }), {
      store: newStore(),
      tool: {
        command: 'command',
        exitCode: 'code',
        input: { jsonSchema: { type: 'object', properties: { command: { type: 'string' } } } },
      },
      input: { command: 'make all' },
      decider: () => ({ behavior: 'allow' }),
    })
    expect(result).toMatchObject({
      status: 'failed',
      is_error: true,
      error: { error_class: 'execution_failed' },
      persisted_payload_ref: { uri: ref },
    })
    expect(story.invocation.status).toBe('failed')
    expect(shownText(result).startsWith(result.error!.message)).toBe(true)
    expect(JSON.parse(String(await readAll(crib, ref)))).toEqual({ code: 2, stdout })
  })
})
