import type { CallRun } from '../call-run.js'

/** The id that somebody else gave the call, which must stay as it is: only what is known to be a secret is taken out. */
export function shownId(id: string | undefined, { ports, secrets }: CallRun): string | undefined {
  return id === undefined ? undefined : ports.exactRedactor.text(id, secrets)
}
