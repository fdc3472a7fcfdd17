import type { Caller } from '../server/caller.js'

/** The same for all connections and tokens of one caller. */
export function callerKey({ actor, tenant }: Caller): string {
  return JSON.stringify([actor, tenant ?? null])
}
