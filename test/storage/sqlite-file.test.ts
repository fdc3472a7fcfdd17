import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createCrib, isStoreError, sqliteStore } from 'toolcrib'
import type { ToolcribDeletedRecord } from '../../src/contract/objects/toolcrib-deleted-record.js'
import { openDatabase } from '../../src/storage/sqlite/open-database.js'
import { collect } from '../scenarios/open-crib.js'
import { openTemporaryFolder, type TemporaryFolder } from '../temporary-folder.js'
import { makeCall, makeChunk, positionedLog, wholeLog } from './make-records.js'

const isRoot = process.getuid?.() === 0
if (isRoot) console.log('skipped: the read-only folder, for root may write everywhere')

describe('the file of the SQLite store', () => {
  let place: TemporaryFolder
  let path: string

  beforeEach(() => {
    place = openTemporaryFolder()
    path = place.file('crib.db')
  })

  afterEach(() => place.remove())

  async function openingProblem(at = path): Promise<{ code: string; message: string }> {
    const store = sqliteStore({ path: at })
    try {
      await store.open()
    } catch (error) {
      if (!isStoreError(error)) throw error
      return { code: error.code, message: error.message }
    }
    await store.close()
    return { code: 'opened', message: '' }
  }

  it('is readable by its user alone, and so is its log', async () => {
    const store = sqliteStore({ path })
    await store.open()
    for (const file of [path, `${path}-wal`]) expect(statSync(file).mode & 0o777).toBe(0o600)
    await store.close()
  })

  it('that is no database is refused by name and not changed', async () => {
    const text = 'Dear diary, this is no database.\n'.repeat(100)
    writeFileSync(path, text)
    expect(await openingProblem()).toEqual({
      code: 'toolcrib.store_not_a_database',
      message: `${path} is not a SQLite database; move it away or give the store another path.`,
    })
    expect(readFileSync(path, 'utf8')).toBe(text)
  })

  it('that belongs to another program is refused and not changed in any byte', async () => {
    const foreign = openDatabase(path)
    foreign.exec('CREATE TABLE notes (text TEXT); INSERT INTO notes VALUES (1)')
    foreign.close()
    const before = readFileSync(path)
    expect((await openingProblem()).code).toBe('toolcrib.store_foreign')
    expect(readFileSync(path).equals(before)).toBe(true)
    expect(existsSync(`${path}-wal`)).toBe(false)
  })

  it('that another program marked as its own is refused even when it is empty', async () => {
    const foreign = openDatabase(path)
    foreign.exec('PRAGMA application_id = 1234567; PRAGMA user_version = 3')
    foreign.close()
    expect((await openingProblem()).code).toBe('toolcrib.store_foreign')
  })

  it.each([
    "CREATE TRIGGER t AFTER INSERT ON meta BEGIN UPDATE meta SET value = 'x'; END",
    'CREATE VIEW v AS SELECT 1',
  ])('that does something by itself is refused, for it may have come with a folder: %s', async (sql) => {
    const store = sqliteStore({ path })
    await store.open()
    await store.close()
    const database = openDatabase(path)
    database.exec(sql)
    database.close()
    expect((await openingProblem()).code).toBe('toolcrib.store_foreign')
  })

  it('of the first version is opened with all its content, and migrated to this version', async () => {
    const store = sqliteStore({ path })
    await store.open()
    const document = { tenant: 't1', kind: 'k', id: 'd', updatedAt: 1, value: { n: 1 } }
    await store.write({ calls: [makeCall('inv_1', {}, 2)], chunks: [makeChunk('s')], documents: [document] })
    await store.close()
    // As the first version left it: without later additions.
    const database = openDatabase(path)
    database.exec(
      'DROP INDEX calls_by_time; DROP TABLE document_changes; DROP TABLE deleted_groups; DROP TABLE deleted_calls; PRAGMA user_version = 1',
    )
    database.close()
    const again = sqliteStore({ path })
    await again.open()
    expect(await wholeLog(again)).toEqual(['inv_1#1', 'inv_1#2', 's#1'])
    expect(await again.getDocument('t1', 'k', 'd')).toEqual({ ...document, revision: 1 })
    await again.write({ documents: [{ ...document, value: { n: 2 }, expectedRevision: 1 }] })
    expect(await again.getDocument('t1', 'k', 'd')).toMatchObject({ value: { n: 2 }, revision: 2 })
    await again.close()
  })

  it('with a document of each deleted call, as earlier versions kept them, is opened with what was left of them', async () => {
    const store = sqliteStore({ path })
    await store.open()
    await store.write({ documents: [{ tenant: 't1', kind: 'k', id: 'd', updatedAt: 1, value: 1 }] })
    await store.close()
    const left: ToolcribDeletedRecord[] = Array.from({ length: 230 }, (_, index) => ({
      schema_version: '0.2.0',
      invocation_id: `inv_01m7s0kz73${String(index).padStart(4, '0')}1jc3mmxxem`,
      tenant: index < 20 ? 't1' : 't2',
      tool_id: 'local.say',
      surface_id: `surface_${index % 3}`,
      status: index % 2 === 0 ? 'succeeded' : 'denied',
      ...(index % 2 === 0 && { result_status: 'succeeded' as const }),
      created_at: new Date(1_000_000 + index).toISOString(),
      ...(index % 5 !== 0 && { ended_at: new Date(1_000_000 + index * 9).toISOString() }),
      event_count: index * 40,
      content_sha256: createHash('sha256').update(String(index)).digest('hex'),
      deletion_id: index < 30 ? 'del_1' : 'del_2',
      deleted_at: new Date(2_000_000 + Math.floor(index / 150)).toISOString(),
      by: 'ann',
      ...(index >= 30 && { reason: 'too old' }),
    }))
    const database = openDatabase(path)
    database.exec('DROP TABLE deleted_groups; DROP TABLE deleted_calls; PRAGMA user_version = 6')
    const insert = database.prepare("INSERT INTO documents VALUES (?, 'deleted_record', ?, 1, 1, ?)")
    for (const each of left) insert.run(each.tenant, each.invocation_id, JSON.stringify(each))
    database.close()

    const crib = await createCrib({ store: sqliteStore({ path }), tenant: 't2' })
    expect(await collect(crib.deletedRecords({ tenant: 't1' }))).toEqual(left.slice(0, 20))
    expect(await collect(crib.deletedRecords())).toEqual(left.slice(20))
    for (const each of left.slice(20, 60)) expect(await crib.deletedRecord(each.invocation_id)).toEqual(each)
    expect(await crib.store.getDocument('t1', 'deleted_record', left[0]!.invocation_id)).toBeUndefined()
    expect(await crib.store.getDocument('t1', 'k', 'd')).toBeDefined()
    await crib.close()
  })

  it('of a newer version is refused and not changed', async () => {
    const store = sqliteStore({ path })
    await store.open()
    await store.write({ calls: [makeCall('inv_1')] })
    await store.close()
    const database = openDatabase(path)
    database.exec('PRAGMA user_version = 999')
    database.close()
    const { code, message } = await openingProblem()
    expect(code).toBe('toolcrib.store_newer')
    expect(message).toContain('999')
    const again = openDatabase(path)
    expect(again.prepare('PRAGMA user_version').get()).toEqual({ user_version: 999 })
    expect(again.prepare('SELECT count(*) AS n FROM calls').get()).toEqual({ n: 1 })
    again.close()
  })

  it('may exist already when it is empty', async () => {
    writeFileSync(path, '')
    expect((await openingProblem()).code).toBe('opened')
  })

  it('cannot be a folder', async () => {
    mkdirSync(path)
    const { code, message } = await openingProblem()
    expect(code).toBe('toolcrib.store_unreachable')
    expect(message).toContain(path)
  })

  it('cannot be below a file', async () => {
    writeFileSync(path, '')
    const { code, message } = await openingProblem(`${path}/deeper/crib.db`)
    expect(code).toBe('toolcrib.store_unreachable')
    expect(message).toContain(path)
  })

  it.skipIf(isRoot)('cannot be created in a read-only folder', async () => {
    chmodSync(place.path, 0o500)
    const { code } = await openingProblem()
    chmodSync(place.path, 0o700)
    expect(['toolcrib.store_read_only', 'toolcrib.store_unreachable']).toContain(code)
  })

  it('takes the new ones of many calls, of which some are stored and one is of another owner', async () => {
    const store = sqliteStore({ path })
    await store.open()
    const calls = Array.from({ length: 40 }, (_, n) => makeCall(`inv_${n}`, {}, 3))
    await store.write({ calls: [calls[5]!, makeCall('inv_20', { owner: 'crib_2' }, 2)] })
    expect(await store.write({ calls })).toMatchObject({ conflictingCalls: ['inv_20'] })
    const log = await positionedLog(store)
    expect(log.map(({ position }) => position)).toEqual(log.map((_, index) => index + 1))
    expect(log).toHaveLength(39 * 3 + 2)
    await store.close()
  })

  it('that is truncated or damaged is refused with a code', async () => {
    const store = sqliteStore({ path })
    await store.open()
    await store.write({ calls: Array.from({ length: 200 }, (_, n) => makeCall(`inv_${n}`, {}, 5)) })
    await store.close()
    const database = openDatabase(path)
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    database.close()
    const bytes = readFileSync(path)
    bytes.fill(0x5a, 100)
    writeFileSync(path, bytes)
    expect((await openingProblem()).code).toBe('toolcrib.store_not_a_database')
  })

  it('is one file again after a close', async () => {
    const store = sqliteStore({ path })
    await store.open()
    await store.write({ calls: [makeCall('inv_1')] })
    await store.close()
    expect(existsSync(`${path}-wal`)).toBe(false)
  })

  it('is opened again with all synced content after its process died', async () => {
    const store = sqliteStore({ path })
    await store.open()
    await store.write({ calls: [makeCall('inv_1', {}, 3)], chunks: [makeChunk('s', { count: 2 })] })
    await store.sync()
    // The state after a crash: the file and its log, without the last checkpoint.
    mkdirSync(place.file('after'))
    const copy = place.file('after/crib.db')
    copyFileSync(path, copy)
    copyFileSync(`${path}-wal`, `${copy}-wal`)
    const again = sqliteStore({ path: copy })
    await again.open()
    expect(await wholeLog(again)).toEqual(['inv_1#1', 'inv_1#2', 'inv_1#3', 's#1', 's#2'])
    await again.write({ chunks: [makeChunk('s', { firstSequence: 3 })] })
    expect(await again.lastPosition()).toBe(6)
    await again.close()
    await store.close()
  })

  it('has the whole group or nothing of it when its log was truncated within it', async () => {
    const store = sqliteStore({ path })
    await store.open()
    await store.write({ calls: [makeCall('first')] })
    const whole = readFileSync(`${path}-wal`).length
    await store.write({ calls: Array.from({ length: 60 }, (_, n) => makeCall(`inv_${n}`, {}, 4)) })
    const wal = readFileSync(`${path}-wal`)
    for (const part of [0, 0.3, 0.6, 0.99]) {
      const folder = place.file(`cut_${part}`)
      mkdirSync(folder)
      copyFileSync(path, `${folder}/crib.db`)
      writeFileSync(`${folder}/crib.db-wal`, wal.subarray(0, whole + Math.floor((wal.length - whole) * part)))
      const again = sqliteStore({ path: `${folder}/crib.db` })
      await again.open()
      expect(await wholeLog(again)).toEqual(['first#1'])
      await again.close()
    }
    await store.close()
  })

  it('is written by Node’s own SQLite where there is one: the store opens without a warning', () => {
    const script = `
      const { sqliteStore } = await import(${JSON.stringify(new URL('../../lib/index.js', import.meta.url).href)})
      const store = sqliteStore({ path: ${JSON.stringify(path)} })
      await store.open()
      store.write({ chunks: [] })
      await store.close()
      console.log(store.name, store.location)`
    const said = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
      encoding: 'utf8',
      env: { ...process.env, NODE_OPTIONS: '' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    expect(said).toBe(`sqlite ${path}\n`)
  })
})
