import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { defineHook, memoryStore, sqliteStore, toolOutput } from 'toolcrib'
import { memoryBlobs } from 'toolcrib/blobs'
import { onBothStores, openCrib, shownText } from '../scenarios/open-crib.js'
import { temporaryFolder } from '../temporary-folder.js'
import { give, giver, keptIn } from './give.js'
import { documentsOf } from '../storage/make-records.js'

const stream = () => Readable.from([`${'q'.repeat(600_000)}\n`, `${'r'.repeat(600_000)}\n`])
const notKept = defineHook({
  id: 'not-kept',
  event: 'result_persistence',
  run: () => ({ persistence: { strategy: 'never_persist', reason: 'private' } }),
})

describe('bytes that one crib discards', () => {
  it('stay where another crib on the same store is about to record them', async () => {
    const path = join(temporaryFolder(), 'state.db')
    let goOn: (() => void) | undefined
    let reached: (() => void) | undefined
    const isThere = new Promise<void>((resolve) => (reached = resolve))
    const slow = defineHook({
      id: 'slow',
      event: 'post_tool_use',
      run: async () => {
        reached!()
        await new Promise<void>((resolve) => (goOn = resolve))
        return {}
      },
    })
    const first = await openCrib({ store: sqliteStore({ path }), tools: [giver(stream)], hooks: [slow] })
    const second = await openCrib({ store: sqliteStore({ path }), tools: [giver(stream)], hooks: [notKept] })
    const call = first.call(await first.surface({ scope: 'turn' }), { name: 'give' })
    await isThere
    await second.call(await second.surface({ scope: 'turn' }), { name: 'give' })
    goOn!()
    const { persisted_payload_ref: ref } = await call
    expect((await first.read(ref!.uri!)).kind).toBe('text')
  })

  it('are removed at once where no other crib has written them', async () => {
    const blobs = memoryBlobs()
    await give(stream, { store: memoryStore(), blobs, hooks: [notKept] })
    expect(await keptIn(blobs)).toEqual([])
  })

  it('that existed before are removed by a later sweep', async () => {
    const blobs = memoryBlobs()
    const clock = { now: Date.now() }
    await blobs.open()
    const writer = await blobs.create('default')
    for await (const chunk of stream()) await writer.write(Buffer.from(chunk as string))
    await writer.commit()
    const { crib } = await give(stream, {
      store: memoryStore(),
      blobs,
      hooks: [notKept],
      clock: () => clock.now,
    })
    await crib.flush()
    const [, large] = (await keptIn(blobs)).toSorted((a, b) => a.sizeBytes - b.sizeBytes)
    expect(await crib.sweep()).toMatchObject({ removed: 0 })
    clock.now += 6 * 60_000
    expect(await crib.sweep()).toMatchObject({ removed: expect.any(Number) })
    expect(await keptIn(blobs)).not.toContainEqual(expect.objectContaining({ digest: large?.digest }))
    expect(await documentsOf(crib.store, 'default', 'unwanted_payload')).toEqual([])
  })
})

onBothStores('a blob store that never answers', (newStore) => {
  it.each<[string, () => unknown, object]>([
    ['a long text', () => 'x'.repeat(60_000), {}],
    ['a picture', () => Buffer.alloc(9000), {}],
  ])('blocks neither the call nor its cancellation: %s', async (_name, execute, tool) => {
    let asked: (() => void) | undefined
    const isAsked = new Promise<void>((resolve) => (asked = resolve))
    const blobs = {
      ...memoryBlobs(),
      create: () => {
        asked!()
        return new Promise<never>(() => {})
      },
    }
    const crib = await openCrib({
      store: newStore(),
      blobs,
      tools: [giver(execute, tool)],
      cancelGraceMs: 20,
    })
    const call = crib.call(await crib.surface({ scope: 'turn' }), { name: 'give' })
    await isAsked
    call.cancel()
    await call
    const { persistence } = (await crib.story(call.invocationId))!
    expect(persistence).toMatchObject({
      strategy: 'drop_with_reason',
      reason: 'could_not_be_kept: the blob store did not answer in time',
    })
    await crib.close({ graceMs: 0 })
  })
})

onBothStores('blocks with the same bytes', (newStore) => {
  it('keep their own names and types', async () => {
    const data = Buffer.alloc(6000).toString('base64')
    const content = [
      { type: 'image' as const, media_type: 'image/png', name: 'a.png', data },
      { type: 'file' as const, media_type: 'application/x-own', name: 'b.bin', title: 'second', data },
    ]
    const { result, story } = await give(() => toolOutput({ content }), { store: newStore() })
    for (const blocks of [result.content, result.model_facing_content, story.result!.content])
      expect(blocks).toMatchObject([
        { type: 'image', media_type: 'image/png', name: 'a.png', ref: { name: 'a.png' } },
        { type: 'file', media_type: 'application/x-own', name: 'b.bin', title: 'second' },
      ])
    expect(result.content![0]!.digest).toBe(result.content![1]!.digest)
    expect(shownText(result)).not.toContain('undefined')
  })
})
