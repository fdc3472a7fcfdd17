import { nextState, type ServerEvent, type ServerState } from './server-state.js'

export interface ConditionOptions {
  readonly isDisabled: boolean
  now(): number
  /** It is time to try again. */
  retry(): void
  onChange(isOther: boolean): void
}

/** How a server is: what happened to it, when it is tried again, and whether it was there for once. */
export interface Condition {
  readonly state: ServerState
  readonly isClosed: boolean
  /** Whether it is being connected to for the first time. */
  readonly isPending: boolean
  /** Resolves when it has been connected to or has failed once. */
  readonly settled: Promise<void>
  apply(event: ServerEvent): void
  /** From now on it counts as wanted; whether it was not before. */
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
