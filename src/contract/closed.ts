/**
 * A string out of a list that the standard's text closes while its JSON Schema allows any string. We emit only members
 * of the list; records that we read may have any value, so `toReadSchema` drops the list.
 */
export function closed<const List extends readonly string[]>(list: List) {
  return { type: 'string', enum: list, 'x-toolcrib-closed': true } as const
}
