import { withoutCursor } from './open-world.mjs'

const HOUR_MS = 3_600_000

/** Notes everything that a crib answers about the calls of a part, and about its whole store. */
export async function readBack(crib, { noted, tenants, isOrdered, clock, put }) {
  for (const { step, invocationId, tenant } of noted) {
    const name = `${step}, read back`
    const note = (label, value) => put(name, label, value)
    const inTenant = tenant === undefined ? {} : { tenant }
    note('id', invocationId)
    await noteEach(crib.events({ invocation: invocationId, ...inTenant }), (event) =>
      note('event', withoutCursor(event)),
    )
    const story = await crib.story(invocationId, inTenant)
    for (const [part, value] of Object.entries(story ?? {})) note(`story, ${part}`, value)
    note('invocation', await crib.invocation(invocationId, inTenant))
    note('stored result', await crib.result(invocationId, inTenant))
    await noteEach(crib.progress(invocationId, inTenant), (progress) => note('progress', progress))
    note('task', await crib.task(invocationId, inTenant).status())
  }
  for (const tenant of [undefined, ...tenants]) await readTenant(crib, { tenant, isOrdered, clock, put })
}

async function readTenant(crib, { tenant, isOrdered, clock, put }) {
  const inTenant = tenant === undefined ? {} : { tenant }
  const note = (label, value) => put(`store, tenant ${tenant}`, label, value)
  const events = []
  await noteEach(crib.events({ from: 'start', ...inTenant }), (event) => events.push(event))
  const cursors = events.map(({ toolcrib }) => Number(toolcrib.cursor.slice(1)))
  note('cursors grow', String(cursors.every((cursor, at) => at === 0 || cursor > cursors[at - 1])))
  for (const stream of streamsOf(events, isOrdered))
    for (const event of stream) note('event of the log', withoutCursor(event))
  await noteEach(crib.invocations(inTenant), (each) => isOrdered && note('listed invocation', each))
  const newest = await crib.invocationPage({ ...inTenant, newestFirst: true, limit: 3 })
  if (isOrdered) note('newest invocations', newest.invocations)
  await noteEach(crib.invocations({ ...inTenant, status: 'failed' }), (each) => note('failed', each.status))
  await noteEach(crib.results(inTenant), (each) => isOrdered && note('listed result', each))
  await noteEach(crib.surfaces(inTenant), (each) => note('listed surface', each))
  await noteEach(crib.artifacts(inTenant), (each) => note('artifact', each))
  await noteEach(crib.tasks(inTenant), (each) => note('open task', each))
  for (const each of await crib.approvals.list(inTenant)) note('approval', each)
  if (isOrdered) await noteRows(crib.store, tenant, note)
  const until = clock.now() + HOUR_MS
  const window = { since: until - 12 * HOUR_MS, until, stepMs: HOUR_MS, waitMs: 10_000 }
  note('statistics', await crib.statistics({ ...inTenant, ...window }))
  note('locks', await crib.locks(inTenant))
}

/**
 * The events that belong to no call, and then the calls in their order. Where in the log the catalog tells of a tool
 * that was added meanwhile depends on how fast the store is.
 */
function streamsOf(events, isOrdered) {
  const others = events.filter(({ invocation_id: id }) => id === undefined)
  if (!isOrdered) return [others]
  const calls = new Map()
  for (const event of events)
    if (event.invocation_id !== undefined)
      calls.set(event.invocation_id, [...(calls.get(event.invocation_id) ?? []), event])
  return [others, ...calls.values()]
}

async function noteRows(store, tenant = 'default', note) {
  const { rows } = await store.listCalls({ tenant, limit: 1000 })
  for (const { revision: _revision, ...row } of rows) note('row', row)
}

async function noteEach(items, note) {
  for await (const item of items) note(item)
}
