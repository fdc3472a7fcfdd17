import { Readable } from 'node:stream'
import { anyObject, number, objectOf, quiet, text } from './tools.mjs'

const lines = (count) => Array.from({ length: count }, (_, n) => `src/a.ts:${n + 1}: found`).join('\n')
const rows = (count) =>
  Array.from({ length: count }, (_, n) => ({ id: n, name: `row ${n}`, tags: ['a', 'b'] }))

function resultTools({ lib }) {
  const { defineTool, toolOutput } = lib
  const large = (name, more, execute) =>
    defineTool({ name, description: `Gives much: ${name}.`, ...quiet, ...more, execute })
  return [
    large('search', { input: objectOf({ count: number }) }, ({ count }) => lines(count)),
    large('rows', { input: objectOf({ count: number }) }, ({ count }) => rows(count)),
    large('short', { maxInlineLines: 3 }, () => lines(10)),
    large('few_tokens', { maxInlineTokens: 20 }, () => lines(10)),
    large('unkept', { persistence: 'never_persist' }, () => ({ once: true })),
    large('only_ref', { persistence: 'ref_only' }, () => ({ by: 'ref' })),
    large('redacted', { persistence: 'redact' }, () => 'for no one'),
    large('dropped', { persistence: 'drop_with_reason', maxInlineChars: 10 }, () => lines(20)),
    large('inline', { persistence: 'inline', maxInlineChars: 10 }, () => lines(20)),
    large('streamed', { mediaType: 'text/plain' }, () =>
      toolOutput({ stream: Readable.from([lines(2000), '\n', lines(2000)]), name: 'log.txt' }),
    ),
    large('short_stream', {}, () => toolOutput({ stream: Readable.from(['a few', ' words']) })),
    large('bytes', { mediaType: 'image/png' }, () => new Uint8Array(5000).map((_, at) => at % 251)),
    large('count', { input: objectOf({ text }) }, ({ text }) => text.split('\n').length),
    large('keep', { input: objectOf({ text }), refs: 'keep' }, (input) => input),
  ]
}

function artifactTools({ lib }) {
  const { defineTool, toolOutput } = lib
  return [
    defineTool({
      name: 'report',
      description: 'Makes a report.',
      ...quiet,
      input: anyObject,
      execute: ({ artifact }) =>
        toolOutput({
          structured: { rows: 2 },
          artifacts: [
            {
              name: 'report.csv',
              title: 'Report',
              content: 'month,sum\nMay,7\nJune,9\n',
              handOff: { to: 'bookkeeping', purpose: 'the books' },
              ...(artifact && { artifact }),
            },
            { name: 'data.json', content: { b: 1, a: [2] } },
            { name: 'pixel.png', content: new Uint8Array([137, 80, 78, 71]) },
          ],
        }),
    }),
    defineTool({
      name: 'forgetful',
      description: 'Promises a table.',
      ...quiet,
      artifacts: { min: 1, mediaTypes: ['text/csv'] },
      execute: () => 'done',
    }),
    defineTool({
      name: 'linked',
      description: 'Links what is elsewhere.',
      ...quiet,
      execute: () => toolOutput({ artifactRefs: [{ uri: 'https://example.com/a.pdf', name: 'a.pdf' }] }),
    }),
  ]
}

async function readRefs(world, surface, uri) {
  const { call, crib, note, step } = world
  step('reading back')
  const read = async (label, request) => note(label, await crib.read(uri, request, { maxChars: 600 }))
  await read('the first lines', undefined)
  await read('the last lines', { by: 'lines', from: -2 })
  await read('a search', { by: 'search', text: 'ts:77', limit: 2 })
  await read('bytes', { by: 'bytes', offset: 10, length: 20 })
  await read('beyond the end', { by: 'lines', from: 100_000 })
  await call(
    surface,
    { name: 'result.read', input: { ref: uri, line: 8000, lines: 2 } },
    { label: 'by tool' },
  )
  await call(surface, { name: 'count', input: { text: uri } }, { label: 'as an argument' })
  await call(surface, { name: 'keep', input: { text: uri } }, { label: 'kept as a ref' })
  await call(
    surface,
    { name: 'count', input: { text: 'toolcrib://results/none' } },
    { label: 'an unknown ref' },
  )
}

async function run(world) {
  const { call, crib, note, step } = world
  const surface = await crib.surface({ session: 's1' })
  step('lengths')
  const { persisted_payload_ref: ref } = await call(surface, { name: 'search', input: { count: 9000 } })
  await call(surface, { name: 'rows', input: { count: 3000 } }, { label: 'rows' })
  await call(surface, { name: 'search', input: { count: 100 } }, { label: 'not long' })
  for (const name of resultTools(world)
    .map(({ name }) => name)
    .slice(2, 12)) {
    step(name)
    await call(surface, { name })
  }
  await readRefs(world, surface, ref.uri)
  step('shorter on a surface')
  const narrow = await crib.surface({ session: 's2', results: { maxInlineChars: 50, previewChars: 400 } })
  await call(narrow, { name: 'search', input: { count: 20 } })
  const unkept = await crib.surface({ session: 's3', results: { persistence: 'never_persist' } })
  await call(unkept, { name: 'search', input: { count: 2 } }, { label: 'not stored' })
  step('artifacts')
  const { artifact_refs: refs } = await call(surface, { name: 'report', input: {} })
  const { ref_id: id } = refs[0]
  await call(surface, { name: 'report', input: { artifact: id } }, { label: 'a new version' })
  await call(surface, { name: 'report', input: { artifact: 'art_none' } }, { label: 'no artifact' })
  await call(surface, { name: 'forgetful' }, { label: 'a missing one' })
  await call(surface, { name: 'linked' }, { label: 'a linked one' })
  note('read', await crib.read(`toolcrib://artifacts/${id}/latest`, { by: 'lines' }))
  note('handed off', await crib.handOffArtifact(id, { to: 'ana' }))
  note('removed', await crib.removeArtifact(refs[1].ref_id))
  note('of the ref', await crib.resolveRef(`toolcrib://artifacts/${id}/versions/1`))
}

export const large = {
  name: 'large',
  options: (world) => ({ tools: [...resultTools(world), ...artifactTools(world)] }),
  run,
}
