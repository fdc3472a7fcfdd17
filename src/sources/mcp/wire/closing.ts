export interface Closing {
  readonly why: string | undefined
  /** Only the first reason counts. */
  close(why: string): boolean
  onClosed(listener: (why: string) => void): void
}

/** Stores why something ended, and notifies each listener once. */
export function createClosing(): Closing {
  let why: string | undefined
  let listeners: ((why: string) => void)[] = []
  return {
    get why() {
      return why
    },
    close(reason) {
      if (why !== undefined) return false
      why = reason
      const notified = listeners
      listeners = []
      for (const listener of notified) listener(reason)
      return true
    },
    onClosed(listener) {
      if (why === undefined) listeners.push(listener)
      else listener(why)
    },
  }
}
