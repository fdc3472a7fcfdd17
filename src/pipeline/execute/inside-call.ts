import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * The call that the running code belongs to. Shared by all cribs of the process, because a tool may open one of its
 * own.
 */
const current = new AsyncLocalStorage<string | undefined>()

/** Set for child processes of tools. */
const VARIABLE = 'TOOLCRIB_INVOCATION'

/** Marks a tool's own code as such. Danger: in Node 20 this slows every promise from then on. */
export function insideCall<Value>(invocationId: string, work: () => Value): Value {
  return current.run(invocationId, work)
}

/** For host code that is reached from inside a tool: it does not count as the tool's code. */
export function outsideCalls<Value>(work: () => Value): Value {
  return current.getStore() === undefined ? work() : current.run(undefined, work)
}

/** The call that the running code is inside of, in this process or its parent. */
export function currentCall(): string | undefined {
  return current.getStore() ?? (process.env[VARIABLE] || undefined)
}
