import { nextState, type ServerEvent, type ServerState } from './server-state.js'

export interface ConditionOptions {
  readonly isDisabled: boolean
  now(): number
  /** Called when the next retry is due. */
  retry(): void
  onChange(isOther: boolean): void
}

/** The condition of a server: its state, its retries, and whether it has been available once. */
export interface Condition {
  readonly state: ServerState
  readonly isClosed: boolean
  /** Whether its first connection is still being made. */
  readonly isPending: boolean
  /** Resolves when it has connected or failed once. */
  readonly settled: Promise<void>
  apply(event: ServerEvent): void
  /** Marks the server as wanted; returns whether it was not before. */
  begin(): boolean
  settle(): void
  close(): void
}

export function createCondition({ isDisabled, now, retry, onChange }: ConditionOptions): Condition {
  let state: ServerState = isDisabled ? { is: 'disabled' } : { is: 'idle' }
  let isBegun = false
  let isClosed = false
  let hasSettled = isDisabled
  let retryTimer: NodeJS.Timeout | undefined
  let tellSettled = (): void => {}
  const settled = new Promise<void>((resolve) => (tellSettled = resolve))
  if (hasSettled) tellSettled()

  function settle(): void {
    if (hasSettled || !isBegun) return
    hasSettled = true
    tellSettled()
  }

  return {
    get state() {
      return state
    },
    get isClosed() {
      return isClosed
    },
    get isPending() {
      return state.is === 'connecting' && !hasSettled
    },
    settled,
    apply(event) {
      if (isClosed) return
      const before = state
      state = nextState(state, event)
      clearTimeout(retryTimer)
      if (state.is === 'failed' && state.nextRetryAt !== undefined)
        retryTimer = setTimeout(retry, state.nextRetryAt - now()).unref()
      if (state.is !== 'connecting') settle()
      onChange(before.is !== state.is)
    },
    begin() {
      if (isBegun || isClosed || isDisabled) return false
      isBegun = true
      return true
    },
    settle,
    close() {
      isClosed = true
      clearTimeout(retryTimer)
      if (!isDisabled) state = { is: 'idle' }
      tellSettled()
    },
  }
}
