import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import {
  createCrib,
  defineTool,
  digestEvents,
  fileBlobs,
  sqliteStore,
  type Crib,
  type CribOptions,
  type Store,
} from 'toolcrib'
import { toolcribDeletedRecordSchema } from '../../../src/contract/objects/toolcrib-deleted-record.js'
import { collect, createGate, onBothStores, openCrib, temporaryStorePath } from '../../scenarios/open-crib.js'
import { openDatabase } from '../../../src/storage/sqlite/open-database.js'
import { documentsOf } from '../../storage/make-records.js'
import { make } from './make-tool.js'
import { temporaryFolder } from '../../temporary-folder.js'

const DAY_MS = 24 * 3_600_000
const START = Date.UTC(2026, 0, 1)

const say = defineTool({
  name: 'say',
  description: 'Says something back.',
  isReadOnly: true,
  isOpenWorld: false,
  input: { jsonSchema: { type: 'object', properties: { text: { type: 'string' } } } },
  execute: (input) => `said ${(input as { text?: string }).text}`,
})

interface Opened {
  crib: Crib
  clock: { now: number }
  call(
    text: string,
    where?: { session?: string; actor?: string; tenant?: string; name?: string },
  ): Promise<string>
}

async function open(store: Store, more: CribOptions = {}): Promise<Opened> {
  const clock = { now: START }
  const crib = await openCrib({ store, tools: [say], clock: () => clock.now, ...more })
  return {
    crib,
    clock,
    async call(text, { name = 'say', ...where } = {}) {
      const call = crib.call(await crib.surface({ scope: 'turn', ...where }), { name, input: { text } })
      await call
      return call.invocationId
    },
  }
}

const idsOf = async (crib: Crib): Promise<string[]> =>
  (await collect(crib.invocations())).map(({ invocation_id: id }) => id)

onBothStores('deleting records', (newStore) => {
  it('deletes calls that began before a time, and leaves a provable record of each', async () => {
    const { crib, clock, call } = await open(newStore())
    const old = await call('the old secret plan')
    clock.now += 10 * DAY_MS
    const young = await call('young')
    const copy = await collect(crib.events({ invocation: old }))
    const before = clock.now - DAY_MS
    clock.now += 5
    expect(await crib.deleteRecords({ before, by: 'ann', dryRun: true })).toMatchObject({
      deleted: 1,
      skippedOpen: 0,
    })
    expect(await idsOf(crib)).toEqual([old, young])
    const outcome = await crib.deleteRecords({ before, by: 'ann', reason: 'too old' })
    expect(outcome).toMatchObject({ deleted: 1, skippedOpen: 0, deletionId: expect.stringMatching(/^del_/) })

    expect(await crib.story(old)).toBeUndefined()
    expect(await crib.resolveRef(`toolcrib://invocations/${old}/inputs/0`)).toBeUndefined()
    expect(await collect(crib.events({ invocation: old }))).toEqual([])
    expect(await idsOf(crib)).toEqual([young])
    const left = (await crib.deletedRecord(old))!
    expect(left).toEqual({
      schema_version: '0.2.0',
      invocation_id: old,
      tenant: 'default',
      tool_id: 'local.say',
      surface_id: expect.stringMatching(/^surface_/),
      status: 'succeeded',
      result_status: 'succeeded',
      created_at: new Date(START).toISOString(),
      ended_at: new Date(START).toISOString(),
      event_count: copy.length,
      content_sha256: digestEvents(copy),
      deletion_id: outcome.deletionId,
      deleted_at: new Date(clock.now).toISOString(),
      by: 'ann',
      reason: 'too old',
    })
    const isValid = new Ajv2020({ strict: false }).compile(toolcribDeletedRecordSchema)
    expect(isValid(left)).toBe(true)
    // Whoever changes the copy cannot prove anything with it.
    expect(digestEvents(copy.slice(1))).not.toBe(left.content_sha256)
    expect(digestEvents(JSON.parse(JSON.stringify(copy)) as typeof copy)).toBe(left.content_sha256)
    expect(await crib.deletedRecord(young)).toBeUndefined()
    expect(await collect(crib.deletedRecords())).toEqual([left])
    expect(await crib.deleteRecords({ before, by: 'ann' })).toMatchObject({ deleted: 0 })
  })

  it('deletes by session and by actor, in one tenant only', async () => {
    const { crib, call } = await open(newStore())
    const ids = {
      one: await call('1', { session: 's1', actor: 'ann' }),
      two: await call('2', { session: 's1', actor: 'bob' }),
      three: await call('3', { session: 's2', actor: 'ann' }),
      elsewhere: await call('4', { session: 's1', actor: 'ann', tenant: 'acme' }),
    }
    expect(await crib.deleteRecords({ session: 's1', actor: 'ann', by: 'me' })).toMatchObject({ deleted: 1 })
    expect(await idsOf(crib)).toEqual([ids.two, ids.three])
    expect(await crib.deleteRecords({ session: 's1', by: 'me' })).toMatchObject({ deleted: 1 })
    expect(await crib.deleteRecords({ actor: 'ann', by: 'me' })).toMatchObject({ deleted: 1 })
    expect(await idsOf(crib)).toEqual([])
    expect(await crib.invocation(ids.elsewhere, { tenant: 'acme' })).toBeDefined()
    expect(await crib.deleteRecords({ session: 's1', tenant: 'acme', by: 'me' })).toMatchObject({
      deleted: 1,
    })
    expect(await crib.deletedRecord(ids.elsewhere)).toBeUndefined()
    expect(await crib.deletedRecord(ids.elsewhere, { tenant: 'acme' })).toMatchObject({ tenant: 'acme' })
  })

  it('deletes in all tenants where that is asked for', async () => {
    const { crib, clock, call } = await open(newStore())
    await call('1')
    await call('2', { tenant: 'acme' })
    await call('3', { tenant: 'initech' })
    clock.now += DAY_MS
    expect(await crib.deleteRecords({ before: clock.now, allTenants: true, by: 'me' })).toMatchObject({
      deleted: 3,
    })
    for (const tenant of ['default', 'acme', 'initech']) {
      const events = await collect(crib.events({ tenant }))
      expect(events.filter(({ event_type: type }) => type === 'toolcrib.record.deleted')).toMatchObject([
        { data: { by: 'me', deleted: 1 } },
      ])
    }
  })

  it('never deletes an open call', async () => {
    const gate = createGate()
    const started = createGate()
    const hold = defineTool({
      name: 'hold',
      description: 'Waits.',
      isReadOnly: true,
      isOpenWorld: false,
      async execute() {
        started.open()
        await gate.promise
        return 'held'
      },
    })
    const { crib, clock } = await open(newStore(), { tools: [hold] })
    const held = crib.call(await crib.surface({ scope: 'turn' }), { name: 'hold' })
    await started.promise
    await crib.flush()
    clock.now += DAY_MS
    const all = { before: clock.now, by: 'me' }
    expect(await crib.deleteRecords({ ...all, dryRun: true })).toMatchObject({ deleted: 0, skippedOpen: 1 })
    expect(await crib.deleteRecords(all)).toMatchObject({ deleted: 0, skippedOpen: 1 })
    gate.open()
    expect((await held).status).toBe('succeeded')
    expect(await crib.deleteRecords(all)).toMatchObject({ deleted: 1, skippedOpen: 0 })
  })

  it('records who deleted how many, and a follower of the log sees every event once', async () => {
    const { crib, clock, call } = await open(newStore())
    for (let index = 0; index < 220; index++) await call(`number ${index}`)
    const stop = new AbortController()
    const seen: string[] = []
    const following = (async () => {
      for await (const event of crib.events({ from: 'now', follow: true, signal: stop.signal })) {
        seen.push(event.event_type)
        if (event.event_type === 'tool.result.created') stop.abort()
      }
    })()
    clock.now += DAY_MS
    await crib.deleteRecords({ before: clock.now, by: 'ann' })
    await call('after the deletion')
    await following
    expect(seen.filter((type) => type === 'toolcrib.record.deleted')).toHaveLength(2)
    expect(seen.filter((type) => type === 'tool.result.created')).toHaveLength(1)
    const told = (await collect(crib.events())).filter(
      ({ event_type: type }) => type === 'toolcrib.record.deleted',
    )
    expect(told.map(({ data }) => data!['deleted'])).toEqual([200, 20])
    expect(new Set(told.map(({ data }) => data!['deletion_id'])).size).toBe(1)
  })

  it('deletes approvals, and the surfaces that no call refers to any more', async () => {
    const write = defineTool({ name: 'write', description: 'Writes.', execute: () => 'written' })
    const { crib, clock, call } = await open(newStore(), {
      tools: [say, write],
      approver: () => ({ approved: true }),
    })
    const first = await call('asked', { session: 's1', name: 'write' })
    const { store } = crib
    expect(await documentsOf(store, 'default', 'approval')).toHaveLength(1)
    const surface = (await crib.invocation(first))!.surface_id!
    // Young surfaces may still be in use.
    expect(await crib.deleteRecords({ session: 's1', by: 'me' })).toMatchObject({ deleted: 1, surfaces: 0 })
    expect(await documentsOf(store, 'default', 'approval')).toEqual([])
    clock.now += 2 * DAY_MS
    await call('young', { session: 's2' })
    const shown = async (): Promise<number> => (await documentsOf(store, 'default', 'loaded_set')).length
    expect(await shown()).toBe(2)
    expect(await crib.deleteRecords({ session: 's1', by: 'me' })).toMatchObject({ deleted: 0, surfaces: 1 })
    expect(await shown()).toBe(1)
    expect(await crib.resolveRef(surface)).toBeUndefined()
    expect(await collect(crib.surfaces({ session: 's1' }))).toEqual([])
    expect(await collect(crib.surfaces())).toHaveLength(1)
    expect(await crib.deleteRecords({ before: clock.now - 1, by: 'me' })).toMatchObject({ surfaces: 0 })
  })

  it('a session that has a younger surface keeps which tools were loaded', async () => {
    const { crib, clock, call } = await open(newStore())
    await call('old', { session: 's1' })
    clock.now += 2 * DAY_MS
    await call('young', { session: 's1' })
    expect(await crib.deleteRecords({ before: clock.now - DAY_MS, by: 'me' })).toMatchObject({
      deleted: 1,
      surfaces: 1,
    })
    expect(await documentsOf(crib.store, 'default', 'loaded_set')).toHaveLength(1)
    expect(await call('goes on', { session: 's1' })).toMatch(/^inv_/)
  })

  it('deletes the records of a batch with its last call, by age', async () => {
    const { crib, clock } = await open(newStore())
    const surface = await crib.surface({ scope: 'session', session: 's' })
    await crib.batch(surface, [{ name: 'say' }, { name: 'say' }])
    clock.now += 5
    const both = await crib.batch(surface, [{ name: 'say' }, { name: 'say' }])
    await crib.flush()
    const batches = async (): Promise<string[]> =>
      (await documentsOf(crib.store, 'default', 'scheduler_policy')).map(({ id }) => id)
    const opened = async (): Promise<number> =>
      (await collect(crib.events())).filter(({ event_type: type }) => type.startsWith('toolcrib.batch.'))
        .length
    const [first, second] = await batches()
    expect(await opened()).toBe(4)
    await crib.deleteRecords({ before: clock.now - 1, by: 'me' })
    expect(await batches()).toEqual([second])
    expect(await opened()).toBe(2)
    expect(await crib.store.readStream('default', first!)).toEqual([])
    expect(both).toHaveLength(2)
    clock.now += 5
    await crib.deleteRecords({ before: clock.now, by: 'me' })
    expect(await batches()).toEqual([])
    expect(await opened()).toBe(0)
  })

  it('keeps the records of a batch of which a call is left', async () => {
    const { crib, clock } = await open(newStore())
    const batch = crib.openBatch(await crib.surface({ scope: 'session', session: 's' }))
    await batch.add({ name: 'say' })
    clock.now += 10
    await batch.add({ name: 'say' })
    await batch.finish()
    expect(await crib.deleteRecords({ before: clock.now, by: 'me' })).toMatchObject({ deleted: 1 })
    expect(await documentsOf(crib.store, 'default', 'scheduler_policy')).toHaveLength(1)
    clock.now += 10
    expect(await crib.deleteRecords({ before: clock.now, by: 'me' })).toMatchObject({ deleted: 1 })
    expect(await documentsOf(crib.store, 'default', 'scheduler_policy')).toEqual([])
  })

  it('deletes stored bytes that nothing else refers to; artifacts stay', async () => {
    const blobs = fileBlobs({ path: join(temporaryFolder(), 'blobs') })
    const ahead = { ms: 0 }
    const { crib, call } = await open(newStore(), {
      tools: [make],
      blobs,
      results: { maxInlineChars: 100 },
      clock: () => Date.now() + ahead.ms,
    })
    const own = await call('own', { name: 'make', session: 'gone' })
    await call('shared', { name: 'make', session: 'gone' })
    const other = await call('shared', { name: 'make', session: 'stays' })
    await crib.flush()
    const kept = async (): Promise<number> => (await collect(blobs.list('default'))).length
    const before = await kept()
    ahead.ms = 3_600_000 * 2
    const outcome = await crib.deleteRecords({ session: 'gone', by: 'me' })
    expect(outcome).toMatchObject({ deleted: 2, bytes: 'own '.repeat(100).length })
    expect(await kept()).toBe(before - 1)
    await expect(crib.read(`toolcrib://invocations/${own}/output`)).rejects.toThrow()
    expect(await crib.read(`toolcrib://invocations/${other}/output`)).toMatchObject({ kind: 'text' })
    expect(await collect(crib.artifacts())).toHaveLength(3)
  })

  it('masks secrets in the words of the person who deletes', async () => {
    const { crib, call } = await open(newStore())
    const id = await call('x', { session: 's' })
    const key = ['ghp', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('_')
    await crib.deleteRecords({ session: 's', by: 'me', reason: `it had ${key}` })
    expect((await crib.deletedRecord(id))!.reason).not.toContain(key)
  })

  it.each([
    [{ by: 'me' }, /needs a "before", a "session" or an "actor"/],
    [{ session: 's' }, /needs a "by"/],
    [{ session: 's', by: '' }, /needs a "by"/],
    [{ before: 'yesterday', by: 'me' }, /"before" must be a Date/],
    [{ sesion: 's', by: 'me' }, /did you mean "session"/],
    [{ session: 's', by: 'me', tenant: 'a', allTenants: true }, /either a "tenant" or "allTenants"/],
  ])('refuses %o', async (options, problem) => {
    const { crib } = await open(newStore())
    await expect(crib.deleteRecords(options as never)).rejects.toThrow(problem)
  })

  it('deletes envelopes by the time of the deletion, with the events about it', async () => {
    const { crib, clock, call } = await open(newStore())
    const early = await call('early', { session: 's1' })
    const late = await call('late', { session: 's2' })
    const stays = await call('stays', { session: 's3' })
    await crib.deleteRecords({ session: 's1', by: 'ann' })
    clock.now += 10 * DAY_MS
    await crib.deleteRecords({ session: 's2', by: 'ann' })
    clock.now += DAY_MS
    const options = { before: clock.now - 5 * DAY_MS, by: 'bob', reason: 'long ago' }
    expect(await crib.deleteEnvelopes({ ...options, dryRun: true })).toEqual({ deleted: 1 })
    expect(await crib.deletedRecord(early)).toBeDefined()
    expect(await crib.deleteEnvelopes(options)).toEqual({
      deletionId: expect.stringMatching(/^del_/) as string,
      deleted: 1,
    })
    expect(await crib.deletedRecord(early)).toBeUndefined()
    expect(await crib.deletedRecord(late)).toMatchObject({ by: 'ann' })
    expect(await crib.story(stays)).toBeDefined()
    const told = (await collect(crib.events())).filter(({ event_type: type }) =>
      type.startsWith('toolcrib.record.'),
    )
    expect(told).toMatchObject([
      { event_type: 'toolcrib.record.deleted', data: { by: 'ann', deleted: 1 } },
      {
        event_type: 'toolcrib.record.envelopes_deleted',
        data: {
          by: 'bob',
          reason: 'long ago',
          deleted: 1,
          deleted_from: new Date(START).toISOString(),
          deleted_to: new Date(START).toISOString(),
        },
      },
    ])
    expect(await crib.deleteEnvelopes(options)).toEqual({ deleted: 0 })
  })

  it('deletes envelopes in one tenant, or in all', async () => {
    const { crib, clock, call } = await open(newStore())
    for (const tenant of ['default', 'acme', 'initech']) await call('1', { tenant })
    clock.now += DAY_MS
    await crib.deleteRecords({ before: clock.now, allTenants: true, by: 'me' })
    clock.now += DAY_MS
    expect(await crib.deleteEnvelopes({ before: clock.now, tenant: 'acme', by: 'me' })).toMatchObject({
      deleted: 1,
    })
    expect(await collect(crib.deletedRecords())).toHaveLength(1)
    expect(await crib.deleteEnvelopes({ before: clock.now, allTenants: true, by: 'me' })).toMatchObject({
      deleted: 2,
    })
    for (const tenant of ['default', 'acme', 'initech']) {
      expect(await collect(crib.deletedRecords({ tenant }))).toEqual([])
      expect(
        (await collect(crib.events({ tenant }))).filter(({ event_type: type }) =>
          type.startsWith('toolcrib.record.'),
        ),
      ).toMatchObject([{ event_type: 'toolcrib.record.envelopes_deleted', data: { deleted: 1 } }])
    }
  })

  it.each([
    [{ by: 'me' }, /needs a "before"/],
    [{ before: 1 }, /needs a "by"/],
    [{ before: Number.NaN, by: 'me' }, /"before" must be a Date/],
    [{ before: 1, by: 'me', session: 's' }, /session/],
    [{ before: 1, by: 'me', tenant: 'a', allTenants: true }, /either a "tenant" or "allTenants"/],
  ])('refuses to delete envelopes by %o', async (options, problem) => {
    const { crib } = await open(newStore())
    await expect(crib.deleteEnvelopes(options as never)).rejects.toThrow(problem)
  })

  it('stops between groups when it is aborted', async () => {
    const { crib, call } = await open(newStore())
    for (let index = 0; index < 220; index++) await call(`${index}`, { session: 's' })
    await crib.flush()
    const abort = new AbortController()
    const stop = crib.store.watch([{ of: 'log' }], () => abort.abort(new Error('enough')))
    await expect(crib.deleteRecords({ session: 's', by: 'me', signal: abort.signal })).rejects.toThrow(
      'enough',
    )
    stop()
    expect(await idsOf(crib)).toHaveLength(20)
    expect(await collect(crib.deletedRecords())).toHaveLength(200)
  })
})

describe('deleting records from a file', () => {
  it('two processes that delete the same calls leave one record of each', async () => {
    const path = temporaryStorePath()
    const { crib, call } = await open(sqliteStore({ path }))
    for (let index = 0; index < 80; index++) await call(`${index}`, { session: 's' })
    const other = await openCrib({ store: sqliteStore({ path }) })
    const outcomes = await Promise.all(
      [crib, other].map((each) => each.deleteRecords({ session: 's', by: 'me' })),
    )
    expect(outcomes[0]!.deleted + outcomes[1]!.deleted).toBe(80)
    expect(await collect(crib.deletedRecords())).toHaveLength(80)
  })

  it('two processes that delete the same envelopes count each once', async () => {
    const path = temporaryStorePath()
    const { crib, clock, call } = await open(sqliteStore({ path }))
    for (let index = 0; index < 60; index++) {
      await call(`${index}`, { session: `s${index}` })
      await crib.deleteRecords({ session: `s${index}`, by: 'me' })
    }
    const other = await openCrib({ store: sqliteStore({ path }) })
    const outcomes = await Promise.all(
      [crib, other].map((each) => each.deleteEnvelopes({ before: clock.now + 1, by: 'me' })),
    )
    expect(outcomes[0]!.deleted + outcomes[1]!.deleted).toBe(60)
    const told = (await collect(crib.events())).filter(({ event_type: type }) =>
      type.startsWith('toolcrib.record.'),
    )
    expect(told.reduce((sum, { data }) => sum + (data!['deleted'] as number), 0)).toBe(60)
  })

  it('a file of calls that are deleted with their envelopes keeps no row of them', async () => {
    const path = temporaryStorePath()
    const { crib, clock, call } = await open(sqliteStore({ path }))
    const rowsOf = (): Record<string, number> => {
      const database = openDatabase(path)
      const tables = ['calls', 'chunks', 'constants', 'documents', 'deleted_groups', 'deleted_calls']
      const counts = tables.map((table): [string, number] => [
        table,
        (database.prepare(`SELECT count(*) AS n FROM ${table}`).get() as { n: number }).n,
      ])
      database.close()
      return Object.fromEntries(counts)
    }
    const round = async (): Promise<Record<string, number>> => {
      const session = `s${clock.now}`
      for (let index = 0; index < 30; index++) await call(`${index}`, { session })
      clock.now += 2 * DAY_MS
      await crib.deleteRecords({ before: clock.now, by: 'me' })
      clock.now += DAY_MS
      await crib.deleteEnvelopes({ before: clock.now, by: 'me' })
      await crib.flush()
      return rowsOf()
    }
    const first = await round()
    const second = await round()
    // The event about the envelopes stays.
    expect(second).toEqual({ ...first, chunks: first['chunks']! + 1 })
    expect(second).toMatchObject({ calls: 0, deleted_groups: 0, deleted_calls: 0 })
  })

  it('a call that is written meanwhile is deleted with its late events', async () => {
    const { crib, call } = await open(sqliteStore({ path: temporaryStorePath() }))
    const id = await call('x', { session: 's' })
    const { store } = crib
    await crib.flush()
    const row = (await store.getCall('default', id))!
    const count = (await collect(crib.events({ invocation: id }))).length
    const readCalls = store.readCalls.bind(store)
    let isWritten = false
    store.readCalls = async (query) => {
      const page = await readCalls(query)
      if (!isWritten) {
        isWritten = true
        const late = ['toolcrib.result.late_answer', 0, { message_id: 'm', answer: 1 }] as const
        await store.write({
          calls: [
            { row: { ...row, revision: row.revision + 1 }, firstSequence: count + 1, events: [...late] },
          ],
        })
      }
      return page
    }
    expect(await crib.deleteRecords({ session: 's', by: 'me' })).toMatchObject({ deleted: 1 })
    expect(await crib.deletedRecord(id)).toMatchObject({ event_count: count + 1 })
  })

  it('leaves no trace of the content in the file', async () => {
    const path = temporaryStorePath()
    const crib = await createCrib({ store: sqliteStore({ path }), tools: [say] })
    const surface = await crib.surface({ scope: 'turn', session: 's' })
    for (let index = 0; index < 50; index++)
      await crib.call(surface, {
        name: 'say',
        input: { text: `marzipan ${index} ${'x'.repeat(index * 300)}` },
      })
    await crib.flush()
    await crib.deleteRecords({ session: 's', by: 'me' })
    await crib.close()
    for (const name of readdirSync(join(path, '..')))
      expect(readFileSync(join(path, '..', name)).includes('marzipan')).toBe(false)
    expect(existsSync(`${path}-wal`)).toBe(false)
  })
})
