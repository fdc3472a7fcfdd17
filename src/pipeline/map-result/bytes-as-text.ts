import type { CallRun } from '../call-run.js'

/** All secrets that are known to the call, also as the bytes of their text, each written as one character. */
export function bytesAsText({ secrets, ports }: CallRun): readonly string[] {
  const known = [...secrets, ...ports.liveSecrets.list]
  const asBytes = known.map((secret) => Buffer.from(secret).toString('latin1'))
  return [...new Set([...known, ...asBytes])]
}
