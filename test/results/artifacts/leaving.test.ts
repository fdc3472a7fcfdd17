import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { beforeEach, describe, expect, it } from 'vitest'
import { fileBlobs, isArtifactError, memoryStore, sqliteStore, type Crib } from 'toolcrib'
import { collect } from '../../scenarios/open-crib.js'
import { temporaryFolder } from '../../temporary-folder.js'
import { make, onBothBlobStores, wholeOf } from './make-artifacts.js'

const BYTES = Buffer.from([0, 255, 1, 254, 10, 13])

onBothBlobStores('an export', (places) => {
  let crib: Crib
  let id: string
  let folder: string
  let target: string

  beforeEach(async () => {
    const made = await make(() => [{ name: 'bytes.bin', content: BYTES }], {
      options: { ...places(), actor: 'ana' },
    })
    crib = made.crib
    id = made.result.artifact_refs![0]!.ref_id!
    folder = temporaryFolder()
    target = join(folder, 'out.bin')
  })

  it('writes the exact bytes, and is recorded', async () => {
    const exported = await crib.exportArtifact(id, { to: target })
    expect(readFileSync(target)).toEqual(BYTES)
    const artifact = (await crib.artifact(id))!
    expect(exported).toEqual({
      uri: pathToFileURL(target).href,
      at: expect.any(String),
      version: 1,
      digest: artifact.versions[0]!.digest,
      by: 'ana',
    })
    expect(artifact.export_refs).toEqual([exported])
    expect(readdirSync(folder)).toEqual(['out.bin'])
    const events = await collect(crib.events())
    expect(events.at(-1)).toMatchObject({
      event_type: 'toolcrib.artifact.exported',
      data: { artifact_id: id, ...exported },
    })
  })

  it('does not overwrite a file, unless requested', async () => {
    writeFileSync(target, 'mine')
    await expect(crib.exportArtifact(id, { to: target })).rejects.toMatchObject({
      code: 'toolcrib.export_refused',
      message: `${target} is there already; choose another name, or say that it may be overwritten.`,
    })
    expect(readFileSync(target, 'utf8')).toBe('mine')
    expect((await crib.artifact(id))!.export_refs).toEqual([])
    await crib.exportArtifact(id, { to: target, overwrite: true })
    expect(readFileSync(target)).toEqual(BYTES)
  })

  it('never follows a link', async () => {
    const mine = join(folder, 'mine')
    writeFileSync(mine, 'mine')
    symlinkSync(mine, target)
    for (const overwrite of [false, true])
      await expect(crib.exportArtifact(id, { to: target, overwrite })).rejects.toThrow(`${target} is a link`)
    symlinkSync(join(folder, 'nowhere'), join(folder, 'dangling'))
    await expect(crib.exportArtifact(id, { to: join(folder, 'dangling') })).rejects.toThrow('is a link')
    expect(readFileSync(mine, 'utf8')).toBe('mine')
    expect(lstatSync(target).isSymbolicLink()).toBe(true)
  })

  it('says what is wrong with the destination', async () => {
    const missing = join(folder, 'no', 'such', 'out.bin')
    await expect(crib.exportArtifact(id, { to: missing })).rejects.toThrow(
      `There is no folder ${join(folder, 'no', 'such')}; make it, or export to another one.`,
    )
    mkdirSync(target)
    await expect(crib.exportArtifact(id, { to: target, overwrite: true })).rejects.toThrow('is not a file')
    expect(statSync(target).isDirectory()).toBe(true)
    await expect(crib.exportArtifact(id, { to: '' })).rejects.toThrow('needs a "to"')
  })

  it('says what is wrong with the artifact', async () => {
    const unknown = await crib.exportArtifact('art_0', { to: target }).catch((error: unknown) => error)
    expect(isArtifactError(unknown)).toBe(true)
    expect(unknown).toMatchObject({
      code: 'toolcrib.artifact_unknown',
      message: 'There is no artifact art_0.',
    })
    await expect(crib.exportArtifact(id, { to: target, version: 2 })).rejects.toThrow(
      `${id} has no version 2; it has 1.`,
    )
    await expect(crib.exportArtifact(id, { to: target, tenant: 'other' })).rejects.toMatchObject({
      code: 'toolcrib.artifact_unknown',
    })
  })
})

describe('on disk', () => {
  async function makeOnDisk() {
    const folder = temporaryFolder()
    const blobs = join(folder, 'blobs')
    const path = join(folder, 'crib.db')
    const made = await make(() => [{ name: 'a.txt', content: 'exactly this' }], {
      options: { store: sqliteStore({ path }), blobs: fileBlobs({ path: blobs }) },
    })
    return { ...made, folder, blobs, path, id: made.result.artifact_refs![0]!.ref_id! }
  }

  it('the crib’s own records cannot be overwritten by an export', async () => {
    const { crib, id, path, blobs } = await makeOnDisk()
    for (const to of [path, `${path}-wal`, join(blobs, 'x')])
      await expect(crib.exportArtifact(id, { to, overwrite: true })).rejects.toThrow("Toolcrib's own places")
  })

  it('bytes that were tampered with are not exported', async () => {
    const { crib, id, folder, blobs } = await makeOnDisk()
    const file = readdirSync(blobs, { recursive: true, withFileTypes: true })
      .filter((each) => each.isFile())
      .map((each) => join(each.parentPath, each.name))
      .find((each) => readFileSync(each, 'utf8') === 'exactly this')!
    writeFileSync(file, 'exactly that')
    const before = readdirSync(folder)
    await expect(crib.exportArtifact(id, { to: join(folder, 'out.txt') })).rejects.toThrow()
    expect(readdirSync(folder)).toEqual(before)
    expect((await crib.artifact(id))!.export_refs).toEqual([])
  })
})

onBothBlobStores('an artifact', (places) => {
  it('is handed off, and the ref always leads to that version', async () => {
    const { crib, result } = await make(() => [{ name: 'a.txt', content: 'first' }], { options: places() })
    const id = result.artifact_refs![0]!.ref_id!
    const handed = await crib.handOffArtifact(id, { to: 'ben', purpose: 'review', by: 'ana' })
    expect(handed).toEqual({
      ref: `toolcrib://artifacts/${id}/handoffs/1`,
      to: 'ben',
      purpose: 'review',
      version: 1,
      at: expect.any(String),
      by: 'ana',
    })
    expect(await crib.handOffArtifact(id, { to: 'cleo' })).toMatchObject({
      ref: `toolcrib://artifacts/${id}/handoffs/2`,
    })
    expect(await crib.resolveRef(handed.ref)).toEqual(handed)
    expect(String(await wholeOf(crib, handed.ref))).toBe('first')
    await expect(crib.handOffArtifact(id, { to: '' })).rejects.toThrow('needs a "to"')
  })

  it('that is removed keeps its record and loses its bytes, unless others need them', async () => {
    const later = 2 * 60 * 60 * 1000
    const { crib, result } = await make(
      () => [
        { name: 'a.txt', content: 'same bytes' },
        { name: 'b.txt', content: 'same bytes' },
        { name: 'c.txt', content: 'other bytes' },
      ],
      { options: { ...places(), clock: () => Date.now() + later } },
    )
    const [a, b, c] = result.artifact_refs!.map((ref) => ({ id: ref.ref_id!, uri: ref.uri! }))
    expect(await crib.removeArtifact(a!.id)).toBe(true)
    expect(await crib.removeArtifact(a!.id)).toBe(false)
    expect(await crib.removeArtifact(c!.id)).toBe(true)
    await expect(crib.read(a!.uri)).rejects.toMatchObject({ code: 'toolcrib.ref_expired' })
    expect(await crib.sweep()).toEqual({ expired: 2, removed: 1, bytes: 11 })
    expect((await crib.artifact(a!.id))!.removed_at).toEqual(expect.any(String))
    expect(String(await wholeOf(crib, b!.uri))).toBe('same bytes')
    expect((await collect(crib.artifacts())).map(({ artifact_id: id }) => id)).toEqual([b!.id])
    await expect(crib.exportArtifact(a!.id, { to: join(temporaryFolder(), 'x') })).rejects.toMatchObject({
      code: 'toolcrib.artifact_gone',
    })
    const types = (await collect(crib.events())).map(({ event_type: type }) => type)
    expect(types.filter((type) => type === 'toolcrib.artifact.removed')).toHaveLength(2)
  })

  it('is not swept as long as it exists', async () => {
    const { crib, result } = await make(() => [{ name: 'a.txt', content: 'stays' }], {
      options: { ...places(), clock: () => Date.now() + 400 * 24 * 60 * 60 * 1000 },
    })
    expect(await crib.sweep()).toEqual({ expired: 0, removed: 0, bytes: 0 })
    expect(String(await wholeOf(crib, result.artifact_refs![0]!.uri!))).toBe('stays')
  })
})

it('expires where the crib sets a retention, and only its record stays', async () => {
  let days = 0
  const { crib, result } = await make(() => [{ name: 'a.txt', content: 'for a week' }], {
    options: {
      clock: () => Date.now() + days * 24 * 60 * 60 * 1000,
      results: { retainDays: { artifact: 7 } },
    },
  })
  const [ref] = result.artifact_refs!
  expect(ref!.expires_at).toEqual(expect.any(String))
  const to = join(temporaryFolder(), 'a.txt')
  days = 8
  await expect(crib.read(ref!.uri!)).rejects.toMatchObject({ code: 'toolcrib.ref_expired' })
  const gone = { code: 'toolcrib.artifact_gone' }
  await expect(crib.exportArtifact(ref!.ref_id!, { to })).rejects.toMatchObject(gone)
  expect(await crib.sweep()).toMatchObject({ expired: 1, removed: 1 })
  await expect(crib.exportArtifact(ref!.ref_id!, { to })).rejects.toMatchObject(gone)
  expect((await crib.artifact(ref!.ref_id!))!.versions).toHaveLength(1)
})

it('is found by tool, session, name, time and tenant', async () => {
  const { crib } = await make(() => [{ name: 'a.txt', content: 'x' }], { options: { store: memoryStore() } })
  const surface = await crib.surface({ scope: 'turn', session: 's2', tenant: 'other' })
  await crib.call(surface, { name: 'make' })
  const count = async (query: Parameters<Crib['artifacts']>[0]) =>
    (await collect(crib.artifacts(query))).length
  expect(await count({ tool: 'make' })).toBe(1)
  expect(await count({ tool: 'local.make', name: 'a.txt', since: Date.now() - 60_000 })).toBe(1)
  expect(await count({ tool: 'other' })).toBe(0)
  expect(await count({ session: 's2' })).toBe(0)
  expect(await count({ session: 's2', tenant: 'other' })).toBe(1)
  expect(await count({ name: 'b.txt' })).toBe(0)
  expect(await count({ since: Date.now() + 60_000 })).toBe(0)
  await expect(count({ nme: 'a' } as never)).rejects.toThrow('did you mean "name"?')
})
