/**
 * A node that the standard's JSON Schema does not constrain: its text names the field, or the field is ours. We emit it
 * as written here; records that we read may have any value there.
 */
export function openOnRead<const Node extends object>(node: Node) {
  return { ...node, 'x-toolcrib-open-on-read': true } as const
}
