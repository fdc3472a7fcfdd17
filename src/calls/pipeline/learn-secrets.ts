import { collectSecrets } from '../../foundation/redaction/mask-fields.js'
import type { CallRun } from './call-run.js'

/** Remembers what stands in the sensitive fields of an input, so that nothing the call says afterwards repeats it. */
export function learnSecrets(run: CallRun, input: unknown): void {
  const { sensitiveFields } = run.tool!.draft.input
  if (sensitiveFields.length === 0) return
  const secrets = new Set([...run.secrets, ...collectSecrets(input, sensitiveFields)])
  // Longest first: one may hold another.
  run.secrets = [...secrets].sort((a, b) => b.length - a.length)
}
