import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { sqliteStore } from 'toolcrib'
import { memoryBlobs } from 'toolcrib/blobs'
import { onBothStores, shownText } from '../scenarios/open-crib.js'
import { temporaryFolder } from '../temporary-folder.js'
import { callAgain, expectSound, give, keptIn, numbered, readAll, type GiveOptions } from './give.js'

const DAY_MS = 24 * 3_600_000

onBothStores('a stored result', (newStore) => {
  /** A clock that starts with the real one: blobs are stored at real times, and a sweep spares new ones. */
  function atTime(options: GiveOptions = {}) {
    const clock = { now: Date.now() }
    const blobs = memoryBlobs()
    return { clock, blobs, options: { store: newStore(), blobs, clock: () => clock.now, ...options } }
  }

  it('can be read until it expires, and not a moment longer', async () => {
    const { clock, options } = atTime()
    const { crib, ref, result } = await give(() => numbered(5000), options)
    const expiresAt = Date.parse(result.persisted_payload_ref!.expires_at!)
    expect(expiresAt).toBe(clock.now + 30 * DAY_MS)
    clock.now = expiresAt - 1
    expect((await crib.read(ref)).kind).toBe('text')
    clock.now = expiresAt
    await expect(crib.read(ref)).rejects.toMatchObject({
      code: 'toolcrib.ref_expired',
      message: `Its time is over, and only the record of it is left: ${ref}`,
    })
  })

  it('[AT-FAILSAFE-01] [AT-LIFE-04] is swept when it expires: the bytes go, the records and the reason stay', async () => {
    const { clock, blobs, options } = atTime()
    const { crib, id, ref, result, story } = await give(() => numbered(20_000), options)
    expect((await keptIn(blobs)).length).toBe(2)
    expect(await crib.sweep()).toEqual({ expired: 0, removed: 0, bytes: 0 })
    clock.now += 31 * DAY_MS
    const swept = await crib.sweep()
    expect(swept).toMatchObject({ expired: 1, removed: 2 })
    expect(swept.bytes).toBeGreaterThan(numbered(20_000).length)
    expect(await keptIn(blobs)).toEqual([])
    expect(await crib.result(id)).toEqual(result)
    expect((await crib.story(id))!.persistence).toEqual(story.persistence)
    expect(await crib.resolveRef(ref)).toMatchObject({
      uri: ref,
      digest: result.persisted_payload_ref!.digest,
      size_bytes: numbered(20_000).length,
      expired_at: new Date(clock.now).toISOString(),
    })
    await expect(crib.read(ref)).rejects.toMatchObject({ code: 'toolcrib.ref_expired' })
    expect(await crib.sweep()).toEqual({ expired: 0, removed: 0, bytes: 0 })
  })

  it('is stored as long as its class says', async () => {
    const { clock, options } = atTime({
      results: { retainDays: { output: 1, block: false, native: 2 } },
    })
    const picture = Buffer.alloc(30_000, 7)
    const { crib, id } = await give(() => picture, options)
    const block = `toolcrib://invocations/${id}/blocks/0`
    expect(await crib.resolveRef(block)).not.toHaveProperty('expires_at', expect.any(String))
    clock.now += 10_000 * DAY_MS
    expect(await crib.sweep()).toMatchObject({ expired: 0, removed: 0 })
    expect((await readAll(crib, block)).equals(picture)).toBe(true)

    const other = atTime({ results: { retainDays: { output: 1 } } })
    const made = await give(() => numbered(5000), other.options)
    expect(Date.parse(made.result.persisted_payload_ref!.expires_at!)).toBe(other.clock.now + DAY_MS)
  })

  it('a retention of zero days is rejected at once', async () => {
    const { options } = atTime({ results: { retainDays: { output: 0 } } })
    const { crib, ref } = await give(() => numbered(5000), options)
    await expect(crib.read(ref)).rejects.toMatchObject({ code: 'toolcrib.ref_expired' })
  })

  it('stays as long as any record needs the same bytes', async () => {
    const { clock, blobs, options } = atTime()
    const { crib, surface, ref } = await give(() => numbered(5000), options)
    clock.now += 20 * DAY_MS
    const second = await callAgain(crib, surface)
    expect((await keptIn(blobs)).length).toBe(1)
    clock.now += 15 * DAY_MS
    expect(await crib.sweep()).toEqual({ expired: 1, removed: 0, bytes: 0 })
    await expect(crib.read(ref)).rejects.toMatchObject({ code: 'toolcrib.ref_expired' })
    expect(String(await readAll(crib, second.ref))).toBe(numbered(5000))
    clock.now += 20 * DAY_MS
    expect(await crib.sweep()).toMatchObject({ expired: 1, removed: 1 })
  })

  it('bytes without a record are swept as well, but not those written a moment ago', async () => {
    const { clock, blobs, options } = atTime()
    const { crib } = await give(() => 'short', options)
    await crib.sweep()
    const writer = await blobs.create('default')
    await writer.write(Buffer.from('of a process that died'))
    await writer.commit()
    clock.now += 59 * 60_000
    expect(await crib.sweep()).toMatchObject({ removed: 0 })
    clock.now += 2 * 60_000
    expect(await crib.sweep()).toEqual({ expired: 0, removed: 1, bytes: 22 })
  })

  it('belongs to its tenant: a sweep and a read of another do not affect it', async () => {
    const { clock, blobs, options } = atTime()
    const { crib } = await give(() => numbered(5000), { ...options, tenant: 'office' })
    const call = crib.call(await crib.surface({ scope: 'turn', tenant: 'house' }), { name: 'give' })
    const ref = (await call).persisted_payload_ref!.uri!
    const ofHouse = async () =>
      (await keptIn(blobs)).filter((blob) => 'tenant' in blob && blob.tenant === 'house')
    clock.now += 31 * DAY_MS
    expect(await crib.sweep()).toMatchObject({ expired: 1, removed: 1 })
    expect((await ofHouse()).length).toBe(1)
    await expect(crib.read(ref)).rejects.toMatchObject({ code: 'toolcrib.ref_unknown' })
    await expect(crib.read(ref, undefined, { tenant: 'house' })).rejects.toMatchObject({
      code: 'toolcrib.ref_expired',
    })
    expect(await crib.sweep({ tenant: 'house' })).toMatchObject({ expired: 1, removed: 1 })
    expect(await ofHouse()).toEqual([])
  })

  it('has a quota: what exceeds it is dropped with the reason, and the call succeeds', async () => {
    const { options } = atTime({ results: { maxBytes: 150_000, previewChars: 300 } })
    let part = 0
    const { crib, surface } = await give(() => `${part++}\n${numbered(5000)}`, options)
    const { result, story } = await callAgain(crib, surface)
    expect(result).toMatchObject({ status: 'too_large', is_error: false })
    expect(story.invocation.status).toBe('succeeded')
    expect(story.persistence).toMatchObject({
      strategy: 'drop_with_reason',
      reason: expect.stringMatching(/^could_not_be_kept: .*more than 150000 bytes/),
    })
    expect(shownText(result)).toContain('The rest was not kept.')
  })

  it('expired bytes are removed before a new one is refused', async () => {
    const { clock, options } = atTime({ results: { maxBytes: 150_000 } })
    let part = 0
    const { crib, surface, ref } = await give(() => `${part++}\n${numbered(5000)}`, options)
    clock.now += 31 * DAY_MS
    const second = await callAgain(crib, surface)
    expect(second.story.persistence).toMatchObject({ strategy: 'preview_and_persist' })
    expect((await crib.read(second.ref)).kind).toBe('text')
    await expect(crib.read(ref)).rejects.toMatchObject({ code: 'toolcrib.ref_expired' })
  })

  it('the same for a stream, whose bytes cannot be requested twice', async () => {
    const { clock, options } = atTime({ results: { maxBytes: 2_500_000 } })
    let part = 0
    const stream = () => Readable.from([`${part++}\n`, 'x'.repeat(2_000_000)], { objectMode: false })
    const { crib, surface } = await give(stream, options)
    clock.now += 31 * DAY_MS
    const second = await callAgain(crib, surface)
    expect(second.story.persistence).toMatchObject({ strategy: 'preview_and_persist' })
    expect((await readAll(crib, second.ref)).length).toBe(2_000_002)
  })

  it('the record of an expired result is still valid', async () => {
    const { clock, options } = atTime()
    const { crib, id } = await give(() => numbered(5000), options)
    clock.now += 31 * DAY_MS
    await crib.sweep()
    expectSound('tool_result', await crib.result(id))
    expectSound('tool_result_persistence', (await crib.story(id))!.persistence)
  })
})

describe('bytes in files', () => {
  it('are beside the store, readable by the user only', async () => {
    const folder = temporaryFolder()
    const { crib, ref } = await give(() => numbered(20_000), {
      store: sqliteStore({ path: join(folder, 'crib.db') }),
    })
    await crib.flush()
    const names = readdirSync(join(folder, 'crib.blobs'), { recursive: true, encoding: 'utf8' })
    const modes = names.map((name) => {
      const stat = statSync(join(folder, 'crib.blobs', name))
      return [stat.isFile(), stat.mode & 0o777] as const
    })
    expect(modes.filter(([isFile]) => isFile).map(([, mode]) => mode)).toEqual([0o600, 0o600])
    expect(new Set(modes.filter(([isFile]) => !isFile).map(([, mode]) => mode))).toEqual(new Set([0o700]))
    expect(statSync(join(folder, 'crib.blobs')).mode & 0o777).toBe(0o700)
    expect(String(await readAll(crib, ref))).toBe(numbered(20_000))
  })

  it('are found again by the next process', async () => {
    const path = join(temporaryFolder(), 'crib.db')
    const first = await give(() => numbered(20_000), { store: sqliteStore({ path }) })
    await first.crib.close()
    const second = await give(() => 'short', { store: sqliteStore({ path }) })
    expect(String(await readAll(second.crib, first.ref))).toBe(numbered(20_000))
    expect(second.crib.tool('result.read')).toBeDefined()
  })
})
