import { relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createCrib, isStoreError, openStore, type Store, type StoreConfig } from 'toolcrib'
import { hasRecord } from '../../src/storage/has-record.js'
import { ownPaths } from '../../src/crib/policy/own-paths.js'
import { configuredStore } from '../../src/host/stores/configured-store.js'
import type { CribSettings } from '../../src/host/crib-settings.js'
import { TRUSTED } from '../../src/platform/trust/config-trust.js'
import { openTemporaryFolder, type TemporaryFolder } from '../temporary-folder.js'

let place: TemporaryFolder
let path: string

beforeEach(() => {
  place = openTemporaryFolder()
  path = place.file('crib.db')
})

afterEach(() => place.remove())

describe('a store by its configuration', () => {
  it('is in memory, or the SQLite file that is named, in each spelling', () => {
    for (const memory of ['memory', 'memory:', { kind: 'memory' }] as const)
      expect(openStore(memory)).toMatchObject({ name: 'memory', isEphemeral: true })
    const spellings: (StoreConfig | string)[] = [
      path,
      relative('.', path),
      `sqlite:${path}`,
      pathToFileURL(path).href,
      { kind: 'sqlite', path },
    ]
    for (const spelling of spellings)
      expect(openStore(spelling)).toMatchObject({ name: 'sqlite', location: path })
  })

  it('is not created by naming it: hasRecord creates no file', async () => {
    const store = openStore(path)
    expect(hasRecord(store)).toBe(false)
    expect(store.files()[0]).toBe(path)
    await store.open()
    expect(hasRecord(store)).toBe(true)
    await store.close()
    expect(hasRecord(openStore('memory'))).toBe(false)
  })

  it('is refused with a sentence where there is no such kind', () => {
    expect(() => openStore({ kind: 'mysql' } as unknown as StoreConfig)).toThrow(/kind "mysql"/)
    let problem: unknown
    try {
      openStore('postgres://user:secret@db/crib')
    } catch (error) {
      problem = error
    }
    expect(isStoreError(problem) && problem.code).toBe('toolcrib.store_unreachable')
    expect(String(problem)).not.toContain('secret')
  })

  it('is accepted by createCrib instead of a store', async () => {
    for (const [store, location] of [
      [{ kind: 'sqlite', path }, path],
      [{ kind: 'memory' }, 'memory'],
      [path, path],
      ['memory', 'memory'],
    ] as const) {
      const crib = await createCrib({ store })
      expect(crib.store.location).toBe(location)
      await crib.close()
    }
    for (const wrong of [7, {}, { kind: 'sqlite' }, { kind: 'sqlite', path: 3 }, { kind: 'none' }, null])
      await expect(createCrib({ store: wrong as unknown as StoreConfig })).rejects.toThrow(/"store" must be/)
  })
})

describe('the files of a store', () => {
  it('are not accessible to any tool, also where a store names its own files', () => {
    const own = (store: Store): readonly string[] => ownPaths({ store }).own
    const sqlite = openStore(path)
    for (const file of [path, `${path}-wal`, `${path}-shm`, `${path}-journal`, place.file('crib.blobs')])
      expect(own(sqlite)).toContain(file)
    const other: Store = { ...sqlite, files: () => [place.file('data'), place.file('data.lock')] }
    for (const file of ['data', 'data.lock', 'data.blobs']) expect(own(other)).toContain(place.file(file))
    expect(own(other)).not.toContain(path)
    expect(own(openStore('memory')).filter((file) => file.startsWith(place.path))).toEqual([])
  })
})

describe('the store of a config', () => {
  const settings = (store: CribSettings['config']['store']): CribSettings => ({
    configPath: place.file('toolcrib.yaml'),
    config: { ...(store !== undefined && { store }) },
    trust: TRUSTED,
    hooks: [],
  })

  it('is the one that the config names, or that is given instead', () => {
    expect(configuredStore(settings('memory'))).toEqual({ kind: 'memory' })
    expect(configuredStore(settings({ kind: 'memory' }))).toEqual({ kind: 'memory' })
    expect(configuredStore(settings({ path: './crib.db' }))).toEqual({ kind: 'sqlite', path })
    expect(configuredStore(settings({ kind: 'sqlite', path }))).toEqual({ kind: 'sqlite', path })
    expect(configuredStore(settings(undefined))).toMatchObject({ kind: 'sqlite' })
    expect(configuredStore(settings('memory'), 'other.db')).toEqual({
      kind: 'sqlite',
      path: resolve('other.db'),
    })
    expect(configuredStore(settings({ path }), 'memory')).toEqual({ kind: 'memory' })
  })
})
