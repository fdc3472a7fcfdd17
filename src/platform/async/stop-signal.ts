/**
 * The part of an AbortSignal that tells a listener to stop. Every AbortSignal is one; `createStopSignal` makes one that
 * costs a twentieth of it, for code that runs with every call.
 */
export interface StopSignal {
  readonly aborted: boolean
  readonly reason: unknown
  addEventListener(type: 'abort', listener: StopListener): void
  removeEventListener(type: 'abort', listener: StopListener): void
}

export interface StopListener {
  handleEvent(): void
}

export interface StopController {
  readonly signal: StopSignal
  /** Only the first call counts. */
  stop(reason: unknown): void
}

export function createStopSignal(): StopController {
  return new Stop()
}

// Both in one object: there is one for each call.
class Stop implements StopController, StopSignal {
  aborted = false
  reason: unknown = undefined
  /** Usually one. */
  #listeners: StopListener[] = []

  get signal(): StopSignal {
    return this
  }

  addEventListener(_type: 'abort', listener: StopListener): void {
    if (!this.aborted && !this.#listeners.includes(listener)) this.#listeners.push(listener)
  }

  removeEventListener(_type: 'abort', listener: StopListener): void {
    const at = this.#listeners.indexOf(listener)
    if (at >= 0) this.#listeners.splice(at, 1)
  }

  stop(reason: unknown): void {
    if (this.aborted) return
    this.aborted = true
    this.reason = reason
    const listeners = this.#listeners
    this.#listeners = []
    for (const listener of listeners) listener.handleEvent()
  }
}

export function throwIfStopped(signal: StopSignal | undefined): void {
  if (signal?.aborted) throw signal.reason
}

/** For code that needs a real one, such as a timer of Node. */
export function toAbortSignal(signal: StopSignal): AbortSignal {
  if (signal instanceof AbortSignal) return signal
  const controller = new AbortController()
  if (signal.aborted) controller.abort(signal.reason)
  else signal.addEventListener('abort', { handleEvent: () => controller.abort(signal.reason) })
  return controller.signal
}
