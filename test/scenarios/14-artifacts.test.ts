import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { defineTool, toolOutput } from 'toolcrib'
import { collect, onBothStores, openCrib, shownText } from './open-crib.js'

const allow = { decider: () => ({ behavior: 'allow' as const, message: 'for this test' }) }
const safe = { isReadOnly: true, isOpenWorld: false }

const makeReport = defineTool({
  name: 'make_report',
  description: 'Makes a report of a year.',
  input: z.object({ year: z.number().int(), of: z.string().optional() }),
  ...safe,
  artifacts: { min: 1, mediaTypes: ['text/*'] },
  execute: ({ year, of }) =>
    toolOutput({
      structured: { year },
      artifacts: [
        {
          name: 'report.csv',
          title: `Report of ${year}`,
          content: Readable.from([`year,sum\n`, `${year},7\n`]),
          ...(of !== undefined && { artifact: of }),
          handOff: { to: 'bookkeeping', purpose: 'yearly closing' },
        },
      ],
    }),
})

const linkReport = defineTool({
  name: 'link_report',
  description: 'Links a report that is kept elsewhere.',
  ...safe,
  execute: () =>
    toolOutput({
      content: [{ type: 'text', text: 'There is a report.' }],
      artifactRefs: [{ uri: 'https://reports.example/7', name: 'report 7', media_type: 'text/csv' }],
    }),
})

const countLines = defineTool({
  name: 'count_lines',
  description: 'Counts the lines of a text.',
  input: z.object({ text: z.string() }),
  ...safe,
  execute: ({ text }) =>
    toolOutput({
      structured: { lines: text.trimEnd().split('\n').length },
      artifacts: [{ name: 'count.txt', content: String(text.length) }],
    }),
})

onBothStores('[AT-SCEN-14] acceptance scenario 14: a result can create or link an artifact', (newStore) => {
  const tools = [makeReport, linkReport, countLines]

  it('[AT-REF-02] [AT-REF-01] creates one, with an id, a version, a preview, a digest and its origin', async () => {
    const crib = await openCrib({ store: newStore(), tools, ...allow, actor: 'ana' })
    const surface = await crib.surface({ scope: 'turn', session: 's1' })
    const result = await crib.call(surface, { name: 'make_report', input: { year: 2025 } })
    expect(result).toMatchObject({ status: 'succeeded', structured_content: { year: 2025 } })
    const [ref] = result.artifact_refs!
    expect(ref).toMatchObject({
      ref_id: expect.stringMatching(/^art_[0-9a-z]+$/),
      uri: expect.stringMatching(/^toolcrib:\/\/artifacts\/art_[0-9a-z]+\/versions\/1$/),
      name: 'report.csv',
      media_type: 'text/csv',
      size_bytes: 16,
      digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      access: 'tenant',
      relation: 'produced',
      redaction_state: 'none',
    })
    expect(result.content!.map(({ type }) => type)).toEqual(['text', 'artifact_ref', 'handoff_ref'])
    expect(shownText(result)).toContain(`Artifact report.csv (text/csv, 16 bytes): ${ref!.uri}`)
    expect(shownText(result)).toContain('year,sum')

    const artifact = await crib.artifact(ref!.ref_id!)
    expect(artifact).toMatchObject({ name: 'report.csv', title: 'Report of 2025', media_type: 'text/csv' })
    expect(artifact!.versions).toEqual([
      {
        version: 1,
        uri: ref!.uri,
        digest: ref!.digest,
        size_bytes: 16,
        media_type: 'text/csv',
        line_count: 2,
        preview: 'year,sum\n2025,7\n',
        redaction_state: 'none',
        created_at: expect.any(String),
        provenance: {
          invocation_id: result.invocation_id,
          tool_id: 'local.make_report',
          tool_fingerprint: crib.tool('make_report')!.fingerprint,
          surface_id: surface.id,
          actor: 'ana',
          session: 's1',
          input_digests: [
            {
              uri: `toolcrib://invocations/${result.invocation_id}/inputs/0`,
              digest: expect.stringMatching(/^hmac-sha256:/),
              relation: 'ran',
            },
          ],
          source_refs: [],
        },
      },
    ])
    expect(artifact!.handoff_refs).toMatchObject([
      { to: 'bookkeeping', purpose: 'yearly closing', version: 1, by: 'ana' },
    ])
    const events = await collect(crib.events({ invocation: result.invocation_id }))
    const types = events.map(({ event_type: type }) => type)
    expect(types).toContain('toolcrib.artifact.created')
    expect(types.indexOf('toolcrib.artifact.handed_off')).toBeLessThan(types.indexOf('tool.result.created'))
    expect(await crib.result(result.invocation_id)).toEqual(result)
    expect((await crib.invocation(result.invocation_id))!.artifact_refs).toEqual(result.artifact_refs)
  })

  it('links one that is stored elsewhere', async () => {
    const crib = await openCrib({ store: newStore(), tools, ...allow })
    const result = await crib.call(await crib.surface({ scope: 'turn' }), { name: 'link_report' })
    expect(result.artifact_refs).toEqual([
      { uri: 'https://reports.example/7', name: 'report 7', media_type: 'text/csv' },
    ])
    expect(await collect(crib.artifacts())).toEqual([])
  })

  it('every ref resolves, can be read, and can be passed to another tool, whose artifact records it', async () => {
    const crib = await openCrib({ store: newStore(), tools, ...allow })
    const surface = await crib.surface({ scope: 'turn' })
    const made = await crib.call(surface, { name: 'make_report', input: { year: 2025 } })
    const { ref_id: id, uri, digest } = made.artifact_refs![0]!
    const latest = `toolcrib://artifacts/${id}/latest`
    const handOff = made.content!.find(({ type }) => type === 'handoff_ref')!.uri!
    const artifact = await crib.artifact(id!)
    expect(await crib.resolveRef(id!)).toEqual(artifact)
    expect(await crib.resolveRef(`toolcrib://artifacts/${id}`)).toEqual(artifact)
    expect(await crib.resolveRef(uri!)).toEqual(artifact!.versions[0])
    expect(await crib.resolveRef(latest)).toEqual(artifact!.versions[0])
    expect(await crib.resolveRef(handOff)).toEqual(artifact!.handoff_refs[0])
    for (const ref of [uri!, latest, handOff])
      expect(await crib.read(ref)).toMatchObject({ text: 'year,sum\n2025,7\n' })
    await expect(crib.read(`toolcrib://artifacts/${id}/versions/2`)).rejects.toMatchObject({
      code: 'toolcrib.ref_unknown',
    })

    const counted = await crib.call(surface, { name: 'count_lines', input: { text: latest } })
    expect(counted.structured_content).toEqual({ lines: 2 })
    const copy = await crib.artifact(counted.artifact_refs![0]!.ref_id!)
    expect(copy!.versions[0]!.provenance.source_refs).toEqual([{ uri, relation: 'read', digest }])
    const read = await crib.call(surface, { name: 'result.read', input: { ref: latest } })
    expect(shownText(read)).toContain('2025,7')
  })

  it('adds a version only where one is named', async () => {
    const crib = await openCrib({ store: newStore(), tools, ...allow })
    const surface = await crib.surface({ scope: 'turn' })
    const first = await crib.call(surface, { name: 'make_report', input: { year: 2024 } })
    const other = await crib.call(surface, { name: 'make_report', input: { year: 2024 } })
    const id = first.artifact_refs![0]!.ref_id!
    expect(other.artifact_refs![0]!.ref_id).not.toBe(id)
    const second = await crib.call(surface, { name: 'make_report', input: { year: 2025, of: id } })
    expect(second.artifact_refs![0]).toMatchObject({
      ref_id: id,
      uri: `toolcrib://artifacts/${id}/versions/2`,
    })
    expect(await crib.read(`toolcrib://artifacts/${id}/latest`)).toMatchObject({ text: 'year,sum\n2025,7\n' })
    expect(await crib.read(`toolcrib://artifacts/${id}/versions/1`)).toMatchObject({
      text: 'year,sum\n2024,7\n',
    })
    const events = await collect(crib.events({ invocation: second.invocation_id }))
    expect(events.map(({ event_type: type }) => type)).toContain('toolcrib.artifact.version_added')
    const listed = await collect(crib.artifacts({ name: 'report.csv' }))
    expect(listed.map(({ versions }) => versions.length)).toEqual([2, 1])
  })

  it('rejects a version of an artifact that does not exist, or belongs to another tenant', async () => {
    const crib = await openCrib({ store: newStore(), tools, ...allow })
    const theirs = await crib.surface({ scope: 'turn', tenant: 'other' })
    const made = await crib.call(theirs, { name: 'make_report', input: { year: 2024 } })
    const id = made.artifact_refs![0]!.ref_id!
    const ours = await crib.surface({ scope: 'turn' })
    const refused = await crib.call(ours, { name: 'make_report', input: { year: 2025, of: id } })
    expect(refused).toMatchObject({
      status: 'failed',
      error: {
        error_class: 'result_mapping_failed',
        message: `The tool ran, but its output cannot be recorded: it adds a version to ${id}, and there is no such artifact.`,
      },
    })
    expect(refused.artifact_refs).toBeUndefined()
    expect((await crib.artifact(id, { tenant: 'other' }))!.versions).toHaveLength(1)
    expect(await collect(crib.artifacts())).toEqual([])
  })
})
