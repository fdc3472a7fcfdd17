import type { CallRun } from '../pipeline/call-run.js'
import type { CallState } from '../pipeline/call-state.js'
import { proceed, type Later, type Step } from '../pipeline/step.js'
import type { Claim } from './claim.js'
import type { Gatekeeper } from './rate-limits.js'
import { Lane } from './session-queue.js'
import { createLockTable } from './lock-table.js'
import { Pass } from './call-schedule.js'
import { Seat } from './batch-slot.js'
import type { SharedLocks } from './shared-locks.js'
import { Turn } from './turn.js'
import type { Scheduler, Needs } from './scheduler-api.js'

export interface SchedulerParts {
  gatekeeper?: Gatekeeper | undefined
  sharedLocks?: SharedLocks | undefined
}

export function createScheduler({ gatekeeper, sharedLocks }: SchedulerParts): Scheduler {
  const lanes = new Map<string, Lane>()
  let ready: { resume(): void }[] = []

  function drain(): void {
    const now = ready
    ready = []
    for (const work of now) work.resume()
  }

  const scheduler: Scheduler = {
    table: createLockTable(),
    gatekeeper,
    sharedLocks,
    takeTurn: (call, run) => takeTurn(scheduler, call, run),
    openTurn({ tenant, session }, options) {
      if (session === undefined) return new Turn(options, new Lane(), () => {})
      const key = JSON.stringify([tenant, session])
      let lane = lanes.get(key)
      if (!lane) lanes.set(key, (lane = new Lane()))
      return new Turn(options, lane, () => {
        if (lane.isEmpty && lanes.get(key) === lane) lanes.delete(key)
      })
    },
    soon(work) {
      if (ready.length === 0) queueMicrotask(drain)
      ready.push(work)
    },
  }
  return scheduler
}

/** Calls that need nothing and belong to no batch pass without a stop. */
function takeTurn(scheduler: Scheduler, call: CallState, run: CallRun): Step | Later {
  const { gatekeeper } = scheduler
  const seat = run.seat instanceof Seat ? run.seat : undefined
  const isLimited = gatekeeper !== undefined && gatekeeper.concerns(run)
  const locks = call.facts!.resource_locks
  const { maxParallel } = run.tool!.draft.execution
  if (!seat && !isLimited && locks === undefined && maxParallel === undefined) return proceed()
  const needs = needsOf(call, run, { seat, limits: isLimited ? gatekeeper : undefined })
  const pass = new Pass(call, run, { scheduler, seat, needs })
  run.pass = pass
  return pass.enter()
}

const NOTHING: readonly Claim[] = []
const NEEDS_NOTHING: Needs = { limits: undefined, claims: NOTHING, shared: NOTHING }

function needsOf(
  { facts }: CallState,
  run: CallRun,
  { seat, limits }: { seat: Seat | undefined; limits: Gatekeeper | undefined },
): Needs {
  const tool = run.tool!
  const { maxParallel } = tool.draft.execution
  const locks = facts!.resource_locks ?? NOTHING
  const ofBatch = seat?.turn.locks ?? NOTHING
  const places = seat?.turn.placesFor(tool) ?? NOTHING
  const isAlone = !limits && maxParallel === undefined && ofBatch.length === 0 && places.length === 0
  if (isAlone) return locks.length === 0 ? NEEDS_NOTHING : { limits, claims: locks, shared: locks }
  const shared = [...locks, ...ofBatch, ...(limits?.places(run) ?? NOTHING)]
  const ofTool = maxParallel === undefined ? [] : [{ key: `tool ${tool.toolId}`, width: maxParallel }]
  return { limits, claims: [...shared, ...places, ...ofTool], shared }
}
