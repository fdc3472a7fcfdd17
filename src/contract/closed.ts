/**
 * A string out of a list that the standard's text closes while its JSON Schema leaves any string.
 * We emit only members of the list; what we read may hold anything, so `toReadSchema` drops the list again.
 */
export function closed<const List extends readonly string[]>(list: List) {
  return { type: 'string', enum: list, 'x-toolcrib-closed': true } as const
}
