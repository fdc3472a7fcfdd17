import { expect, it } from 'vitest'
import { parseRecord } from '../../src/contract/index.js'
import { sqliteStore, type Crib, type CribOptions } from 'toolcrib'
import { storyLines } from '../../src/edges/cli/record/story-lines.js'
import { createStyles } from '../../src/edges/cli/terminal/styles.js'
import { collect, onBothStores, openCrib, temporaryStorePath } from '../scenarios/open-crib.js'
import { createWorkbench, type Workbench } from './workbench.js'

interface Named {
  readonly name: string
  readonly input?: object
  onWait?(): void
}

const permission = { allow: ['*'] }

async function open(
  options: CribOptions,
  bench = createWorkbench(),
): Promise<{ crib: Crib; bench: Workbench }> {
  return { bench, crib: await openCrib({ tools: bench.tools, permission, ...options }) }
}

/** What the events of a call name, in order. */
async function waitsOf(crib: Crib, invocation: string): Promise<unknown[]> {
  const events = await collect(crib.events({ invocation }))
  for (const event of events) expect(parseRecord('tool_event', event).ok).toBe(true)
  return events
    .filter(({ event_type: type }) => type === 'tool.invocation.queued')
    .flatMap(({ data }) => data?.['waits_for'] ?? [])
}

/** What `toolcrib show` prints. */
async function shown(crib: Crib, invocation: string): Promise<string> {
  const events = await collect(crib.events({ invocation }))
  const view = { style: createStyles(false), columns: 120 }
  return storyLines((await crib.story(invocation))!, events, view).join('\n')
}

/** Starts a call while another one runs that it has to wait for. Returns the id of the later call, once both have ended. */
async function callBehind(
  first: Crib,
  second: Crib,
  bench: Workbench,
  { name, input, onWait }: Named,
): Promise<string> {
  const start = async (crib: Crib, as: string) => {
    const surface = await crib.surface({ actor: 'ann', session: `session of ${as}` })
    return { call: crib.call(surface, { name, input: { ...input, as } }) }
  }
  const { call: running } = await start(first, 'first')
  await bench.started('first')
  bench.gate('second').open()
  const { call: waiting } = await start(second, 'second')
  const id = waiting.invocationId
  await expect.poll(() => waitsOf(second, id), { timeout: 20_000 }).not.toEqual([])
  onWait?.()
  bench.gate('first').open()
  await Promise.all([running, waiting])
  return id
}

onBothStores('the record of a call that waited', (newStore) => {
  it('names the lock, and the timeline how long the call waited for it', async () => {
    const { crib, bench } = await open({ store: newStore() })
    const id = await callBehind(crib, crib, bench, { name: 'locked', input: { keys: ['ledger'] } })
    expect(await waitsOf(crib, id)).toEqual([{ kind: 'lock', name: 'ledger' }])
    expect(await shown(crib, id)).toMatch(/ waited \d+ ms for the lock ledger$/m)
  })

  it('names the limit on calls at the same time', async () => {
    const limits = [{ by: 'tool', of: 'read', concurrent: 1 } as const]
    const { crib, bench } = await open({ store: newStore(), limits })
    const id = await callBehind(crib, crib, bench, { name: 'read' })
    expect(await waitsOf(crib, id)).toEqual([
      { kind: 'limit', name: 'calls of the tool "local.read"', concurrent: 1 },
    ])
    expect(await shown(crib, id)).toMatch(/ for the limit on calls of the tool "local.read" \(1 at once\)$/m)
  })

  it('names the limit on calls a minute, and no other actor', async () => {
    const limits = [{ by: 'actor', of: ['ann', 'bob'], perMinute: 600, burst: 1 } as const]
    let now = Date.UTC(2026, 0, 1)
    const { crib, bench } = await open({ store: newStore(), limits, clock: () => now })
    const onWait = (): void => void (now += 60_000)
    const id = await callBehind(crib, crib, bench, { name: 'read', onWait })
    const name = 'calls by "ann" in the tenant "default"'
    expect(await waitsOf(crib, id)).toEqual([{ kind: 'limit', name, per_minute: 600 }])
    expect(await shown(crib, id)).toMatch(/ for the limit on calls by "ann" .* \(600 a minute\)$/m)
  })

  it('names what the tool itself allows', async () => {
    const { crib, bench } = await open({ store: newStore() })
    const id = await callBehind(crib, crib, bench, { name: 'narrow' })
    expect(await waitsOf(crib, id)).toEqual([
      { kind: 'limit', name: 'calls of the tool "local.narrow"', concurrent: 1 },
    ])
  })

  it('names the limit and the locks of a batch, and nothing where a call only waits for its turn', async () => {
    const { crib, bench } = await open({ store: newStore() })
    for (const as of ['a', 'b', 'c', 'd', 'e', 'f']) bench.gate(as).open()
    const namedBy = async (names: readonly Named[], policy: object) => {
      const surface = await crib.surface({ session: 's' })
      const batch = crib.batch(surface, names as never, policy)
      await batch
      return Promise.all(batch.calls.map(({ invocationId }) => waitsOf(crib, invocationId)))
    }
    const concurrent = await namedBy(
      [
        { name: 'read', input: { as: 'a' } },
        { name: 'read', input: { as: 'b' } },
      ],
      { max_parallel: 1 },
    )
    expect(concurrent).toEqual([[], [{ kind: 'limit', name: 'calls of its batch', concurrent: 1 }]])
    const keys = ['ledger']
    const locked = await namedBy(
      [
        { name: 'locked', input: { as: 'c', keys } },
        { name: 'locked', input: { as: 'd', keys } },
      ],
      {},
    )
    expect(locked).toEqual([[], [{ kind: 'lock', name: 'ledger' }]])
    const inTurn = await namedBy(
      [
        { name: 'write', input: { as: 'e' } },
        { name: 'write', input: { as: 'f' } },
      ],
      {},
    )
    expect(inTurn).toEqual([[], []])
  })
})

it('names the lock that a call of another process holds', async () => {
  const path = temporaryStorePath()
  const { crib: first, bench } = await open({ store: sqliteStore({ path }) })
  const { crib: second } = await open({ store: sqliteStore({ path }) }, bench)
  const id = await callBehind(first, second, bench, { name: 'file_write', input: { path: '/srv/notes' } })
  expect(await waitsOf(second, id)).toEqual([{ kind: 'lock', name: 'path:/srv/notes' }])
})
