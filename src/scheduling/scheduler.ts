import type { ScheduledRun } from '../pipeline/schedule/scheduling.js'
import type { CallState } from '../pipeline/call-state.js'
import { PROCEED, type Later, type Step } from '../pipeline/step.js'
import type { Claim, Slot } from './claim.js'
import type { RateLimits } from './rate-limits.js'
import { SessionQueue } from './session-queue.js'
import { createLockTable } from './lock-table.js'
import { CallSchedule } from './call-schedule.js'
import { BatchSlot } from './batch-slot.js'
import type { SharedLocks } from './shared-locks.js'
import { Turn } from './turn.js'
import type { Scheduler, Needs } from './scheduler-api.js'

export interface SchedulerParts {
  rateLimits?: RateLimits | undefined
  sharedLocks?: SharedLocks | undefined
}

export function createScheduler({ rateLimits, sharedLocks }: SchedulerParts): Scheduler {
  const queues = new Map<string, SessionQueue>()
  let ready: { resume(): void }[] = []

  function drain(): void {
    const now = ready
    ready = []
    for (const work of now) work.resume()
  }

  const scheduler: Scheduler = {
    table: createLockTable(),
    rateLimits,
    sharedLocks,
    takeTurn: (call, run) => takeTurn(scheduler, call, run),
    openTurn({ tenant, session }, options) {
      if (session === undefined) return new Turn(options, new SessionQueue(), () => {})
      const key = JSON.stringify([tenant, session])
      let queue = queues.get(key)
      if (!queue) queues.set(key, (queue = new SessionQueue()))
      return new Turn(options, queue, () => {
        if (queue.isEmpty && queues.get(key) === queue) queues.delete(key)
      })
    },
    defer(work) {
      if (ready.length === 0) queueMicrotask(drain)
      ready.push(work)
    },
  }
  return scheduler
}

/** A call outside a batch that needs no lock and no limit proceeds immediately. */
function takeTurn(scheduler: Scheduler, call: CallState, run: ScheduledRun): Step | Later {
  const { rateLimits } = scheduler
  const batchSlot = run.slot instanceof BatchSlot ? run.slot : undefined
  const isLimited = rateLimits !== undefined && rateLimits.concerns(run)
  const locks = call.facts!.resource_locks
  const { maxParallel } = run.tool!.draft.execution
  if (!batchSlot && !isLimited && locks === undefined && maxParallel === undefined) return PROCEED
  const needs = needsOf(call, run, { batchSlot, limits: isLimited ? rateLimits : undefined })
  const schedule = new CallSchedule(call, run, { scheduler, batchSlot, needs })
  run.schedule = schedule
  return schedule.enter()
}

const NOTHING: readonly Claim[] = []
const NEEDS_NOTHING: Needs = { limits: undefined, claims: NOTHING, shared: NOTHING }

function needsOf(
  { facts }: CallState,
  run: ScheduledRun,
  { batchSlot, limits }: { batchSlot: BatchSlot | undefined; limits: RateLimits | undefined },
): Needs {
  const tool = run.tool!
  const { maxParallel } = tool.draft.execution
  const locks = facts!.resource_locks ?? NOTHING
  const ofBatch = batchSlot?.turn.locks ?? NOTHING
  const slots = batchSlot?.turn.slotsFor(tool) ?? NOTHING
  const isAlone = !limits && maxParallel === undefined && ofBatch.length === 0 && slots.length === 0
  if (isAlone) return locks.length === 0 ? NEEDS_NOTHING : { limits, claims: locks, shared: locks }
  const shared = [...locks, ...ofBatch, ...(limits?.slots(run) ?? NOTHING)]
  const ofTool = maxParallel === undefined ? NOTHING : [slotOf(tool.toolId, maxParallel)]
  return { limits, claims: [...shared, ...slots, ...ofTool], shared }
}

function slotOf(toolId: string, width: number): Slot {
  return { key: `tool ${toolId}`, width, name: `calls of the tool "${toolId}"` }
}
