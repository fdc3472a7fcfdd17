import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  createCrib,
  memoryStore,
  sqliteStore,
  type Batch,
  type Crib,
  type Store,
  type ToolResult,
  type BatchCall,
  type Surface,
} from 'toolcrib'
import { temporaryStorePath } from '../scenarios/open-crib.js'
import { batchPlan, createTools, toCalls, type BatchPlan, type Plan, type Ran } from './batch-plan.js'

const SAFE = new Set(['read', 'safe_write', 'locked_read'])
const READS = new Set(['read', 'context', 'locked_read'])
const REACHED = new Set(['locked_read', 'locked_write', 'path_write'])

const locksOf = ({ plan, path }: Ran & { path?: string }) =>
  plan.tool === 'path_write'
    ? [{ key: `path:${path}`, isWrite: true }]
    : REACHED.has(plan.tool)
      ? plan.keys.map((key) => ({ key, isWrite: plan.tool === 'locked_write' }))
      : []

function locksMeet(a: Ran, b: Ran): boolean {
  return locksOf(a).some((x) =>
    locksOf(b).some(
      (y) =>
        (x.isWrite || y.isWrite) &&
        (x.key === y.key || (x.key.startsWith('path:') && isNested(x.key, y.key))),
    ),
  )
}

const isNested = (a: string, b: string): boolean => a.startsWith(`${b}/`) || b.startsWith(`${a}/`)

/** Whether two calls must not run at the same time, in the simplest form. */
function conflicts(a: Ran, b: Ran, serial: (batch: number) => boolean): boolean {
  if (locksMeet(a, b)) return true
  if (a.session !== b.session) return false
  if (a.plan.tool === 'context' || b.plan.tool === 'context') return true
  if (serial(a.batch) || serial(b.batch)) return true
  if (SAFE.has(a.plan.tool) && SAFE.has(b.plan.tool)) return false
  return !(REACHED.has(a.plan.tool) && REACHED.has(b.plan.tool))
}

const overlap = (a: Ran, b: Ran): boolean => a.start < b.end && b.start < a.end

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

async function interfere(batch: Batch, { after, how }: BatchPlan['interference']): Promise<void> {
  for (let left = after; left > 0; left--) await turn()
  if (how === 'cancel') batch.cancel()
  if (how === 'cancel_one') batch.calls[0]?.cancel()
  if (how.startsWith('interrupt')) batch.interrupt()
  if (how === 'interrupt_twice') batch.interrupt()
}

interface Outcome {
  ran: (Ran & { path?: string })[]
  batches: Batch[]
  results: ToolResult[][]
  yielded: number[][]
}

/** Starts a batch according to its plan. */
function takeIn(crib: Crib, surface: Surface, { intake, policy }: BatchPlan, calls: BatchCall[]): Batch {
  if (intake.how === 'at_once') return crib.batch(surface, calls, policy)
  const batch = crib.openBatch(surface, policy)
  for (const call of calls) batch.add(call)
  const end = async (): Promise<void> => {
    for (let left = intake.after; left > 0; left--) await turn()
    if (intake.how === 'finish') batch.finish()
    else batch.fallback()
  }
  void end()
  return batch
}

/** Starts all batches at once, interferes as planned, and waits for everything. */
async function runAll(crib: Crib, plans: BatchPlan[], ran: Ran[]): Promise<Outcome> {
  const slots: Record<string, number> = {}
  const batches: Batch[] = []
  const reading: Promise<number[]>[] = []
  for (const [number, plan] of plans.entries()) {
    const surface = await crib.surface({ scope: 'turn', session: plan.session })
    const first = (slots[plan.session] ??= 0)
    slots[plan.session]! += plan.plans.length
    const batch = takeIn(crib, surface, plan, toCalls(plan, number, first))
    batches.push(batch)
    reading.push(readResults(batch))
    void interfere(batch, plan.interference)
  }
  const results = await Promise.all(batches)
  return { ran, batches, results, yielded: await Promise.all(reading) }
}

async function readResults(batch: Batch): Promise<number[]> {
  const order: number[] = []
  for await (const item of batch) if (item.kind === 'result') order.push(item.index)
  return order
}

/** Executors that ignored the request to stop may still be running. */
async function settle(ran: Ran[]): Promise<void> {
  while (ran.some(({ end }) => end === Infinity)) await turn()
}

function checkOutcome({ ran, results, yielded }: Outcome, plans: BatchPlan[], detached: Set<string>): void {
  const serial = (batch: number): boolean => plans[batch]!.policy.ordering_policy === 'serial'
  const held = ran.filter(({ batch, index }) => !detached.has(`${batch}/${index}`))
  for (const [index, a] of held.entries()) {
    for (const b of held.slice(index + 1)) {
      if (!conflicts(a, b, serial)) continue
      expect(overlap(a, b), `${JSON.stringify(a)} and ${JSON.stringify(b)} overlap`).toBe(false)
      const [first, second] = a.slot < b.slot ? [a, b] : [b, a]
      if (a.session === b.session) expect(first.end).toBeLessThan(second.start)
    }
  }
  for (const [number, { plans: all, policy, intake }] of plans.entries()) {
    const own = held.filter(({ batch }) => batch === number)
    for (const each of own) {
      for (const needed of each.plan.dependsOn) {
        const before = own.find(({ index }) => index === needed)
        if (before) expect(before.end).toBeLessThan(each.start)
      }
      expect(
        own.filter((other) => other.start <= each.start && other.end > each.start).length,
      ).toBeLessThanOrEqual(policy.max_parallel!)
    }
    expect(results[number]).toHaveLength(all.length)
    // A discarded answer had no effect.
    if (intake.how === 'fallback') expect(own.filter(({ plan }) => !READS.has(plan.tool))).toEqual([])
    const isOrdered =
      policy.ordering_policy !== 'allow_unordered' && policy.yield_policy !== 'unordered_streaming'
    const inOrder = all.map((_, index) => index)
    expect(isOrdered ? yielded[number] : yielded[number]!.toSorted((a, b) => a - b)).toEqual(inOrder)
  }
}

/** Checks the records of every call: one result, and no start after a sibling had canceled it. */
async function checkRecord(crib: Crib, { batches, results }: Outcome): Promise<Set<string>> {
  const detached = new Set<string>()
  for (const [number, batch] of batches.entries()) {
    for (const [index, { invocationId }] of batch.calls.entries()) {
      const events = []
      for await (const event of crib.events({ invocation: invocationId })) events.push(event)
      const types = events.map(({ event_type: type }) => type)
      expect(types.filter((type) => type === 'tool.result.created')).toHaveLength(1)
      const cancelled = types.indexOf('toolcrib.invocation.cancel_requested')
      const started = types.lastIndexOf('tool.invocation.started')
      if (cancelled !== -1) expect(started).toBeLessThan(cancelled)
      if (types.includes('toolcrib.invocation.cancel_failed')) detached.add(`${number}/${index}`)
      const result = results[number]![index]!
      expect(result.invocation_id).toBe(invocationId)
      if (result.error?.error_class === 'sibling_canceled')
        expect(result).toMatchObject({ status: 'synthetic_error', abort_reason: 'sibling_error' })
    }
  }
  return detached
}

const planIn = (input: unknown): Plan => (input as { plan: Plan }).plan

async function holds(store: Store, plans: BatchPlan[]): Promise<void> {
  const ran: Ran[] = []
  const counter = { now: 0 }
  const tools = createTools(ran, counter)
  const crib = await createCrib({
    store,
    tools,
    cancelGraceMs: 1,
    decider: ({ input }) => ({ behavior: planIn(input).askedFor === undefined ? 'allow' : 'ask' }),
    approver: async ({ input }) => {
      for (let left = planIn(input).askedFor!; left > 0; left--) await turn()
      return { approved: true }
    },
  })
  try {
    const outcome = await runAll(crib, plans, ran)
    await settle(ran)
    const detached = await checkRecord(crib, outcome)
    const withPaths = ran.map((each) => ({ ...each, path: plans[each.batch]!.paths[each.index]! }))
    checkOutcome({ ...outcome, ran: withPaths }, plans, detached)
    await nothingIsHeld(crib)
  } finally {
    await crib.close({ graceMs: 0 })
  }
}

/** Every lock was released: one call gets all of them, in every session. */
async function nothingIsHeld(crib: Crib): Promise<void> {
  for (const session of ['s1', 's2', 's3']) {
    const surface = await crib.surface({ scope: 'turn', session })
    const plan = { tool: 'locked_write', keys: ['db:a', 'db:b', 'page:1', 'path:/'], turns: 0, fails: false }
    const [last] = await crib.batch(surface, [{ name: 'locked_write', input: { plan, session } }])
    expect(last!.status).toBe('succeeded')
  }
}

const plansOf = fc.array(batchPlan, { minLength: 1, maxLength: 4 })

describe('random batches with random facts, locks, failures and interference', () => {
  it('keep every guarantee of the scheduler, in memory', async () => {
    await fc.assert(
      fc.asyncProperty(plansOf, (plans) => holds(memoryStore(), plans)),
      { numRuns: 150 },
    )
  }, 120_000)

  it('keep every guarantee of the scheduler, on disk', async () => {
    await fc.assert(
      fc.asyncProperty(plansOf, (plans) => holds(sqliteStore({ path: temporaryStorePath() }), plans)),
      { numRuns: 15 },
    )
  }, 120_000)
})
