const REASONS: Readonly<Record<string, string>> = {
  declared_for_this_tool: 'its tool wants it so',
  declared_for_this_surface: 'the surface wants it so',
  declared_for_all_results: 'the settings want it so for all results',
  declared_by_policy: 'results are to be kept by reference',
  result_exceeded_inline_limit: 'it is longer than the limit',
  parts_kept_by_reference: 'pictures and files are kept beside it',
  secrets_found: 'it looks like a secret',
}

/** Why a result is kept or not, for people; reasons of hooks are text already. */
export function persistenceReason(reason: string): string {
  return REASONS[reason] ?? reason.replace(/^could_not_be_kept: /, '')
}
