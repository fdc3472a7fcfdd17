import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { createHash } from 'node:crypto'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createCrib, defineTool, type Crib, type CribOptions } from 'toolcrib'
import { lazyKeys } from '../../../src/approvals/lazy-keys.js'
import { createBackup } from '../../../src/host/backups/create-backup.js'
import type { BackupFile, BackupManifest } from '../../../src/host/backups/manifest.js'
import { recordPlaceOf, type RecordPlace } from '../../../src/host/backups/record-place.js'
import {
  restoreBackup,
  type RestoredBackup,
  type RestoreOptions,
} from '../../../src/host/backups/restore-backup.js'
import type { CribSettings } from '../../../src/host/crib-settings.js'
import { openBrowserSessions, type BrowserSessions } from '../../../src/host/identities/browser-sessions.js'
import { openConfiguredTokens } from '../../../src/host/identities/configured-tokens.js'
import type { NamedTokens, TokenAuthor } from '../../../src/host/identities/named-tokens.js'
import { openDatabase } from '../../../src/storage/sqlite/open-database.js'
import { make } from '../../crib/records/make-tool.js'
import { collect, createGate } from '../../scenarios/open-crib.js'
import { openTemporaryFolder, type TemporaryFolder } from '../../temporary-folder.js'

const write = defineTool({ name: 'write', description: 'Writes.', execute: () => 'written' })

const settings = (config: CribSettings['config'] = {}): CribSettings => ({
  configPath: undefined,
  trust: { isTrusted: true },
  config,
  hooks: [],
})

const placeAt = (path: string, config?: CribSettings['config']): RecordPlace =>
  recordPlaceOf(settings(config), path)

/** Opens a crib on a store in a file, and closes it afterwards. */
async function using<Value>(
  store: string,
  work: (crib: Crib) => Promise<Value>,
  more: CribOptions = {},
): Promise<Value> {
  const crib = await createCrib({ store, tools: [make, write], results: { maxInlineChars: 50 }, ...more })
  try {
    return await work(crib)
  } finally {
    await crib.close({ graceMs: 0 })
  }
}

async function callIn(
  crib: Crib,
  text: string,
  where: { session?: string; tenant?: string } = {},
): Promise<string> {
  const call = crib.call(await crib.surface({ scope: 'turn', ...where }), { name: 'make', input: { text } })
  await call
  return call.invocationId
}

async function backUp(store: string, folder: string): Promise<BackupManifest> {
  const place = placeAt(store)
  await place.store.open()
  try {
    return await createBackup(place, folder)
  } finally {
    await place.store.close()
  }
}

async function restore(folder: string, store: string, options?: RestoreOptions): Promise<RestoredBackup> {
  const place = placeAt(store)
  try {
    return await restoreBackup(place, folder, options)
  } finally {
    await place.store.close()
  }
}

/** A store with calls of two tenants, and its backup. */
async function prepared(): Promise<{
  folder: TemporaryFolder
  store: string
  backup: string
  target: string
  ids: string[]
}> {
  const folder = openTemporaryFolder()
  const store = folder.file('source/crib.db')
  const ids = await using(store, async (crib) => [
    await callIn(crib, 'one'),
    await callIn(crib, 'two', { session: 's' }),
    await callIn(crib, 'three', { tenant: 'An Odd / Tenant' }),
  ])
  const backup = folder.file('backup')
  await backUp(store, backup)
  return { folder, store, backup, target: folder.file('target/crib.db'), ids }
}

const AUTHOR: TokenAuthor = { by: 'person:olga', actors: [] }

/** The sessions and tokens of a store in a file. */
async function withPeople<Value>(
  path: string,
  work: (people: { sessions: BrowserSessions; tokens: NamedTokens }) => Promise<Value>,
): Promise<Value> {
  const { store } = placeAt(path)
  await store.open()
  const sessions = openBrowserSessions({ store, keys: lazyKeys(store, undefined) })
  const tokens = await openConfiguredTokens(settings(), store)
  try {
    return await work({ sessions, tokens })
  } finally {
    await sessions.close()
    await tokens.close()
    await store.close()
  }
}

const eventsOf = (store: string, tenant = 'default') =>
  using(store, (crib) => collect(crib.events({ tenant })), { tools: [] })

describe('a backup', () => {
  it('restored where there was no store gives exactly the same records, at the same positions', async () => {
    const { store, backup, target, ids } = await prepared()
    expect(await restore(backup, target)).toMatchObject({ isExact: true, calls: 3, blobs: 6, endedCalls: 0 })
    for (const tenant of ['default', 'An Odd / Tenant']) {
      const there = await eventsOf(store, tenant)
      // The catalog of each crib that is opened is recorded too.
      expect((await eventsOf(target, tenant)).slice(0, there.length)).toEqual(there)
    }
    await using(target, async (crib) => {
      const read = await crib.read(`toolcrib://invocations/${ids[0]}/output`)
      expect(JSON.stringify(read)).toContain('one one one')
      expect(await collect(crib.artifacts())).toHaveLength(2)
      const odd = { tenant: 'An Odd / Tenant' }
      expect(await crib.story(ids[2]!, odd)).toBeDefined()
      const ref = `toolcrib://invocations/${ids[2]}/output`
      expect(JSON.stringify(await crib.read(ref, { by: 'lines' }, odd))).toContain('three three')
    })
    expect(readdirSync(dirname(target)).toSorted()).toEqual(['crib.blobs', 'crib.db'])
  })

  it('says what it contains, with the digest of each file, and only this user can read it', async () => {
    const { backup } = await prepared()
    const manifest = JSON.parse(readFileSync(join(backup, 'manifest.json'), 'utf8')) as BackupManifest
    expect(manifest).toMatchObject({
      format: 'toolcrib-backup',
      store: { calls: 3, open_calls: 0 },
      blobs: { kind: 'files', count: 6, missing: 0 },
    })
    for (const { path, sha256, size_bytes: size } of manifest.files) {
      const bytes = readFileSync(join(backup, path))
      expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256)
      expect(bytes.length).toBe(size)
    }
    expect(manifest.files).toHaveLength(7)
    expect(statSync(backup).mode & 0o077).toBe(0)
    expect(statSync(join(backup, 'crib.db')).mode & 0o077).toBe(0)
    expect(readdirSync(backup).toSorted()).toEqual(['blobs', 'crib.db', 'manifest.json'])
  })

  it('is refused in a folder that is not empty, and in the folder of the blobs', async () => {
    const { folder, store, backup } = await prepared()
    const before = readFileSync(join(backup, 'manifest.json'), 'utf8')
    await expect(backUp(store, backup)).rejects.toThrow(/is not empty; name a new folder/)
    expect(readFileSync(join(backup, 'manifest.json'), 'utf8')).toBe(before)
    const inside = folder.file('source/crib.blobs/backup')
    await expect(backUp(store, inside)).rejects.toThrow(/in the folder of the blobs/)
    expect(existsSync(inside)).toBe(false)
    expect(() => placeAt('memory')).toThrow(/has no backups/)
  })

  it('refers to the bucket where the blobs are in one', async () => {
    const { folder, store } = await prepared()
    const bucket = {
      blobs: { kind: 's3', bucket: 'records', endpoint: 'http://127.0.0.1:1', region: 'r' },
    } as const
    const variables = { AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret' }
    Object.assign(process.env, variables)
    try {
      const place = placeAt(store, bucket)
      await place.store.open()
      const manifest = await createBackup(place, folder.file('to-s3'))
      await place.store.close()
      expect(manifest.blobs).toMatchObject({ kind: 's3', count: 0, missing: 0 })
      expect(manifest.blobs.location).toContain('records')
      expect(JSON.stringify(manifest)).not.toContain('secret')
      expect(await restore(folder.file('to-s3'), folder.file('third/crib.db'))).toMatchObject({
        calls: 3,
        blobs: 0,
      })
    } finally {
      for (const name of Object.keys(variables)) delete process.env[name]
    }
  })
})

describe('a restore into a store with records', () => {
  it('adds what is missing and changes nothing, however often', async () => {
    const { backup, target, ids } = await prepared()
    const own = await using(target, async (crib) => {
      await crib.store.write({
        documents: [
          { tenant: 'default', kind: 'session_policy', id: 'kept', updatedAt: 1, value: { own: 1 } },
        ],
      })
      return callIn(crib, 'own')
    })
    const before = await eventsOf(target)
    expect(await restore(backup, target)).toMatchObject({
      isExact: false,
      calls: 3,
      knownCalls: 0,
      blobs: 6,
      endedCalls: 0,
    })
    const after = await eventsOf(target)
    expect(after.slice(0, before.length)).toEqual(before)
    await using(target, async (crib) => {
      for (const id of [own, ids[0]!, ids[1]!]) expect((await crib.result(id))?.status).toBe('succeeded')
      expect(await crib.store.getDocument('default', 'session_policy', 'kept')).toMatchObject({
        value: { own: 1 },
      })
      expect(JSON.stringify(await crib.read(`toolcrib://invocations/${ids[1]}/output`))).toContain('two two')
      const { surface_id: surface } = (await crib.invocation(ids[1]!))!
      expect(await crib.resolveRef(surface!)).toMatchObject({ surface_id: surface })
    })
    const calls = await using(target, (crib) => collect(crib.invocations()))
    expect(await restore(backup, target)).toMatchObject({ calls: 0, knownCalls: 3, documents: 0, blobs: 0 })
    expect(await using(target, (crib) => collect(crib.invocations()))).toEqual(calls)
  })

  it('counts the restored calls in the statistics of the store, once', async () => {
    const { folder, store, target } = await prepared()
    const countIn = (path: string): Promise<number> =>
      using(path, async (crib) => (await crib.statistics()).totals.calls)
    expect(await countIn(store)).toBe(2)
    await backUp(store, folder.file('counted'))
    await using(target, (crib) => callIn(crib, 'own'))
    expect(await countIn(target)).toBe(1)
    await restore(folder.file('counted'), target)
    expect(await countIn(target)).toBe(3)
    const fresh = folder.file('fresh/crib.db')
    await using(fresh, (crib) => callIn(crib, 'own'))
    await restore(folder.file('counted'), fresh)
    expect(await countIn(fresh)).toBe(3)
    const exact = folder.file('exact/crib.db')
    await restore(folder.file('counted'), exact)
    expect(await countIn(exact)).toBe(2)
  })

  it('gives each call the same story as before', async () => {
    const { store, backup, target, ids } = await prepared()
    await using(target, (crib) => callIn(crib, 'own'))
    await restore(backup, target)
    const [there, here] = await Promise.all(
      [store, target].map((path) => using(path, (crib) => crib.story(ids[1]!))),
    )
    expect(here).toEqual(there)
  })

  it('does not bring back what was deleted since', async () => {
    const { store, backup, ids } = await prepared()
    const blobs = join(dirname(store), 'crib.blobs')
    const filesIn = (): string[] =>
      readdirSync(blobs, { recursive: true, encoding: 'utf8' }).filter((name) => /\/[0-9a-f]{64}$/.test(name))
    await using(store, (crib) => crib.deleteRecords({ session: 's', by: 'me' }), {
      clock: () => Date.now() + 7_200_000,
    })
    const left = filesIn()
    expect(left).toHaveLength(5)
    expect(await restore(backup, store)).toMatchObject({
      calls: 0,
      knownCalls: 2,
      deletedCalls: 1,
      documents: 0,
    })
    expect(filesIn()).toEqual(left)
    await using(store, async (crib) => {
      expect(await crib.story(ids[1]!)).toBeUndefined()
      expect(await crib.deletedRecord(ids[1]!)).toMatchObject({ by: 'me' })
      expect(await crib.resolveRef(`toolcrib://invocations/${ids[1]}/output`)).toBeUndefined()
    })
  })

  it('knows in the restored store what was deleted before the backup', async () => {
    const { folder, store, target } = await prepared()
    await using(store, (crib) => crib.deleteRecords({ session: 's', by: 'me' }))
    const [left] = await using(store, (crib) => collect(crib.deletedRecords()))
    const backup = folder.file('after-deletion')
    await backUp(store, backup)
    await using(target, async (crib) => crib.flush())
    for (const path of [target, target, folder.file('exact/crib.db')]) {
      await restore(backup, path)
      expect(await using(path, (crib) => collect(crib.deletedRecords()))).toEqual([left])
    }
  })

  it('does not open sessions of browsers again, and keeps tokens revoked that the store knows as revoked', async () => {
    const { folder, store, backup, target } = await prepared()
    const { id, tokens } = await withPeople(store, async ({ sessions, tokens: all }) => ({
      id: (await sessions.open({ kind: 'token', digest: 'a digest' })).id,
      tokens: await Promise.all(
        ['revoked', 'rotated', 'kept'].map(async (name) => {
          const made = await all.create({ name, roles: ['caller'] }, AUTHOR)
          if (!made.ok) throw new Error(made.message)
          return { name, id: made.record.tokenId, digest: made.record.digest }
        }),
      ),
    }))
    await backUp(store, folder.file('with-people'))
    const [revoked, rotated, kept] = tokens
    await withPeople(store, async ({ sessions, tokens: all }) => {
      await sessions.end(id)
      await all.revoke(revoked!.id, AUTHOR)
      await all.rotate(rotated!.id, AUTHOR)
    })
    expect(await restore(folder.file('with-people'), store)).toMatchObject({ documents: 0, tokens: [] })
    await withPeople(store, async ({ sessions, tokens: all }) => {
      expect(await sessions.find(id)).toBeUndefined()
      expect(tokens.map(({ digest }) => typeof all.find(digest))).toEqual(['string', 'undefined', 'object'])
      expect(await all.create({ name: 'revoked', roles: ['caller'] }, AUTHOR)).toMatchObject({ ok: true })
    })

    // A store that knows nothing of them, with records and without.
    await restore(backup, target)
    for (const path of [target, folder.file('empty/crib.db')]) {
      const names = { tokens: ['revoked', 'rotated', 'kept'] }
      expect(await restore(folder.file('with-people'), path, { withoutTokens: true })).toMatchObject({
        tokens: [],
      })
      await withPeople(path, async ({ sessions, tokens: all }) => {
        expect(all.list()).toEqual([])
        expect(await sessions.find(id)).toBeUndefined()
      })
      expect(await restore(folder.file('with-people'), path)).toMatchObject(names)
      await withPeople(path, async ({ tokens: all }) => expect(all.named('kept')[0]?.tokenId).toBe(kept!.id))
    }
    const taken = folder.file('taken/crib.db')
    await withPeople(taken, ({ tokens: all }) => all.create({ name: 'kept', roles: ['auditor'] }, AUTHOR))
    expect(await restore(folder.file('with-people'), taken)).toMatchObject({ tokens: ['revoked', 'rotated'] })
    await withPeople(taken, async ({ tokens: all }) =>
      expect(all.named('kept')[0]?.roles).toEqual(['auditor']),
    )
  })

  it('ends calls that were running in the backup', async () => {
    const { folder, target } = await prepared()
    const started = createGate()
    const hold = defineTool({
      name: 'hold',
      description: 'Waits.',
      isReadOnly: true,
      isOpenWorld: false,
      async execute() {
        started.open()
        await new Promise(() => {})
      },
    })
    const store = folder.file('running/crib.db')
    const id = await using(
      store,
      async (crib) => {
        const call = crib.call(await crib.surface({ scope: 'turn' }), { name: 'hold' })
        call.catch(() => {})
        await started.promise
        await crib.flush()
        await backUp(store, folder.file('running-backup'))
        return call.invocationId
      },
      { tools: [hold], cancelGraceMs: 10 },
    )
    for (const path of [target, folder.file('source/crib.db')]) {
      expect(await restore(folder.file('running-backup'), path)).toMatchObject({ calls: 1, endedCalls: 1 })
      const result = await using(path, (crib) => crib.result(id))
      expect(result).toMatchObject({ is_error: true, error: { error_code: 'toolcrib.owner_lost' } })
    }
  })

  it('keeps calls that wait for an answer, which go on with the same key', async () => {
    const { folder, target } = await prepared()
    const store = folder.file('waiting/crib.db')
    const asks: CribOptions = { reviewers: ['ann'] }
    const id = await using(
      store,
      async (crib) => {
        const call = crib.call(await crib.surface({ scope: 'turn' }), { name: 'write' })
        call.catch(() => {})
        for await (const event of call) if (event.event_type === 'tool.permission.requested') break
        await crib.flush()
        return call.invocationId
      },
      asks,
    )
    await backUp(store, folder.file('waiting-backup'))
    await using(target, (crib) => callIn(crib, 'own'))
    expect(await restore(folder.file('waiting-backup'), target)).toMatchObject({ calls: 1, endedCalls: 0 })
    await using(
      target,
      async (crib) => {
        const [asked] = await crib.approvals.list()
        await crib.approvals.answer(asked!.approval_id, { approved: true, by: 'ann' })
        expect(await crib.task(id).result()).toMatchObject({ status: 'succeeded' })
      },
      asks,
    )
  })
})

describe('a backup that is damaged, foreign or hostile is refused in one sentence, and changes nothing', () => {
  type Damage = (backup: string, folder: TemporaryFolder) => void

  const changeManifest =
    (change: (manifest: { [key: string]: unknown; files: BackupFile[] }) => void): Damage =>
    (backup) => {
      const path = join(backup, 'manifest.json')
      const manifest = JSON.parse(readFileSync(path, 'utf8')) as { files: BackupFile[] }
      change(manifest as never)
      writeFileSync(path, JSON.stringify(manifest))
    }

  /** Changes the database, and the manifest accordingly, as somebody would who can write to the folder. */
  const changeStore =
    (sql: string): Damage =>
    (backup, folder) => {
      const path = join(backup, 'crib.db')
      const database = openDatabase(path)
      database.exec(sql)
      database.close()
      const bytes = readFileSync(path)
      const sha256 = createHash('sha256').update(bytes).digest('hex')
      changeManifest(({ files }) => {
        files[0] = { path: 'crib.db', sha256, size_bytes: bytes.length }
      })(backup, folder)
    }

  const blobOf = (backup: string): string =>
    join(
      backup,
      (JSON.parse(readFileSync(join(backup, 'manifest.json'), 'utf8')) as BackupManifest).files[1]!.path,
    )

  const damages: Record<string, [Damage, RegExp]> = {
    'no manifest': [(backup) => rmSync(join(backup, 'manifest.json')), /not a complete backup/],
    'half a manifest': [
      (backup) => truncateSync(join(backup, 'manifest.json'), 100),
      /manifest\.json is damaged/,
    ],
    'another program’s manifest': [
      (backup) => writeFileSync(join(backup, 'manifest.json'), '{"name": "app"}'),
      /not the manifest of a backup/,
    ],
    'a later format': [
      changeManifest((manifest) => (manifest['format_version'] = 2)),
      /another version of toolcrib/,
    ],
    'a manifest without files': [changeManifest((manifest) => (manifest.files = [])), /is damaged/],
    'a byte more': [(backup) => appendFileSync(join(backup, 'crib.db'), 'x'), /is damaged.*crib\.db/],
    'no database': [(backup) => rmSync(join(backup, 'crib.db')), /is damaged/],
    'a changed blob': [(backup) => writeFileSync(blobOf(backup), 'something else'), /is damaged/],
    'a missing blob': [(backup) => rmSync(blobOf(backup)), /is damaged/],
    'a blob that is a link': [
      (backup, folder) => {
        const path = blobOf(backup)
        renameSync(path, folder.file('moved'))
        symlinkSync(folder.file('moved'), path)
      },
      /is damaged/,
    ],
    'a folder of blobs that is a link': [
      (backup, folder) => {
        renameSync(dirname(blobOf(backup)), folder.file('moved'))
        symlinkSync(folder.file('moved'), dirname(blobOf(backup)))
      },
      /is damaged/,
    ],
    'all blobs behind a link': [
      (backup, folder) => {
        renameSync(join(backup, 'blobs'), folder.file('moved'))
        symlinkSync(folder.file('moved'), join(backup, 'blobs'))
      },
      /is damaged/,
    ],
    'a database that is a link': [
      (backup, folder) => {
        renameSync(join(backup, 'crib.db'), folder.file('moved'))
        symlinkSync(folder.file('moved'), join(backup, 'crib.db'))
      },
      /is damaged/,
    ],
    'a manifest that is a link': [
      (backup, folder) => {
        renameSync(join(backup, 'manifest.json'), folder.file('moved'))
        symlinkSync(folder.file('moved'), join(backup, 'manifest.json'))
      },
      /not the manifest of a backup/,
    ],
    'a path that leads out of the folder': [
      changeManifest(({ files }) => {
        files[1] = { ...files[1]!, path: '../../outside' }
      }),
      /names "\.\.\/\.\.\/outside", which is no file of a backup/,
    ],
    'an absolute path': [
      changeManifest(({ files }) => files.push({ ...files[0]!, path: '/etc/passwd' })),
      /which is no file of a backup/,
    ],
    'a tenant that leads out of the folder': [
      changeManifest(({ files }) => {
        files[1] = { ...files[1]!, tenant: '../../..' }
      }),
      /which is no file of a backup/,
    ],
    'a digest that is none': [
      changeManifest(({ files }) => {
        files[1] = { ...files[1]!, sha256: '../../../../etc/passwd' }
      }),
      /is damaged/,
    ],
    'a database of another program': [
      (backup, folder) => {
        rmSync(join(backup, 'crib.db'))
        changeStore('CREATE TABLE t (x)')(backup, folder)
      },
      /is not a store of Toolcrib/,
    ],
    'a trigger': [
      changeStore('CREATE TRIGGER t AFTER INSERT ON documents BEGIN DELETE FROM calls; END'),
      /is not a store of Toolcrib/,
    ],
    'a table that is not ours': [changeStore('CREATE TABLE more (x)'), /is not a store of Toolcrib/],
    'a column more': [changeStore('ALTER TABLE calls ADD COLUMN more TEXT'), /is not a store of Toolcrib/],
    'a missing index': [changeStore('DROP INDEX calls_by_time'), /is not a store of Toolcrib/],
    'a newer store': [changeStore('PRAGMA user_version = 999'), /newer toolcrib/],
  }

  it.each(Object.entries(damages))('%s', async (_, [damage, problem]) => {
    const { folder, backup, store, target } = await prepared()
    damage(backup, folder)
    const before = readFileSync(store)
    for (const path of [target, store]) {
      const error = await restore(backup, path).then(
        () => undefined,
        (thrown: unknown) => thrown as Error & { code?: string },
      )
      expect(error?.message).toMatch(problem)
      expect(error?.code).toBe('toolcrib.backup')
    }
    expect(existsSync(target)).toBe(false)
    expect(readFileSync(store).equals(before)).toBe(true)
    expect(readdirSync(dirname(store)).toSorted()).toEqual(['crib.blobs', 'crib.db'])
  })

  it('an old version of the store is restored, and the backup stays as it is', async () => {
    const { folder, backup, target } = await prepared()
    changeStore(
      'DROP INDEX calls_by_time; DROP TABLE document_changes; DROP TABLE deleted_groups; DROP TABLE deleted_calls; PRAGMA user_version = 1',
    )(backup, folder)
    const copy = folder.file('copy')
    cpSync(backup, copy, { recursive: true })
    expect(await restore(backup, target)).toMatchObject({ calls: 3, isExact: true })
    expect(readFileSync(join(backup, 'crib.db')).equals(readFileSync(join(copy, 'crib.db')))).toBe(true)
  })

  it('a backup with sessions of browsers, as older versions wrote them, is restored without them', async () => {
    const { folder, backup, target } = await prepared()
    changeStore("UPDATE documents SET kind = 'browser_session', tenant = 'toolcrib.system'")(backup, folder)
    expect(await restore(backup, target)).toMatchObject({ isExact: true, documents: 0 })
  })

  it('a folder that is missing, or no folder', async () => {
    const { folder, target } = await prepared()
    await expect(restore(folder.file('none'), target)).rejects.toThrow(/There is no folder/)
    mkdirSync(folder.file('empty'))
    await expect(restore(folder.file('empty'), target)).rejects.toThrow(/not a complete backup/)
  })
})
