import { MAX_TIMER_MS } from '../platform/async/max-timer-ms.js'
import type { WaitsFor } from '../contract/describe-wait.js'
import type { ToolError } from '../contract/objects/tool-error.js'
import { moveTo, record } from '../pipeline/record.js'
import type { ScheduledRun } from '../pipeline/schedule/scheduling.js'
import type { CallState } from '../pipeline/call-state.js'
import { canceledStep } from '../pipeline/failures/canceled.js'
import type { ScheduledCall } from '../pipeline/schedule/schedule-state.js'
import { PROCEED, stop, type Later, type Step, type StepListener } from '../pipeline/step.js'
import { unrecordable } from '../pipeline/execute/unrecordable.js'
import type { Admission } from './rate-limits.js'
import { claimWaitedFor } from './claim-waited-for.js'
import { HeldLocks } from './held-locks.js'
import type { LockWaiter } from './lock-table.js'
import type { Needs, Scheduler } from './scheduler-api.js'
import type { BatchSlot, TurnWaiter } from './batch-slot.js'
import { isSlotRefused } from './shared/slot-refused.js'
import type { ConcurrencyWaiter } from './concurrency.js'
import { SESSION_TENANT } from './session-queue.js'

/** The stages before a call runs, in this order. */
const stages = [
  'turn', // earlier calls that it cannot run beside
  'width', // a slot in its own batch, so that a batch that waits delays only itself
  'limits', // no lock is held while a call waits for a limit, and a call that ended earlier is not counted
  'locks', // locks among the sessions of this process
  'shared', // locks among processes
  'go',
] as const

/** `true`: passed. `undefined`: the call waits and is notified. A step: the call ends here. */
type Passed = true | Step | undefined

/** Takes a call through the scheduler, and holds its locks and slots until its executor has ended. */
export class CallSchedule implements ScheduledCall, Later, TurnWaiter, ConcurrencyWaiter, LockWaiter {
  readonly #call: CallState
  readonly #run: ScheduledRun
  readonly #scheduler: Scheduler
  readonly #batchSlot: BatchSlot | undefined
  readonly #needs: Needs
  #stage = 0
  #goOn: StepListener | undefined = undefined
  #timer: NodeJS.Timeout | undefined = undefined
  /** What it waits for now, if that is known. */
  #waitsFor: WaitsFor | undefined = undefined
  /** The name in the last event that says so: a call may wait for the same several times. */
  #recordedWait: string | undefined = undefined
  #hasSlot = false
  #held: HeldLocks | undefined = undefined
  #isAdmitted = false
  #start: number | undefined = undefined
  #hasGone = false
  #hasLeft = false
  wasAlone = true

  constructor(
    call: CallState,
    run: ScheduledRun,
    { scheduler, batchSlot, needs }: { scheduler: Scheduler; batchSlot: BatchSlot | undefined; needs: Needs },
  ) {
    this.#call = call
    this.#run = run
    this.#scheduler = scheduler
    this.#batchSlot = batchSlot
    this.#needs = needs
  }

  /** The step if the call need not wait. Otherwise this object, which reports the step later. */
  enter(): Step | Later {
    const step = this.#advance()
    if (this.#batchSlot || !step) this.#queue()
    return step ?? this
  }

  /** Records that the call waits. A wait that begins later is recorded too, if it is known what the call waits for. */
  #queue(): void {
    const run = this.#run
    const waitsFor = this.#waitsFor
    const data = waitsFor && { waits_for: waitsFor }
    if (run.row.status !== 'queued') moveTo(run, 'queued', 'tool.invocation.queued', data, run.at)
    else if (waitsFor && waitsFor.name !== this.#recordedWait) record(run, 'tool.invocation.queued', data)
    this.#recordedWait = waitsFor?.name ?? this.#recordedWait
  }

  #wait(waitsFor: WaitsFor | undefined): undefined {
    this.#waitsFor = waitsFor
    return undefined
  }

  onStep(listener: StepListener): void {
    this.#goOn = listener
  }

  /** Passes stages until one of them waits or ends the call. */
  #advance(): Step | undefined {
    for (;;) {
      const passed = this.#pass()
      if (passed !== true) return passed
      this.#stage++
    }
  }

  #pass(): Passed {
    switch (stages[this.#stage]!) {
      case 'turn':
        return !this.#batchSlot || this.#takeTurn(this.#batchSlot)
      case 'limits':
        return this.#needs.limits ? this.#checkLimits() : true
      case 'width':
        return !this.#batchSlot || this.#takeSlot(this.#batchSlot)
      case 'locks':
        return this.#needs.claims.length === 0 || this.#takeLocks()
      case 'shared':
        return this.#takeShared()
      case 'go':
        return this.#go()
    }
  }

  #go(): Step {
    const run = this.#run
    // The crib may have started to close while the call waited.
    if (run.ports.isClosing()) run.cancelReason ??= 'runtime_shutdown'
    if (run.cancelReason !== undefined) return canceledStep(run, 'before')
    this.#hasGone = true
    if (this.#batchSlot) this.#start = this.#batchSlot.turn.started()
    return PROCEED
  }

  onTurn(): void {
    this.#onPassed()
  }

  onSlot(): void {
    this.#hasSlot = true
    this.#onPassed()
  }

  onGranted(): void {
    this.#onPassed()
  }

  /** The stage that the call waited for has passed. */
  #onPassed(): void {
    if (this.#hasLeft) return
    this.#stage++
    this.#waitsFor = undefined
    this.#scheduler.defer(this)
  }

  resume(): void {
    if (this.#hasLeft) return
    const step = this.#advance()
    if (step) this.#goOn?.resume(step)
    else this.#queue()
  }

  #checkLimits(): Passed {
    // A call that must not wait for a slot is refused before it is counted.
    const refused = this.#refusedSlot()
    if (refused) return refused
    const admission = this.#needs.limits!.ask(this.#run)
    if (!(admission instanceof Promise)) return this.#takeAdmission(admission)
    admission.then(
      (settled) => this.#afterCheck(this.#takeAdmission(settled)),
      (error) => this.#afterCheck(unrecordable(error, this.#run, 'it could not be counted')),
    )
    return undefined
  }

  #afterCheck(passed: Passed): void {
    if (this.#hasLeft) return
    if (passed === undefined) this.#queue()
    else if (passed === true) this.#onPassed()
    else this.#goOn?.resume(passed)
  }

  #takeAdmission(admission: Admission): Passed {
    if (admission === undefined) {
      this.#isAdmitted = true
      // The call may have been canceled while the limits were checked.
      if (this.#hasLeft) this.#needs.limits!.ended(this.#run, { hasRun: false, error: this.#call.error })
      return true
    }
    if ('refuse' in admission) return this.#refuse(admission.refuse)
    const waitMs = Math.min(admission.waitMs, MAX_TIMER_MS)
    if (!this.#hasLeft) this.#timer = setTimeout(() => this.#afterCheck(this.#checkLimits()), waitMs)
    return this.#wait(admission.waitsFor)
  }

  #takeTurn(batchSlot: BatchSlot): true | undefined {
    if (batchSlot.arrive(this.#call.facts!, this.#run.tool!, this)) return true
    const { holding, locks } = batchSlot
    return this.#wait(claimWaitedFor(holding?.missingClaim, locks, SESSION_TENANT))
  }

  #takeSlot({ turn }: BatchSlot): true | undefined {
    this.#hasSlot = turn.width.take(this)
    const { width } = turn.width
    return this.#hasSlot || this.#wait({ kind: 'limit', name: 'calls of its batch', concurrent: width })
  }

  #takeLocks(): Passed {
    const refused = this.#refusedSlot()
    if (refused) return refused
    this.#held = new HeldLocks(this.#run, this.#scheduler, this.#needs)
    return this.#held.take(this) || this.#wait(this.#held.waitsFor)
  }

  #refusedSlot(): Step | undefined {
    const { table } = this.#scheduler
    for (const claim of this.#needs.claims)
      if ('refuse' in claim && claim.refuse && table.isFull(claim)) return this.#refuse(claim.refuse())
    return undefined
  }

  /** A retry that is refused ends with the error of the attempt before; the message adds why there was no retry. */
  #refuse(refusal: ToolError): Step {
    const { retrying } = this.#run
    if (!retrying) return stop(refusal)
    const { error } = retrying
    const message = `${error.message} It was not tried again: ${refusal.message}`
    return stop({ ...error, message, retry_after: refusal.retry_after ?? error.retry_after ?? null })
  }

  #takeShared(): true | undefined {
    if (!this.#held?.isShared) return true
    this.#held.share({ isAgain: false, onWait: (waitsFor) => this.#onWait(waitsFor) }).then(
      () => this.#onPassed(),
      (error) => this.#afterCheck(isSlotRefused(error) ? this.#refuse(error.refusal) : this.#lockless(error)),
    )
    return undefined
  }

  #onWait(waitsFor: WaitsFor | undefined): void {
    this.#wait(waitsFor)
    if (!this.#hasLeft) this.#queue()
  }

  #lockless(error: unknown): Step {
    return unrecordable(error, this.#run, 'its locks could not be taken')
  }

  releaseLocks(): void {
    this.#held?.release()
  }

  async reacquireLocks(): Promise<void> {
    await this.#held?.reacquire()
  }

  async whenReacquired(): Promise<void> {
    await this.#held?.whenReacquired()
  }

  /** Does not leave the turn: the batch slot does that, because a retry keeps its turn. */
  leave(error: ToolError | undefined): void {
    if (this.#hasLeft) return
    this.#hasLeft = true
    const batchSlot = this.#batchSlot
    if (this.#start !== undefined) this.wasAlone = batchSlot!.turn.ended(this.#start)
    clearTimeout(this.#timer)
    this.#held?.end()
    if (this.#hasSlot) batchSlot!.turn.width.give()
    else if (stages[this.#stage] === 'width') batchSlot?.turn.width.forget(this)
    if (this.#isAdmitted) this.#needs.limits!.ended(this.#run, { hasRun: this.#hasGone, error })
  }
}
