import type { WaitsFor } from '../contract/describe-wait.js'
import { SYSTEM_TENANT } from '../storage/store.js'
import { signalOf } from '../pipeline/cancel-state.js'
import type { ScheduledRun } from '../pipeline/schedule/scheduling.js'
import { claimWaitedFor } from './claim-waited-for.js'
import type { Claim } from './claim.js'
import type { NodeClaim } from './expand-claims.js'
import type { Holding, LockWaiter } from './lock-table.js'
import type { Needs, Scheduler } from './scheduler-api.js'
import type { SharedHold } from './shared-locks.js'

const NONE_HELD: SharedHold[] = []

interface ShareOptions {
  readonly isAgain: boolean
  /** Called while the call waits for another process. */
  readonly onWait?: (waitsFor: WaitsFor | undefined) => void
}

/**
 * The locks and slots of one call, in this process and across processes. They are released while a person is asked and
 * reacquired afterwards.
 */
export class HeldLocks {
  readonly #run: ScheduledRun
  readonly #scheduler: Scheduler
  readonly #needs: Needs
  #holding: Holding | undefined = undefined
  #held: SharedHold[] = NONE_HELD
  /** Increased by each release and reacquisition: an answer to an earlier request is ignored. */
  #round = 0
  #reacquired: { promise: Promise<void>; resolve(): void; reject(error: unknown): void } | undefined =
    undefined
  #isOver = false

  constructor(run: ScheduledRun, scheduler: Scheduler, needs: Needs) {
    this.#run = run
    this.#scheduler = scheduler
    this.#needs = needs
  }

  /** Returns whether all claims in this process are granted now; if not, the waiter is notified later. */
  take(waiter: LockWaiter): boolean {
    this.#holding = this.#scheduler.table.join(this.#needs.claims, waiter, this.#run.row.tenant)
    return this.#holding.isGranted
  }

  /** What it waits for in this process. */
  get waitsFor(): WaitsFor | undefined {
    return claimWaitedFor(this.#holding?.missingClaim, this.#needs.claims, this.#run.row.tenant)
  }

  get isShared(): boolean {
    return this.#scheduler.sharedLocks !== undefined && this.#needs.shared.length > 0
  }

  /** Takes the locks and slots that processes share. */
  async share({ isAgain, onWait }: ShareOptions): Promise<void> {
    const round = this.#round
    const { tenant, invocationId } = this.#run.row
    const { locks, slots } = this.#parts(isAgain)
    // Locks belong to a tenant. Slots may be counted across tenants and are taken after the locks, so there is no
    // deadlock.
    for (const [claims, whose] of [[locks, tenant] as const, [slots, SYSTEM_TENANT] as const]) {
      if (claims.length === 0 || this.#isOver) continue
      const about = {
        tenant: whose,
        invocationId,
        signal: signalOf(this.#run),
        onWait: onWait && ((missing: NodeClaim) => onWait(claimWaitedFor(missing, claims, whose))),
      }
      const held = await this.#scheduler.sharedLocks!.take(claims, about)
      if (this.#isOver || round !== this.#round) held.release()
      else this.#held = [...this.#held, held]
    }
  }

  #parts(isAgain: boolean): { locks: Claim[]; slots: Claim[] } {
    const locks: Claim[] = []
    const slots: Claim[] = []
    for (const claim of this.#needs.shared) {
      if ('mode' in claim) locks.push(claim)
      // A call that released its slot for a while waits for it again instead of being refused.
      else slots.push(isAgain ? { key: claim.key, width: claim.width } : claim)
    }
    return { locks, slots }
  }

  release(): void {
    this.#round++
    this.#holding?.leave()
    this.#holding = undefined
    for (const held of this.#held) held.release()
    this.#held = NONE_HELD
  }

  reacquire(): Promise<void> {
    const back = this.whenReacquired()
    if (this.#isOver) this.#resolveReacquired()
    else this.#takeAgain()
    return back
  }

  whenReacquired(): Promise<void> {
    if (!this.#reacquired) {
      let resolve!: () => void
      let reject!: (error: unknown) => void
      const promise = new Promise<void>((yes, no) => {
        resolve = yes
        reject = no
      })
      this.#reacquired = { promise, resolve, reject }
    }
    return this.#reacquired.promise
  }

  #takeAgain(): void {
    const round = ++this.#round
    const isCurrent = (): boolean => round === this.#round && !this.#isOver
    const signal = signalOf(this.#run)
    const fail = (error: unknown): void => {
      if (isCurrent()) this.#reacquired?.reject(error)
    }
    // A canceled call waits for no lock; the promise of the reacquisition rejects.
    signal.addEventListener('abort', () => this.#reacquired?.reject(signal.reason), { once: true })
    const share = async (): Promise<void> => {
      if (this.isShared) await this.share({ isAgain: true })
      if (isCurrent()) this.#resolveReacquired()
    }
    const onGranted = (): void => void (isCurrent() && share().catch(fail))
    if (this.take({ onGranted })) onGranted()
  }

  #resolveReacquired(): void {
    this.#reacquired?.resolve()
    this.#reacquired = undefined
  }

  /** The call has ended. */
  end(): void {
    this.#isOver = true
    this.release()
  }
}
