import { SYSTEM_TENANT } from '../storage/store.js'
import { signalOf, type CallRun } from '../pipeline/call-run.js'
import type { Claim } from './claim.js'
import type { Holding, LockWaiter } from './lock-table.js'
import type { Needs, Scheduler } from './scheduler-api.js'
import type { SharedHold } from './shared-locks.js'

const NONE_HELD: SharedHold[] = []

/** What one call holds of locks and slots, here and across processes; let go and taken back while a person is asked. */
export class HeldLocks {
  readonly #run: CallRun
  readonly #scheduler: Scheduler
  readonly #needs: Needs
  #holding: Holding | undefined = undefined
  #held: SharedHold[] = NONE_HELD
  /** Counts how often it was let go or asked for again: an answer to an earlier asking is not heard. */
  #round = 0
  #back: { promise: Promise<void>; resolve(): void; reject(error: unknown): void } | undefined = undefined
  #isOver = false

  constructor(run: CallRun, scheduler: Scheduler, needs: Needs) {
    this.#run = run
    this.#scheduler = scheduler
    this.#needs = needs
  }

  /** Whether everything of this process is held at once; if not, the waiter is told when it is. */
  take(waiter: LockWaiter): boolean {
    this.#holding = this.#scheduler.table.join(this.#needs.claims, waiter, this.#run.row.tenant)
    return this.#holding.isGranted
  }

  get isShared(): boolean {
    return this.#scheduler.sharedLocks !== undefined && this.#needs.shared.length > 0
  }

  /** Takes what other processes must not have meanwhile. */
  async share({ isBack }: { isBack: boolean }): Promise<void> {
    const round = this.#round
    const { tenant, invocationId } = this.#run.row
    const { locks, slots } = this.#parts(isBack)
    // Locks are their tenant's. Places may be counted over all tenants, and come after: nobody waits in a circle.
    for (const [claims, whose] of [[locks, tenant] as const, [slots, SYSTEM_TENANT] as const]) {
      if (claims.length === 0 || this.#isOver) continue
      const about = { tenant: whose, invocationId, signal: signalOf(this.#run) }
      const held = await this.#scheduler.sharedLocks!.take(claims, about)
      if (this.#isOver || round !== this.#round) held.release()
      else this.#held = [...this.#held, held]
    }
  }

  #parts(isBack: boolean): { locks: Claim[]; slots: Claim[] } {
    const locks: Claim[] = []
    const slots: Claim[] = []
    for (const claim of this.#needs.shared) {
      if ('mode' in claim) locks.push(claim)
      // Whoever had a slot and lets it go for a while waits for it again: it was not refused before.
      else slots.push(isBack ? { key: claim.key, width: claim.width } : claim)
    }
    return { locks, slots }
  }

  letGo(): void {
    this.#round++
    this.#holding?.leave()
    this.#holding = undefined
    for (const held of this.#held) held.release()
    this.#held = NONE_HELD
  }

  takeBack(): Promise<void> {
    const back = this.whenBack()
    if (this.#isOver) this.#isBack()
    else this.#askAgain()
    return back
  }

  whenBack(): Promise<void> {
    if (!this.#back) {
      let resolve!: () => void
      let reject!: (error: unknown) => void
      const promise = new Promise<void>((yes, no) => {
        resolve = yes
        reject = no
      })
      this.#back = { promise, resolve, reject }
    }
    return this.#back.promise
  }

  #askAgain(): void {
    const round = ++this.#round
    const isHeard = (): boolean => round === this.#round && !this.#isOver
    const signal = signalOf(this.#run)
    const fail = (error: unknown): void => {
      if (isHeard()) this.#back?.reject(error)
    }
    // A call that is over waits for nothing any more; whoever asked in its name is told.
    signal.addEventListener('abort', () => this.#back?.reject(signal.reason), { once: true })
    const share = async (): Promise<void> => {
      if (this.isShared) await this.share({ isBack: true })
      if (isHeard()) this.#isBack()
    }
    const onGranted = (): void => void (isHeard() && share().catch(fail))
    if (this.take({ onGranted })) onGranted()
  }

  #isBack(): void {
    this.#back?.resolve()
    this.#back = undefined
  }

  /** The call needs nothing of it any more. */
  end(): void {
    this.#isOver = true
    this.letGo()
  }
}
