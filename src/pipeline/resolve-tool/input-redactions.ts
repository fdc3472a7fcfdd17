import { countMasks } from '../../redaction/count-masks.js'
import { compileMask } from '../../redaction/mask-fields.js'
import type { CallRun } from '../call-run.js'
import type { RedactionCounts } from '../secrets/clean.js'

/** How much records do not show of an input: by rule, never what it was. */
export function inputRedactions(input: unknown, { tool, redactor, secrets }: CallRun): RedactionCounts {
  const { sensitiveFields } = tool!.draft.input
  const counts: Record<string, number> = {}
  const masked = compileMask(sensitiveFields)?.(input) ?? input
  const declared = countMasks(masked) - countMasks(input)
  if (declared > 0) counts['declared_field'] = declared
  redactor.value(masked, secrets, {
    add: (rule) => void (counts[rule] = (counts[rule] ?? 0) + 1),
  })
  return counts
}
