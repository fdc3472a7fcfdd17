import { afterEach, expect, it } from 'vitest'
import { defineTool, memoryStore, sqliteStore, type LimitRule, type Store } from 'toolcrib'
import { createPlace } from '../../edges/cli/run-cli.js'
import { createGate, openCrib, temporaryStorePath } from '../../scenarios/open-crib.js'
import { callOf, draft, keeperOn } from './ask-rate-limits.js'

const stores: Store[] = []
afterEach(async () => {
  for (const store of stores.splice(0)) await store.close()
})

async function openStore(path: string): Promise<Store> {
  const store = sqliteStore({ path })
  stores.push(store)
  await store.open()
  return store
}

const limits: LimitRule[] = [
  { by: 'tool', of: 'web.*', perMinute: 3, over: 'refuse' },
  { by: 'actor', perMinute: 60, burst: 1, concurrent: 2 },
  { by: 'tenant', perRun: 5 },
]

const NOW = Date.now()

/** Makes some calls as another process would have made them. */
async function useSome(path: string): Promise<void> {
  const { ask } = keeperOn(await openStore(path), limits, { clock: { now: NOW } })
  for (const name of ['web.fetch', 'web.fetch', 'web.fetch', 'web.search', 'math.add'])
    await ask(callOf(name, { actor: name, session: name === 'math.add' ? 's2' : 's1' }))
}

it('a crib without limits lists none', async () => {
  expect(await (await openCrib()).limits()).toEqual({ limits: [] })
})

it('a crib lists its limits with their defaults', async () => {
  const crib = await openCrib({ store: memoryStore(), limits, breaker: { failures: 2 } })
  expect(await crib.limits()).toEqual({
    limits: [
      { by: ['tool'], of: { tool: ['web.*'] }, perMinute: 3, burst: 3, over: 'refuse', counts: [] },
      {
        by: ['tenant', 'actor'],
        of: {},
        perMinute: 60,
        burst: 1,
        concurrent: 2,
        over: 'wait',
        maxWaitMs: 60_000,
        counts: [],
      },
      { by: ['tenant'], of: {}, perRun: 5, over: 'refuse', counts: [] },
    ],
    breaker: { failures: 2, openMs: 30_000, probes: 1, circuits: [] },
  })
})

it('a crib lists what other processes have used, and the running calls', async () => {
  const path = temporaryStorePath()
  await useSome(path)
  const gate = createGate()
  const started = createGate()
  const wait = defineTool({
    namespace: 'web',
    name: 'wait',
    description: 'Waits.',
    isReadOnly: true,
    isOpenWorld: false,
    execute: () => {
      started.open()
      return gate.promise
    },
  })
  const caller = await openCrib({ store: sqliteStore({ path }), tools: [wait] })
  const call = caller.call(await caller.surface({ scope: 'turn', actor: 'runner' }), { name: 'web.wait' })
  await started.promise
  await caller.flush()
  const crib = await openCrib({
    store: sqliteStore({ path }),
    tools: [draft('web', 'wait')],
    limits,
    clock: () => NOW,
  })
  const [byTool, byActor, byTenant] = (await crib.limits()).limits
  expect(byTool!.counts).toMatchObject([
    { of: { tool: 'web.fetch' }, used: 1 },
    { of: { tool: 'web.search' }, used: 1 },
  ])
  expect(byActor!.counts).toMatchObject([
    { of: { tenant: 'default', actor: 'math.add' }, used: 1, waitMs: 1_000 },
    { of: { tenant: 'default', actor: 'runner' }, running: 1 },
    { of: { tenant: 'default', actor: 'web.fetch' }, used: 1 },
    { of: { tenant: 'default', actor: 'web.search' }, used: 1 },
  ])
  expect(byTenant!.counts).toEqual([
    {
      of: { tenant: 'default' },
      runs: [
        { run: { session: 's1' }, used: 2 },
        { run: { session: 's2' }, used: 1 },
      ],
    },
  ])
  gate.open()
  await call
})

const CONFIG = `tools: [./tools.mjs]
limits:
  - { by: tool, of: [web.*, web.ftch], perMinute: 3, over: refuse }
  - { by: tenant, perRun: 5 }
breaker: { probes: 2 }
`
const TOOLS = `import { defineTool } from '${new URL('../../../lib/index.js', import.meta.url).pathname}'
export default defineTool({ namespace: 'web', name: 'fetch', description: 'Fetches.', execute: () => 'x' })
`

it('the command line shows the same', async () => {
  const slot = createPlace(CONFIG)
  slot.write('tools.mjs', TOOLS)
  const fresh = await slot.run(['limits'])
  expect(fresh).toMatchObject({
    code: 0,
    stderr: 'No tool here is called "web.ftch"; did you mean "web.fetch"?\n',
  })
  expect(fresh.stdout).toBe(`3 a minute by tool, of tool web.*, web.ftch; over it: refuse
  nothing is used
5 a run by tenant; over it: refuse
  nothing is used
after 5 failures in a row a source is left alone for 30 s; then 2 calls try it
  each process that calls has circuits of its own
`)
  const { ask } = keeperOn(
    await openStore(slot.storeFile),
    [
      { by: 'tool', of: ['web.*', 'web.ftch'], perMinute: 3, over: 'refuse' },
      { by: 'tenant', perRun: 5 },
    ],
    { clock: { now: Date.now() } },
  )
  for (let call = 0; call < 2; call++)
    await ask(callOf('web.fetch', { session: 'morning', tenant: 'default' }))
  const { stdout } = await slot.run(['limits'])
  expect(stdout).toMatch(/^ {2}[12] of 3 used of the tool "web\.fetch"$/m)
  expect(stdout).toMatch(/^ {2}2 of 5 in the session morning in the tenant "default"$/m)
  const json = JSON.parse((await slot.run(['limits', '--json'])).stdout) as { limits: unknown[] }
  expect(json).toMatchObject({
    limits: [
      { by: ['tool'], perMinute: 3, counts: [{ of: { tool: 'web.fetch' } }] },
      { perRun: 5, counts: [{ runs: [{ run: { session: 'morning' }, used: 2 }] }] },
    ],
    breaker: { failures: 5, openMs: 30_000, probes: 2, circuits: [] },
  })
})

it('the command line creates no file if nothing was recorded, and reports that there are no limits', async () => {
  const slot = createPlace()
  const { code, stdout, stderr } = await slot.run(['limits'])
  expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
  expect(stderr).toContain('toolcrib.yaml limits nothing; add "limits" or "breaker"')
  expect((await slot.run(['log'])).stderr).toContain('Nothing was recorded yet')
  expect(JSON.parse((await slot.run(['limits', '--json'])).stdout)).toEqual({ limits: [] })
})
