import { collectSecrets, SHORTEST_SECRET } from '../../redaction/mask-fields.js'
import type { CallRun } from '../call-run.js'
import type { Cleaned } from './clean.js'

/** Remembers the values of an input's sensitive fields, so that later records do not repeat them. */
export function learnSecrets(run: CallRun, input: unknown): void {
  const { sensitiveFields } = run.tool!.draft.input
  if (sensitiveFields.length === 0) return
  withSecrets(run, collectSecrets(input, sensitiveFields))
}

/** A participant of the call (a hook or the executor) names a secret. */
export function hideSecret(run: CallRun, secret: string): void {
  if (typeof secret === 'string' && secret.length >= SHORTEST_SECRET) withSecrets(run, [secret])
}

export function withSecrets(run: Cleaned, found: readonly string[]): void {
  if (found.length === 0) return
  // Longest first: one secret may contain another.
  run.secrets = [...new Set([...run.secrets, ...found])].sort((a, b) => b.length - a.length)
}
