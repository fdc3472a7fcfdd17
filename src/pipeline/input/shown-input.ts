import { compileMask } from '../../redaction/mask-fields.js'
import type { CallRun } from '../call-run.js'

/** The input as records and people may have it: without declared fields, and without whatever else is secret in it. */
export function shownInput(input: unknown, { tool, redactor, secrets }: CallRun): unknown {
  const { draft, prepared } = tool!
  const { sensitiveFields } = draft.input
  if (sensitiveFields.length === 0) return redactor.value(input, secrets)
  prepared.mask ??= compileMask(sensitiveFields)!
  return redactor.value(prepared.mask(input), secrets)
}
