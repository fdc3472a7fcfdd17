import { MAX_TIMER_MS } from '../../platform/async/max-timer-ms.js'
import type { ProgressRun } from './progress-ports.js'
import type { CallState } from '../call-state.js'
import { lastingProgress, mergeProgress, readProgress, type ReportedProgress } from './read-progress.js'
import { recordProgress } from './record-progress.js'
import { statedTimeout } from '../execute/timeout-of.js'
import type { ProgressUpdate } from '../../catalog/execute-context.js'

/**
 * Records an executor's progress: the first report at once, then at most so many a second, and always the last. A
 * report that comes too soon waits, and is merged with later ones until then.
 */
export class ProgressReporter {
  readonly #run: ProgressRun
  readonly #call: Pick<CallState, 'invocationId' | 'startedAt'>
  readonly #everyMs: number
  #known: ReportedProgress
  #waiting: ReportedProgress | undefined = undefined
  #keptAt = Number.NEGATIVE_INFINITY
  /** Set only while a report waits. */
  #timer: NodeJS.Timeout | undefined = undefined

  constructor(call: CallState, run: ProgressRun, startedAt: number) {
    const { invocationId, request } = call
    this.#run = run
    this.#call = { invocationId, startedAt }
    this.#everyMs = 1000 / run.ports.maxProgressPerSecond
    this.#known = {
      ...(request.runInBackground && { task_id: invocationId }),
      toolcrib: { timeout_ms: statedTimeout(call, run) },
    }
  }

  /** The fields that stay valid until a report changes them. */
  get known(): ReportedProgress {
    return this.#known
  }

  report(update: ProgressUpdate): void {
    const reported = readProgress(update)
    this.#waiting = this.#waiting ? mergeProgress(this.#waiting, reported) : reported
    const sinceLast = this.#run.ports.now() - this.#keptAt
    // The clock was set back: better to record one report too many.
    if (sinceLast < 0 || sinceLast >= this.#everyMs) this.flush()
    else this.#wait(this.#everyMs - sinceLast)
  }

  /** Records the waiting report before an event that must follow it. */
  flush(): void {
    if (!this.#waiting) return
    clearTimeout(this.#timer)
    this.#timer = undefined
    const reported = mergeProgress(this.#known, this.#waiting)
    this.#waiting = undefined
    this.#known = lastingProgress(reported)
    this.#keptAt = this.#run.ports.now()
    recordProgress(this.#run, this.#call, reported)
  }

  #wait(ms: number): void {
    if (this.#timer || ms > MAX_TIMER_MS) return
    this.#timer = setTimeout(() => this.flush(), Math.max(1, Math.ceil(ms)))
    // The call keeps the process alive, if anything does.
    this.#timer.unref()
  }
}
