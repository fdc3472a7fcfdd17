import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { defineTool, toolOutput, type NewArtifact } from 'toolcrib'
import { collect, createGate, openCrib } from '../../scenarios/open-crib.js'
import { allow, make, maker, onBothBlobStores, wholeOf } from './make-artifacts.js'

const SECRET = 'AKIAIOSFODNN7EXAMPLE'
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 1, 2, 3])

const contents: [string, () => unknown, string, string | Buffer][] = [
  ['notes.md', () => '# Notes\n', 'text/markdown', '# Notes\n'],
  ['notes', () => 'plain', 'text/plain', 'plain'],
  ['empty.txt', () => '', 'text/plain', ''],
  ['picture.png', () => new Uint8Array(PNG), 'image/png', PNG],
  ['bytes', () => PNG, 'application/octet-stream', PNG],
  ['table', () => ({ rows: [1, 2] }), 'application/json', '{\n  "rows": [\n    1,\n    2\n  ]\n}'],
  ['list', () => [1], 'application/json', '[\n  1\n]'],
  ['node.csv', () => Readable.from(['a,b\n', Buffer.from('1,2\n')]), 'text/csv', 'a,b\n1,2\n'],
  ['web.txt', () => new Blob(['w', 'eb']).stream(), 'text/plain', 'web'],
  ['blob', () => new Blob(['<p>'], { type: 'text/html' }), 'text/html', '<p>'],
]

onBothBlobStores('the content of an artifact', (places) => {
  it.each(contents)('%s', async (name, content, mediaType, whole) => {
    const { crib, result } = await make(() => [{ name, content: content() }], { options: places() })
    expect(result.status).toBe('succeeded')
    const [ref] = result.artifact_refs!
    expect(ref).toMatchObject({ name, media_type: mediaType, size_bytes: Buffer.byteLength(whole) })
    const bytes = whole.length === 0 ? Buffer.alloc(0) : await wholeOf(crib, ref!.uri!)
    expect(bytes).toEqual(Buffer.from(whole))
    expect(ref!.digest).toBe(`sha256:${createHash('sha256').update(whole).digest('hex')}`)
  })

  it('is read in chunks where it is long, and previewed', async () => {
    const line = `${'x'.repeat(63)}\n`
    const lines = function* () {
      for (let index = 0; index < 40_000; index++) yield line
    }
    const { crib, result } = await make(() => [{ name: 'long.log', content: Readable.from(lines()) }], {
      options: places(),
    })
    const [ref] = result.artifact_refs!
    expect(ref).toMatchObject({ size_bytes: 40_000 * 64, toolcrib: { line_count: 40_000 } })
    const artifact = await crib.artifact(ref!.ref_id!)
    expect(artifact!.versions[0]!.preview.length).toBeLessThanOrEqual(2000)
    const hash = createHash('sha256').update(line.repeat(40_000)).digest('hex')
    expect(ref!.digest).toBe(`sha256:${hash}`)
    expect(await crib.read(ref!.uri!, { by: 'lines', from: 39_999 })).toMatchObject({ text: line + line })
  })

  it('holds no secret, in any form and at any chunk boundary', async () => {
    const { crib, result } = await make(
      () => [
        { name: 'a.txt', content: `key ${SECRET}\n`, title: `of ${SECRET}` },
        { name: 'b.json', content: { key: SECRET } },
        { name: 'c.txt', content: Readable.from([`key ${SECRET.slice(0, 9)}`, `${SECRET.slice(9)}\n`]) },
      ],
      { options: places() },
    )
    expect(JSON.stringify(result)).not.toContain(SECRET)
    expect(result.artifact_refs!.map(({ redaction_state: state }) => state)).toEqual(
      Array.from({ length: 3 }, () => 'partially_redacted'),
    )
    for (const { uri } of result.artifact_refs!)
      expect(String(await wholeOf(crib, uri!))).not.toContain(SECRET)
    const json = String(await wholeOf(crib, result.artifact_refs![1]!.uri!))
    expect(JSON.parse(json)).toEqual({ key: '[redacted]' })
    expect(JSON.stringify(await collect(crib.artifacts()))).not.toContain(SECRET)
  })

  it("holds nothing of the tool's sensitive output or input", async () => {
    const tool = defineTool({
      name: 'make',
      description: 'Makes something.',
      isReadOnly: true,
      isOpenWorld: false,
      input: z.object({ pin: z.string() }),
      sensitiveFields: ['pin'],
      sensitiveOutputFields: ['word'],
      execute: ({ pin }) =>
        toolOutput({
          structured: { word: 'opensesame' },
          artifacts: [{ name: 'a.txt', content: `it is opensesame, with ${pin}` }],
        }),
    })
    const crib = await openCrib({ ...allow, ...places(), tools: [tool] })
    const surface = await crib.surface({ scope: 'turn' })
    const result = await crib.call(surface, { name: 'make', input: { pin: '739164' } })
    const text = String(await wholeOf(crib, result.artifact_refs![0]!.uri!))
    expect(text).toBe('it is [redacted], with [redacted]')
  })
})

it('is reported as missing where a sweep removed it while the call still ran', async () => {
  let late = 0
  const stream = new Readable({ read() {} })
  const { crib, result } = await (async () => {
    const opened = await openCrib({
      ...allow,
      clock: () => Date.now() + late,
      tools: [
        maker(() => [
          { name: 'early.txt', content: 'early' },
          { name: 'late.txt', content: stream },
        ]),
      ],
    })
    const call = opened.call(await opened.surface({ scope: 'turn' }), { name: 'make' })
    late = 2 * 60 * 60 * 1000
    let removed = 0
    while (removed === 0) {
      await wait(2)
      removed = (await opened.sweep()).removed
    }
    stream.push('late')
    stream.push(null)
    return { crib: opened, result: await call }
  })()
  expect(result).toMatchObject({
    status: 'partial_succeeded',
    error: { message: 'The artifact early.txt could not be kept: its bytes are no longer there.' },
  })
  expect((await collect(crib.artifacts())).map(({ name }) => name)).toEqual(['late.txt'])
})

onBothBlobStores('no artifact is left behind', (places) => {
  const HOUR_MS = 60 * 60 * 1000

  /** Neither a record nor, after the next sweep, bytes. */
  async function expectNothing(crib: Awaited<ReturnType<typeof openCrib>>): Promise<void> {
    expect(await collect(crib.artifacts())).toEqual([])
    await crib.sweep()
    expect(await crib.sweep()).toEqual({ expired: 0, removed: 0, bytes: 0 })
  }

  it('by an output that does not match its schema; a sweep removes the bytes', async () => {
    const { crib, result } = await make(() => [{ name: 'a.txt', content: 'left' }], {
      options: { ...places(), clock: () => Date.now() + 2 * HOUR_MS },
      more: { output: z.object({ is: z.string() }) as never },
    })
    expect(result).toMatchObject({ status: 'failed', error: { error_class: 'result_mapping_failed' } })
    expect(await collect(crib.artifacts())).toEqual([])
    expect(await crib.sweep()).toEqual({ expired: 0, removed: 1, bytes: 4 })
  })

  it('by a call that is cancelled while a stream is read, which ends the stream', async () => {
    const started = createGate()
    const stream = new Readable({ read() {} })
    const ended = new Promise((resolve) => stream.once('close', resolve))
    const crib = await openCrib({
      ...allow,
      ...places(),
      tools: [
        maker(() => {
          stream.push('first\n')
          started.open()
          return [{ name: 'a.txt', content: stream }]
        }),
      ],
    })
    const call = crib.call(await crib.surface({ scope: 'turn' }), { name: 'make' })
    await started.promise
    await wait(5)
    call.cancel()
    expect(await call).toMatchObject({ status: 'canceled' })
    await ended
    await expectNothing(crib)
  })

  it('by a stream that times out', async () => {
    const { crib, result } = await make(() => [{ name: 'a.txt', content: new Readable({ read() {} }) }], {
      options: places(),
      more: { timeoutMs: 20 },
    })
    expect(result).toMatchObject({ status: 'timed_out' })
    await expectNothing(crib)
  })

  it('by a stream that fails, and the others are released', async () => {
    const other = new Readable({ read() {} })
    const broken = new Readable({
      read() {
        this.destroy(new Error('the disk is gone'))
      },
    })
    const { crib, result } = await make(
      () => [
        { name: 'other.txt', content: other },
        { name: 'broken.txt', content: broken },
      ],
      { options: places() },
    )
    expect(result).toMatchObject({
      status: 'failed',
      error: { error_class: 'execution_failed', message: expect.stringContaining('the disk is gone') },
    })
    expect(other.destroyed).toBe(true)
    await expectNothing(crib)
  })
})

it('is missing where there is no space, and the result says so', async () => {
  const { crib, result } = await make(() => [{ name: 'a.txt', content: 'x'.repeat(2000) }], {
    options: { results: { maxBytes: 1000 } },
  })
  expect(result).toMatchObject({
    status: 'partial_succeeded',
    is_error: false,
    error: { error_class: 'partial_failure', error_code: 'toolcrib.artifact_not_kept' },
  })
  expect(result.error!.message).toMatch(/^The artifact a\.txt could not be kept: .+\.$/)
  expect(result.artifact_refs).toBeUndefined()
  expect(await collect(crib.artifacts())).toEqual([])
})

const wrong: [string, unknown, RegExp][] = [
  ['no name', { content: 'x' }, /artifacts\[0\] needs a "name"/],
  ['no content', { name: 'a' }, /artifacts\[0\] needs a "content"/],
  ['an unknown option', { name: 'a', content: 'x', type: 'y' }, /has no option "type"/],
  ['another id', { name: 'a', content: 'x', artifact: 'inv_1' }, /must be the id of an artifact/],
  ['a hand-off to nobody', { name: 'a', content: 'x', handOff: {} }, /handOff needs a "to"/],
]

it.each(wrong)('%s is rejected with a sentence', async (_what, artifact, sentence) => {
  expect(() => toolOutput({ artifacts: [artifact as NewArtifact] })).toThrow(sentence)
})

it('too many are rejected with a sentence', () => {
  const many = Array.from({ length: 65 }, () => ({ name: 'a', content: 'x' }))
  expect(() => toolOutput({ artifacts: many })).toThrow('at most 64 artifacts, not 65')
})
