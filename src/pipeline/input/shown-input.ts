import { compileMask } from '../../redaction/mask-fields.js'
import type { CallRun } from '../call-run.js'

/** The input for records and people: declared fields are masked, and other secrets are redacted. */
export function shownInput(input: unknown, { tool, redactor, secrets }: CallRun): unknown {
  const { draft, prepared } = tool!
  const { sensitiveFields } = draft.input
  if (sensitiveFields.length === 0) return redactor.value(input, secrets)
  prepared.mask ??= compileMask(sensitiveFields)!
  return redactor.value(prepared.mask(input), secrets)
}

/** The caller's own id of the call, which must stay recognizable: only known secrets are removed. */
export function shownId(id: string | undefined, { ports, secrets }: CallRun): string | undefined {
  return id === undefined ? undefined : ports.exactRedactor.text(id, secrets)
}
