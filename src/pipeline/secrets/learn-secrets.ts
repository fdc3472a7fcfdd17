import { collectSecrets, SHORTEST_SECRET } from '../../redaction/mask-fields.js'
import type { CallRun } from '../call-run.js'

/** Remembers what stands in the sensitive fields of an input, so that nothing the call says afterwards repeats it. */
export function learnSecrets(run: CallRun, input: unknown): void {
  const { sensitiveFields } = run.tool!.draft.input
  if (sensitiveFields.length === 0) return
  withSecrets(run, collectSecrets(input, sensitiveFields))
}

/** Somebody who takes part in the call says what must not be told of it. */
export function hideSecret(run: CallRun, secret: string): void {
  if (typeof secret === 'string' && secret.length >= SHORTEST_SECRET) withSecrets(run, [secret])
}

export function withSecrets(run: CallRun, found: readonly string[]): void {
  if (found.length === 0) return
  // Longest first: one may hold another.
  run.secrets = [...new Set([...run.secrets, ...found])].sort((a, b) => b.length - a.length)
}
