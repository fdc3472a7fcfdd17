import type { ToolError } from '../../contract/objects/tool-error.js'
import { maskLeftSentence, restoreMasked } from '../../approvals/restore-masked.js'
import type { CallRun } from '../call-run.js'
import { shownInput } from './shown-input.js'
import { toolError } from '../failures/tool-error.js'

/**
 * Restores the secrets in a replacement input. Its author may have made it from the redacted input, with masks in place
 * of secrets.
 */
export function restoreInput(
  { present, wanted, by }: { present: unknown; wanted: unknown; by: string },
  run: CallRun,
): { value: unknown } | { error: ToolError } {
  const restored = restoreMasked(present, shownInput(present, run), wanted)
  if ('value' in restored) return restored
  return {
    error: toolError('input_mutation_failed', {
      code: 'toolcrib.mask_in_input',
      message: `The input from ${by} was not taken. ${maskLeftSentence(restored)}`,
    }),
  }
}
