import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { defineHook, memoryStore, sqliteStore, toolOutput } from 'toolcrib'
import { memoryBlobs } from 'toolcrib/blobs'
import { onBothStores, openCrib } from '../scenarios/open-crib.js'
import { temporaryFolder } from '../temporary-folder.js'
import { give, giver, keptIn } from './give.js'

const DAY_MS = 24 * 3_600_000
const KEY = ['ghp', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('_')

afterEach(() => {
  vi.restoreAllMocks()
})

describe('a sweep', () => {
  it('says so when another process is already sweeping', async () => {
    const { crib } = await give(() => 'x', { store: memoryStore(), tool: { persistence: 'ref_only' } })
    const until = Date.now() + 600_000
    await crib.store.write({
      documents: [{ tenant: 'default', kind: 'sweep', id: 'sweep', updatedAt: 0, value: { until } }],
    })
    expect(await crib.sweep()).toEqual({ expired: 0, removed: 0, bytes: 0, skipped: true })
  })

  it('is shared by all callers in this process', async () => {
    const { crib } = await give(() => 'x', { store: memoryStore(), tool: { persistence: 'ref_only' } })
    for (const swept of await Promise.all([crib.sweep(), crib.sweep(), crib.sweep()]))
      expect(swept).toEqual({ expired: 0, removed: 0, bytes: 0 })
  })

  it('covers every tenant with records, and no other, at intervals', async () => {
    const every = vi.spyOn(globalThis, 'setInterval')
    const clock = { now: Date.now() }
    const blobs = memoryBlobs()
    const crib = await openCrib({
      store: sqliteStore({ path: join(temporaryFolder(), 'state.db') }),
      blobs,
      clock: () => clock.now,
      tools: [giver(() => 'of a tenant', { persistence: 'ref_only' })],
    })
    const surface = await crib.surface({ scope: 'turn', tenant: 'acme' })
    await crib.call(surface, { name: 'give' })
    await crib.flush()
    const foreign = await blobs.create('of-another-log')
    await foreign.write(Buffer.from('bytes'))
    await foreign.commit()
    expect((await keptIn(blobs)).length).toBe(2)
    clock.now += 40 * DAY_MS
    const [sweep] = every.mock.calls.find(([, ms]) => ms === 3_600_000)!
    ;(sweep as () => void)()
    await vi.waitFor(async () => expect(await keptIn(blobs)).toMatchObject([{ tenant: 'of-another-log' }]))
  })
})

onBothStores('the persistence record of a result', (newStore) => {
  it('says that nothing is shown of a redacted result, and counts bytes', async () => {
    const { story } = await give(() => 'é'.repeat(1000), {
      store: newStore(),
      tool: { persistence: 'redact' },
    })
    expect(story.persistence).toMatchObject({
      strategy: 'redact',
      original_size_bytes: 2000,
      preview_size_bytes: 0,
    })
  })

  it('stores replaced output for the allowed actors, and for no others', async () => {
    const changed = defineHook({
      id: 'changed',
      event: 'post_tool_use',
      run: () => ({ updatedOutput: 'changed' }),
    })
    const { crib, result, story } = await give(() => 'as it was', { store: newStore(), hooks: [changed] })
    const { access, uri } = result.native_output as { access: string; uri: string }
    expect(access).toBe('named_actors')
    expect(await crib.resolveRef(uri)).toMatchObject({ class: 'native', is_sealed: true })
    await expect(crib.read(uri, undefined, { actor: 'anybody' })).rejects.toMatchObject({
      errorClass: 'permission_denied',
    })
    expect(story.persistence).toMatchObject({ strategy: 'inline', reason: 'parts_kept_by_reference' })
  })

  it('shows the model nothing about where blobs are', async () => {
    const failure = Object.assign(new Error('The blob store failed at /home/ana/kept: oops.'), {
      code: 'toolcrib.blobs_failed',
    })
    const { result, logged } = await give(() => 'x'.repeat(60_000), {
      store: newStore(),
      blobs: { ...memoryBlobs(), create: () => Promise.reject(failure) },
    })
    expect(JSON.stringify(result) + logged).not.toContain('/home/ana')
    expect(logged).toContain('the blob store failed (toolcrib.blobs_failed)')
  })

  it('of an artifact holds no secret from the text of a hand-off', async () => {
    const { crib, result } = await give(() => toolOutput({ artifacts: [{ name: 'a.txt', content: 'hi' }] }), {
      store: newStore(),
    })
    const id = result.artifact_refs![0]!.ref_id!
    const secret = `token=${KEY}`
    await crib.handOffArtifact(id, { to: `bob ${secret}`, purpose: `log in with ${secret}`, by: secret })
    await crib.exportArtifact(id, { to: join(temporaryFolder(), 'a.txt'), by: secret })
    const artifact = (await crib.artifact(id))!
    expect(JSON.stringify(artifact)).not.toContain(KEY)
    expect(artifact.handoff_refs[0]).toMatchObject({ to: expect.stringContaining('[redacted]') })
    await expect(crib.removeArtifact(id, { tenannt: 'x' } as object)).rejects.toThrow('tenannt')
  })
})
