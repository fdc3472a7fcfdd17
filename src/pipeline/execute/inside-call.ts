import { AsyncLocalStorage } from 'node:async_hooks'

/** Which call the running code belongs to. Shared by all cribs of the process: a tool may open one of its own. */
const current = new AsyncLocalStorage<string | undefined>()

/** Set for children that tools start. */
const VARIABLE = 'TOOLCRIB_INVOCATION'

/** Runs a tool's own code so that it is known for what it is. Danger: in Node 20 this slows every promise from then on. */
export function insideCall<Value>(invocationId: string, work: () => Value): Value {
  return current.run(invocationId, work)
}

/** For the host's own code that is reached from inside a tool: whoever answers in its name stands outside. */
export function outsideCalls<Value>(work: () => Value): Value {
  return current.getStore() === undefined ? work() : current.run(undefined, work)
}

/** The call that the running code is inside of, in this process or as its child. */
export function currentCall(): string | undefined {
  return current.getStore() ?? (process.env[VARIABLE] || undefined)
}
