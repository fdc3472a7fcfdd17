import type { MappedRun } from './mask-ports.js'

/** All secrets known to the call, also as the bytes of their text with one character per byte. */
export function bytesAsText({ secrets, ports }: MappedRun): readonly string[] {
  const known = [...secrets, ...ports.liveSecrets.list]
  const asBytes = known.map((secret) => Buffer.from(secret).toString('latin1'))
  return [...new Set([...known, ...asBytes])]
}
