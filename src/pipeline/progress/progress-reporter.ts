import type { CallRun } from '../call-run.js'
import type { CallState } from '../call-state.js'
import { lastingProgress, mergeProgress, readProgress, type SaidProgress } from './read-progress.js'
import { recordProgress } from './record-progress.js'
import { statedTimeout } from '../execute/timeout-of.js'
import type { ProgressUpdate } from '../../catalog/execute-context.js'

/** Longer waits overflow the timer, which would then fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1

/**
 * Keeps what one executor says on its way: the first word at once, then at most so many a second, and always the last.
 * What comes too soon waits, and is one with whatever else comes until its turn.
 */
export class ProgressReporter {
  readonly #run: CallRun
  readonly #call: Pick<CallState, 'invocationId' | 'startedAt'>
  readonly #everyMs: number
  #known: SaidProgress
  #waiting: SaidProgress | undefined = undefined
  #keptAt = Number.NEGATIVE_INFINITY
  /** Set only while something waits. */
  #timer: NodeJS.Timeout | undefined = undefined

  constructor(call: CallState, run: CallRun, startedAt: number) {
    const { invocationId, request } = call
    this.#run = run
    this.#call = { invocationId, startedAt }
    this.#everyMs = 1000 / run.ports.maxProgressPerSecond
    this.#known = {
      ...(request.runInBackground && { task_id: invocationId }),
      toolcrib: { timeout_ms: statedTimeout(call, run) },
    }
  }

  /** What was said so far and stays true until something else is said. */
  get known(): SaidProgress {
    return this.#known
  }

  say(update: ProgressUpdate): void {
    const said = readProgress(update)
    this.#waiting = this.#waiting ? mergeProgress(this.#waiting, said) : said
    const sinceLast = this.#run.ports.now() - this.#keptAt
    // A clock that was set back tells nothing: better one word too many.
    if (sinceLast < 0 || sinceLast >= this.#everyMs) this.flush()
    else this.#wait(this.#everyMs - sinceLast)
  }

  /** Keeps what waits, for something comes that must stand after it. */
  flush(): void {
    if (!this.#waiting) return
    clearTimeout(this.#timer)
    this.#timer = undefined
    const said = mergeProgress(this.#known, this.#waiting)
    this.#waiting = undefined
    this.#known = lastingProgress(said)
    this.#keptAt = this.#run.ports.now()
    recordProgress(this.#run, this.#call, said)
  }

  #wait(ms: number): void {
    if (this.#timer || ms > MAX_TIMER_MS) return
    this.#timer = setTimeout(() => this.flush(), Math.max(1, Math.ceil(ms)))
    // The call holds the process, if anything does.
    this.#timer.unref()
  }
}
