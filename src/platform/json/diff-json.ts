import { diffLines } from '../text/diff-lines.js'
import { sameJson } from './same-json.js'

/** The lines of two JSON values, each with `-`, `+` or a space before it. Empty if the values are equal. */
export function diffJson(before: unknown, after: unknown): string[] {
  if (sameJson(before ?? null, after ?? null)) return []
  return diffLines(linesOf(before), linesOf(after))
}

function linesOf(value: unknown): string[] {
  return value === undefined ? [] : JSON.stringify(value, null, 2).split('\n')
}
