import { Readable } from 'node:stream'
import { afterEach, describe, expect, it } from 'vitest'
import { defineHook, memoryBlobs, toolOutput } from 'toolcrib'
import { answering, give, giver, keptIn, readAll } from './give.js'
import { createGate, openCrib, shownText } from '../scenarios/open-crib.js'
import { endChildren, runChild } from '../storage/run-child.js'

const WORD = 'blue horse staple'
const jsonStream = (padding: number, word: unknown = WORD) =>
  Readable.from([`{"pin":${JSON.stringify(word)},"pad":"`, 'x'.repeat(padding), '"}'])
const asJson = (stream: Readable) => toolOutput({ mediaType: 'application/json', stream })
const LONG = 1_200_000

afterEach(endChildren)

describe('a stream that is not read', () => {
  it('does not end the process when it fails', async () => {
    const printed = await runChild(new URL('./children/handle-stream-errors.mjs', import.meta.url))
    expect(printed).toBe('artifact failed\ntimed_out timed_out\nclosed\nalive\n')
  })

  it('of the web is cancelled with its call, even during a pending read', async () => {
    const reached = createGate()
    let isCancelled = false
    const source = {
      pull() {
        reached.open()
        return new Promise<void>(() => {})
      },
      cancel() {
        isCancelled = true
      },
    }
    // Nothing is pulled in advance: only a reader pulls.
    const hanging = giver(() => new ReadableStream(source, { highWaterMark: 0 }))
    const crib = await openCrib({ tools: [hanging], cancelGraceMs: 2000 })
    const call = crib.call(await crib.surface({ scope: 'turn' }), { name: 'give' })
    await reached.promise
    call.cancel()
    expect(await call).toMatchObject({ status: 'canceled' })
    expect(isCancelled).toBe(true)
  })
})

it('a store that fails, also at its clean-up, does not fail the tool', async () => {
  const blobs = memoryBlobs()
  const broken = {
    ...blobs,
    async create(tenant: string) {
      return {
        ...(await blobs.create(tenant)),
        write: () => Promise.reject(new Error('The disk is full')),
        abort: () => Promise.reject(new Error('The disk cannot be written')),
      }
    },
  }
  const { result } = await give(() => Readable.from(['x'.repeat(700_000), 'y'.repeat(700_000)]), {
    blobs: broken,
  })
  expect(result).toMatchObject({ status: 'too_large', is_error: false })
})

describe('fields that a hook wants redacted', () => {
  const hooks = [
    defineHook({
      id: 'pins',
      event: 'result_persistence',
      run: answering({ persistence: { strategy: 'redact', fields: ['pin'], reason: 'pins are private' } }),
    }),
  ]

  it.each([
    ['alone', {}],
    ['beside other words', { structured: { ok: true }, content: [{ type: 'text' as const, text: WORD }] }],
  ])('of a stream that is too long to be held %s: all of it is removed', async (_how, beside) => {
    const blobs = memoryBlobs()
    const { result, story, logged } = await give(
      () => toolOutput({ mediaType: 'application/json', stream: jsonStream(LONG), ...beside }),
      { hooks, blobs },
    )
    expect(result).toMatchObject({ status: 'redacted', redaction_state: 'redacted' })
    expect(result).not.toHaveProperty('persisted_payload_ref')
    expect(JSON.stringify(result)).not.toContain(WORD)
    expect(logged).not.toContain(WORD)
    expect(story.persistence).toMatchObject({ strategy: 'redact', reason: 'pins are private' })
    expect(await keptIn(blobs)).toEqual([])
  })

  it('of a short one: only these are removed', async () => {
    const { result } = await give(() => asJson(jsonStream(3)), { hooks })
    expect(result.structured_content).toEqual({ pin: '[redacted]', pad: 'xxx' })
  })
})

describe('a secret that the tool registers while its stream runs', () => {
  const filler = () => Array.from({ length: 40 }, () => 'x'.repeat(40_000) + '\n')

  it.each([
    ['whole', [`the word is ${WORD}\n`]],
    ['in two pieces', [`the word is ${WORD.slice(0, 7)}`, `${WORD.slice(7)}\n`]],
    ['of two lines', ['it is red sky\nat ', 'night\n']],
  ])('is masked in the rest: %s', async (_how, pieces) => {
    const { crib, ref, result } = await give(((_input: unknown, context: { hide(secret: string): void }) =>
      Readable.from(
        (async function* () {
          yield 'begin\n'
          yield* filler()
          context.hide(WORD)
          context.hide('red sky\nat night')
          yield* pieces
          yield* filler()
        })(),
      )) as () => unknown)
    expect(result.redaction_state).toBe('partially_redacted')
    const kept = String(await readAll(crib, ref))
    expect(kept).toContain('[redacted]\n')
    expect(kept).not.toMatch(/horse|night/)
    expect(kept.length).toBeGreaterThan(80 * 40_000)
  })
})

describe('fields that a tool calls sensitive', () => {
  const tool = { sensitiveOutputFields: ['pin'] }

  it.each([{}, { persistence: 'never_persist' }, { persistence: 'inline' }])(
    'a JSON stream that is too long to be masked is neither stored nor shown %j',
    async (more) => {
      const blobs = memoryBlobs()
      const { result, story, logged } = await give(() => asJson(jsonStream(LONG)), {
        tool: { ...tool, ...more },
        blobs,
      })
      expect(result).toMatchObject({ status: 'too_large', is_error: false })
      expect(result).not.toHaveProperty('persisted_payload_ref')
      expect(JSON.stringify([result, logged])).not.toMatch(/blue|xxxx/)
      expect(shownText(result)).toContain('It has fields that must be masked, and is too long for that.')
      expect(story.persistence!.strategy).toMatch(/drop_with_reason|never_persist/)
      expect(await keptIn(blobs)).toEqual([])
    },
  )

  it('are masked in a short JSON stream, however short they are', async () => {
    const { result, logged } = await give(
      () =>
        toolOutput({
          mediaType: 'application/json',
          stream: jsonStream(3, 'k7'),
          content: [{ type: 'text', text: 'beside' }],
        }),
      { tool },
    )
    expect(result.structured_content).toEqual({ pin: '[redacted]', pad: 'xxx' })
    expect(JSON.stringify(result) + logged).not.toContain('k7"')
  })

  it.each([
    ['a value', { pin: WORD, ok: 1 }],
    ['a text', JSON.stringify({ pin: WORD, ok: 1 })],
    ['a stream', 'stream'],
  ])('are masked in a JSON artifact that is %s', async (_how, given) => {
    const { crib, result } = await give(
      () => {
        const content = given === 'stream' ? Readable.from([JSON.stringify({ pin: WORD, ok: 1 })]) : given
        return toolOutput({ structured: { ok: true }, artifacts: [{ name: 'a.json', content }] })
      },
      { tool },
    )
    const kept = String(await readAll(crib, result.artifact_refs![0]!.uri!))
    expect(JSON.parse(kept)).toEqual({ pin: '[redacted]', ok: 1 })
  })

  it('a JSON artifact that is too long to be masked is not stored', async () => {
    const blobs = memoryBlobs()
    const { result } = await give(
      () =>
        toolOutput({ structured: { ok: true }, artifacts: [{ name: 'a.json', content: jsonStream(LONG) }] }),
      { tool, blobs },
    )
    expect(result).toMatchObject({ status: 'partial_succeeded' })
    expect(result.error!.message).toContain('It has fields that must be masked')
    expect(await keptIn(blobs)).toEqual([])
  })
})

describe('content beside a stream', () => {
  const beside = { content: [{ type: 'text' as const, text: 'a note' }], structured: { k: 'a value' } }
  const textOf = (chars: number) => Readable.from(['stream text ', 'y'.repeat(chars)])

  it.each([
    ['a short text', 3],
    ['one that is too long for a result', 60_000],
    ['one that is too long to be held', LONG],
  ])('stays in the result: %s', async (_how, chars) => {
    const { crib, ref, result } = await give(() => toolOutput({ stream: textOf(chars), ...beside }))
    expect(result).toMatchObject({ status: 'succeeded', structured_content: { k: 'a value' } })
    expect(result.content!.at(-1)).toEqual({ type: 'text', text: 'a note' })
    expect(shownText(result)).toContain('stream text')
    expect(shownText(result)).toContain('a note')
    if (chars > 3) expect(String(await readAll(crib, ref))).toBe(`stream text ${'y'.repeat(chars)}`)
  })

  it.each([
    ['short', 3],
    ['long', 60_000],
  ])('is not replaced by the JSON of the stream: %s', async (_how, padding) => {
    const { result } = await give(() =>
      toolOutput({ mediaType: 'application/json', stream: jsonStream(padding), ...beside }),
    )
    expect(result.structured_content).toEqual({ k: 'a value' })
    expect(shownText(result)).toContain(WORD)
    expect(shownText(result)).toContain('a note')
  })

  it('is kept beside JSON that becomes the structured content', async () => {
    const { content } = beside
    const { result } = await give(() =>
      toolOutput({ mediaType: 'application/json', stream: jsonStream(3), content }),
    )
    expect(result.structured_content).toEqual({ pin: WORD, pad: 'xxx' })
    expect(shownText(result)).toContain(WORD)
    expect(shownText(result)).toContain('a note')
    const long = await give(() =>
      toolOutput({ mediaType: 'application/json', stream: jsonStream(60_000), content }),
    )
    expect(JSON.parse(String(await readAll(long.crib, long.ref)))).toMatchObject({ pin: WORD })
    expect(shownText(long.result)).toContain('a note')
  })

  it('is reported as missing where it is too long itself', async () => {
    const content = [{ type: 'text' as const, text: 'z'.repeat(70_000) }]
    const { result } = await give(() => toolOutput({ stream: textOf(LONG), content }))
    expect(shownText(result)).toContain('70,000 characters, is too long to be kept')
  })
})

describe('an output schema', () => {
  const output = {
    jsonSchema: { type: 'object', required: ['pad'], properties: { pad: { type: 'string' } } },
  }

  it('is not checked for a stream that is too long to be held, and the result says so', async () => {
    const { result } = await give(() => asJson(jsonStream(LONG)), { tool: { output } })
    expect(result).toMatchObject({ status: 'succeeded', toolcrib: { output_unchecked: true } })
    const short = await give(() => asJson(jsonStream(3)), { tool: { output } })
    expect(short.result.toolcrib).not.toHaveProperty('output_unchecked')
  })

  it('is checked for the content beside the stream', async () => {
    const { result } = await give(
      () => toolOutput({ stream: Readable.from(['x'.repeat(LONG)]), structured: { pad: 1 } }),
      { tool: { output } },
    )
    expect(result.error).toMatchObject({ error_code: 'toolcrib.output_schema_mismatch' })
  })
})

describe.each(['never_persist', 'redact', 'drop_with_reason'] as const)('%s', (persistence) => {
  const content = () => Readable.from(['TOPSECRETBODY\n'.repeat(100_000)])

  it.each([
    ['the tool', { tool: { persistence } }],
    ['the surface', { on: { results: { persistence } } }],
  ])('of %s prevents that bytes of artifacts are written at all', async (_who, options) => {
    const blobs = memoryBlobs()
    let wrote = 0
    const counting = {
      ...blobs,
      create: (tenant: string) => (wrote++, blobs.create(tenant)),
    }
    const { logged } = await give(
      () =>
        toolOutput({
          structured: { ok: true },
          artifacts: [
            { name: 'a.txt', content: content() },
            { name: 'b.txt', content: 'TOPSECRETBODY' },
          ],
        }),
      { ...options, blobs: counting },
    )
    expect(logged).not.toContain('TOPSECRETBODY')
    expect(wrote).toBe(0)
    expect(await keptIn(blobs)).toEqual([])
  })
})
