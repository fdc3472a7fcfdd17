import { persistenceReason } from '../../../contract/persistence-reasons.js'
import type { ToolResultPersistence } from '../../../contract/objects/tool-result-persistence.js'

/** One of Toolcrib's reasons as text; reasons of hooks are text already. */
export function reasonText(reason: unknown): string {
  if (typeof reason !== 'string') return 'no reason was given'
  return persistenceReason(reason).replace(/\.$/, '')
}

/** The same inside a text of a record. */
export function withReasonText(text: string): string {
  return text.replace(/: (\w+)$/, (_, reason: string) => `: ${persistenceReason(reason)}`)
}

/** What happened to an output, as one sentence without its period. */
export function describePersistence({ strategy, reason, toolcrib = {} }: ToolResultPersistence): string {
  const why = reasonText(reason)
  const parts = [
    OUTCOME[strategy](why),
    ...lost('the original', toolcrib['original_not_kept']),
    // In this case the reason of the strategy names them already.
    ...(reason?.startsWith('could_not_be_kept')
      ? []
      : lost('pictures and files', toolcrib['parts_not_kept'])),
  ]
  return parts.join('; ')
}

function lost(what: string, why: unknown): string[] {
  return typeof why === 'string' ? [`${what} could not be kept: ${reasonText(why)}`] : []
}

const OUTCOME: Record<ToolResultPersistence['strategy'], (why: string) => string> = {
  inline: (why) => `the result is in the record: ${why}`,
  preview_and_persist: (why) => `all of the result is kept, and a preview was shown: ${why}`,
  ref_only: (why) => `the result is kept, and a reference was shown: ${why}`,
  drop_with_reason: (why) => `not all of the result was kept: ${why}`,
  never_persist: (why) => `the result was given to the caller and not kept: ${why}`,
  redact: (why) => `the result was taken out, in part or as a whole: ${why}`,
}

/** Whether the record lacks the output of the tool. */
export function isNotStored({ strategy, toolcrib }: ToolResultPersistence): boolean {
  if (strategy === 'redact') return toolcrib?.['fields'] === undefined
  return strategy === 'drop_with_reason' || strategy === 'never_persist'
}
