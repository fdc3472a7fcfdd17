import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { defineTool } from 'toolcrib'
import { parseRecord } from '../../src/contract/index.js'
import { onBothStores, openCrib, shownText } from './open-crib.js'
import { versionOf } from '../crib/records/version-of.js'

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/
const SIZE = 481_204

/** Hits of a search, with as many bytes as in the standard's example. */
function hits(): string {
  let text = ''
  for (let line = 1; text.length < SIZE; line++)
    text += `src/file-${line % 97}.ts:${line}: const found = ${line}\n`
  return text.slice(0, SIZE)
}

/** The standard's example of a large result: a search that finds too much for a prompt. */
onBothStores('the standard’s example of a large result', (newStore) => {
  async function grep() {
    const crib = await openCrib({
      store: newStore(),
      tools: [
        defineTool({
          name: 'grep',
          description: 'Searches files.',
          isReadOnly: true,
          isOpenWorld: false,
          execute: hits,
        }),
      ],
    })
    const call = crib.call(await crib.surface({ scope: 'turn' }), { name: 'grep' })
    const result = await call
    return { crib, id: call.invocationId, result, story: (await crib.story(call.invocationId))! }
  }

  it('[AT-EX-04] [AT-PERSIST-02] [AT-RES-02] the decision has every field of the example', async () => {
    const { id, result, story } = await grep()
    const uri = `toolcrib://invocations/${id}/output`
    expect(story.persistence).toEqual({
      schema_version: '0.2.0',
      decision_id: `persist_${id}`,
      invocation_id: id,
      result_id: result.result_id,
      strategy: 'preview_and_persist',
      threshold: { max_inline_chars: 50_000, toolcrib: { exceeded: 'chars' } },
      original_size_bytes: SIZE,
      preview_size_bytes: Buffer.byteLength(shownText(result)),
      persisted_ref: {
        uri,
        media_type: 'text/plain',
        digest: `sha256:${createHash('sha256').update(hits()).digest('hex')}`,
        size_bytes: SIZE,
        ref_id: expect.stringMatching(/^toolcrib:/),
        access: 'tenant',
        relation: 'full_output',
        redaction_state: 'none',
        expires_at: expect.stringMatching(ISO),
        toolcrib: { line_count: hits().split('\n').length },
      },
      reason: 'result_exceeded_inline_limit',
      redaction_state: 'none',
      created_at: expect.stringMatching(ISO),
      toolcrib: { persistence_policy_ref: versionOf('persistence_policy:preview_and_persist') },
    })
    expect(story.persistence!.preview_size_bytes).toBeLessThanOrEqual(2048)
    expect(parseRecord('tool_result_persistence', story.persistence)).toMatchObject({ ok: true })
  })

  it('its result has every field of the example', async () => {
    const { id, result, story } = await grep()
    expect(result).toMatchObject({
      schema_version: '0.2.0',
      result_id: expect.stringMatching(/^res_/),
      invocation_id: id,
      status: 'succeeded',
      is_error: false,
      model_facing_content: [{ type: 'text', text: expect.any(String) }],
      persistence_refs: [story.persistence!.decision_id],
      persisted_payload_ref: story.persistence!.persisted_ref,
      created_at: expect.stringMatching(ISO),
    })
    expect(parseRecord('tool_result', result)).toMatchObject({ ok: true })
    expect(Date.parse(result.created_at)).toBeGreaterThanOrEqual(Date.parse(story.persistence!.created_at))
    const shown = shownText(result)
    expect(shown).toMatch(/The output has 481,204 bytes in [\d,]+ lines/)
    expect(shown).toContain(`toolcrib://invocations/${id}/output`)
    expect(shown).toContain('src/file-1.ts:1: const found = 1')
  })

  it('every ref in it resolves, and leads to the whole output', async () => {
    const { crib, result, story } = await grep()
    expect(await crib.resolveRef(result.persistence_refs![0]!)).toEqual(story.persistence)
    const { uri, digest } = result.persisted_payload_ref!
    expect(await crib.resolveRef(uri!)).toMatchObject({ uri, digest, size_bytes: SIZE })
    const page = await crib.read(uri!, { by: 'bytes', offset: SIZE - 40 })
    expect(page).toMatchObject({ kind: 'text', text: hits().slice(-40), sizeBytes: SIZE })
  })
})
