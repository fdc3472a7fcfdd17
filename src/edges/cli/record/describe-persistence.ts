import type { ToolResultPersistence } from '../../../contract/objects/tool-result-persistence.js'

const REASONS: Readonly<Record<string, string>> = {
  declared_for_this_tool: 'its tool wants it so',
  declared_for_this_surface: 'the surface wants it so',
  declared_for_all_results: 'the settings want it so for all results',
  declared_by_policy: 'results are to be kept by reference',
  result_exceeded_inline_limit: 'it is longer than the limit',
  parts_kept_by_reference: 'pictures and files are kept beside it',
  secrets_found: 'it looks like a secret',
}

/** One of Toolcrib's reasons as text; reasons of hooks are text already. */
export function reasonText(reason: unknown): string {
  if (typeof reason !== 'string') return 'no reason was given'
  return (REASONS[reason] ?? reason.replace(/^could_not_be_kept: /, '')).replace(/\.$/, '')
}

/** The same inside a text of a record. */
export function withReasonText(text: string): string {
  return text.replace(/: (\w+)$/, (whole, reason: string) =>
    Object.hasOwn(REASONS, reason) ? `: ${REASONS[reason]}` : whole,
  )
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
