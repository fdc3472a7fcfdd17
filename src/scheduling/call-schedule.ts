import type { ToolError } from '../contract/objects/tool-error.js'
import { moveTo, type CallRun } from '../pipeline/call-run.js'
import type { CallState } from '../pipeline/call-state.js'
import { canceledStep } from '../pipeline/failures/canceled.js'
import type { ScheduledCall } from '../pipeline/schedule/scheduling.js'
import { proceed, stop, type Later, type Step } from '../pipeline/step.js'
import { unrecordable } from '../pipeline/execute/unrecordable.js'
import type { Admission } from './rate-limits.js'
import { HeldLocks } from './held-locks.js'
import type { LockWaiter } from './lock-table.js'
import type { Needs, Scheduler } from './scheduler-api.js'
import type { BatchSlot, TurnWaiter } from './batch-slot.js'
import { isSlotRefused } from './shared/slot-refused.js'
import type { ConcurrencyWaiter } from './concurrency.js'

/** What a call passes on its way to its executor, in this order. */
const stages = [
  'turn', // those before it that it cannot run beside
  'width', // room in its own batch, so that a batch that waits holds up only itself
  'gate', // limits: no lock is held while it waits for them, and what never got so far is not counted
  'locks', // what it shares with other sessions of this process
  'shared', // and with other processes
  'go',
] as const

/** True: passed. Nothing: it waits, and is told when it may go on. A step: it ends here. */
type Passed = true | Step | undefined

/** Longer waits overflow the timer, which would then fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1

/** A call's way through the scheduler, and all that it holds until its executor has ended. */
export class CallSchedule implements ScheduledCall, Later, TurnWaiter, ConcurrencyWaiter, LockWaiter {
  readonly #call: CallState
  readonly #run: CallRun
  readonly #scheduler: Scheduler
  readonly #batchSlot: BatchSlot | undefined
  readonly #needs: Needs
  #stage = 0
  #goOn: ((step: Step) => void) | undefined = undefined
  #timer: NodeJS.Timeout | undefined = undefined
  #hasRoom = false
  #held: HeldLocks | undefined = undefined
  #isLetIn = false
  #start: number | undefined = undefined
  #hasGone = false
  #hasLeft = false
  wasAlone = true

  constructor(
    call: CallState,
    run: CallRun,
    { scheduler, batchSlot, needs }: { scheduler: Scheduler; batchSlot: BatchSlot | undefined; needs: Needs },
  ) {
    this.#call = call
    this.#run = run
    this.#scheduler = scheduler
    this.#batchSlot = batchSlot
    this.#needs = needs
  }

  /** The step when nothing stands in the way, or this pass, which tells it later. */
  enter(): Step | Later {
    if (this.#batchSlot) this.#queue()
    const step = this.#advance()
    if (step) return step
    this.#queue()
    return this
  }

  #queue(): void {
    if (this.#run.row.status !== 'queued')
      moveTo(this.#run, 'queued', 'tool.invocation.queued', undefined, this.#run.at)
  }

  tell(goOn: (step: Step) => void): void {
    this.#goOn = goOn
  }

  /** Goes as far as it can. */
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
        return (
          !this.#batchSlot || this.#batchSlot.arrive(this.#call.facts!, this.#run.tool!, this) || undefined
        )
      case 'gate':
        return this.#needs.limits ? this.#askGate() : true
      case 'width':
        return !this.#batchSlot || this.#takeRoom(this.#batchSlot)
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
    // It may have waited for longer than its crib stays open.
    if (run.ports.isClosing()) run.cancelReason ??= 'runtime_shutdown'
    if (run.cancelReason !== undefined) return canceledStep(run, 'before')
    this.#hasGone = true
    if (this.#batchSlot) this.#start = this.#batchSlot.turn.started()
    return proceed()
  }

  onTurn(): void {
    this.#onPassed()
  }

  onRoom(): void {
    this.#hasRoom = true
    this.#onPassed()
  }

  onGranted(): void {
    this.#onPassed()
  }

  /** What it waited for is there. */
  #onPassed(): void {
    if (this.#hasLeft) return
    this.#stage++
    this.#scheduler.soon(this)
  }

  resume(): void {
    if (this.#hasLeft) return
    const step = this.#advance()
    if (step) this.#goOn?.(step)
  }

  #askGate(): Passed {
    // Whoever is not to wait for a slot is sent away before it is counted.
    const refused = this.#refusedSlot()
    if (refused) return refused
    const admission = this.#needs.limits!.ask(this.#run)
    if (!(admission instanceof Promise)) return this.#takeAdmission(admission)
    admission.then(
      (settled) => this.#afterAsking(this.#takeAdmission(settled)),
      (error) => this.#afterAsking(unrecordable(error, this.#run, 'it could not be counted')),
    )
    return undefined
  }

  #afterAsking(passed: Passed): void {
    if (this.#hasLeft || passed === undefined) return
    if (passed === true) this.#onPassed()
    else this.#goOn?.(passed)
  }

  #takeAdmission(admission: Admission): Passed {
    if (admission === undefined) {
      this.#isLetIn = true
      // It may have been canceled while it was being asked about.
      if (this.#hasLeft) this.#needs.limits!.ended(this.#run, { hasRun: false, error: this.#call.error })
      return true
    }
    if ('refuse' in admission) return this.#refuse(admission.refuse)
    const waitMs = Math.min(admission.waitMs, MAX_TIMER_MS)
    if (!this.#hasLeft) this.#timer = setTimeout(() => this.#afterAsking(this.#askGate()), waitMs)
    return undefined
  }

  #takeRoom({ turn }: BatchSlot): true | undefined {
    this.#hasRoom = turn.width.take(this)
    return this.#hasRoom || undefined
  }

  #takeLocks(): Passed {
    const refused = this.#refusedSlot()
    if (refused) return refused
    this.#held = new HeldLocks(this.#run, this.#scheduler, this.#needs)
    return this.#held.take(this) || undefined
  }

  #refusedSlot(): Step | undefined {
    const { table } = this.#scheduler
    for (const claim of this.#needs.claims)
      if ('refuse' in claim && claim.refuse && table.isFull(claim)) return this.#refuse(claim.refuse())
    return undefined
  }

  /** A call that has run before ends with what that came to; why it was not tried again is said besides. */
  #refuse(refusal: ToolError): Step {
    const { retrying } = this.#run
    if (!retrying) return stop(refusal)
    const { error } = retrying
    const message = `${error.message} It was not tried again: ${refusal.message}`
    return stop({ ...error, message, retry_after: refusal.retry_after ?? error.retry_after ?? null })
  }

  #takeShared(): true | undefined {
    if (!this.#held?.isShared) return true
    this.#held.share({ isBack: false }).then(
      () => this.#onPassed(),
      (error) =>
        this.#afterAsking(isSlotRefused(error) ? this.#refuse(error.refusal) : this.#lockless(error)),
    )
    return undefined
  }

  #lockless(error: unknown): Step {
    return unrecordable(error, this.#run, 'its locks could not be taken')
  }

  letGo(): void {
    this.#held?.letGo()
  }

  async takeBack(): Promise<void> {
    await this.#held?.takeBack()
  }

  async whenBack(): Promise<void> {
    await this.#held?.whenBack()
  }

  /** The turn itself is for the batch slot to leave: a further attempt keeps it. */
  leave(error: ToolError | undefined): void {
    if (this.#hasLeft) return
    this.#hasLeft = true
    const batchSlot = this.#batchSlot
    if (this.#start !== undefined) this.wasAlone = batchSlot!.turn.ended(this.#start)
    clearTimeout(this.#timer)
    this.#held?.end()
    if (this.#hasRoom) batchSlot!.turn.width.give()
    else if (stages[this.#stage] === 'width') batchSlot?.turn.width.forget(this)
    if (this.#isLetIn) this.#needs.limits!.ended(this.#run, { hasRun: this.#hasGone, error })
  }
}
