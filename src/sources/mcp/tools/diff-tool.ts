import { isJsonObject, type JsonObject } from '../protocol/json-rpc.js'
import { pinnedMembers } from './tool-definition.js'

export interface ToolDiff {
  /** The members that differ, in the words of a person. */
  readonly changed: readonly string[]
  /** Lines that start with `-` or `+`. Printable, and all of them: what is not shown would be accepted unread. */
  readonly lines: readonly string[]
}

const WORDS: Record<(typeof pinnedMembers)[number], string> = {
  title: 'title',
  description: 'description',
  inputSchema: 'input schema',
  outputSchema: 'output schema',
  annotations: 'hints',
  execution: 'way of running',
  icons: 'icons',
  _meta: 'hints for loading',
}
/** Nobody reads more; a list that is longer is no honest one, and it says how much is missing. */
const MAX_LINES = 5000
const MAX_LINE_CHARS = 50_000

/** What became of a tool since it was accepted. */
export function diffTool(before: JsonObject, after: JsonObject): ToolDiff {
  const changed: string[] = []
  const lines: string[] = []
  for (const member of pinnedMembers) {
    const [old, fresh] = [linesOf(before[member]), linesOf(after[member])]
    if (old.join('\n') === fresh.join('\n')) continue
    changed.push(WORDS[member])
    lines.push(`${WORDS[member]}:`, ...diffLines(old, fresh))
  }
  const more = lines.length - MAX_LINES
  return { changed, lines: more > 0 ? [...lines.slice(0, MAX_LINES), `… ${more} more lines`] : lines }
}

/** What stands before and after the first and the last difference is the same on both sides. */
function diffLines(old: readonly string[], fresh: readonly string[]): string[] {
  let start = 0
  while (start < old.length && start < fresh.length && old[start] === fresh[start]) start++
  let end = 0
  while (end < old.length - start && end < fresh.length - start && old.at(-1 - end) === fresh.at(-1 - end))
    end++
  const before = start > 0 ? [`  ${printable(old[start - 1]!)}`] : []
  return [
    ...before,
    ...old.slice(start, old.length - end).map((line) => `- ${printable(line)}`),
    ...fresh.slice(start, fresh.length - end).map((line) => `+ ${printable(line)}`),
  ]
}

function linesOf(value: unknown): string[] {
  if (value === undefined) return []
  const text = typeof value === 'string' ? value : JSON.stringify(sortKeys(value), null, 2)
  return text.split('\n')
}

/** In the same order on both sides, whatever order they came in. */
function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (!isJsonObject(value)) return value
  const keys = Object.keys(value).sort()
  return Object.fromEntries(keys.map((key) => [key, sortKeys(value[key])]))
}

/** What a change hides from the eye is what it has to show: everything but plain signs is written out. */
function printable(line: string): string {
  const cut =
    line.length > MAX_LINE_CHARS
      ? `${line.slice(0, MAX_LINE_CHARS)}… ${line.length - MAX_LINE_CHARS} more characters`
      : line
  return cut.replaceAll(
    /\p{C}|\u2028|\u2029|\p{Variation_Selector}/gu,
    (sign) => `\\u{${sign.codePointAt(0)!.toString(16)}}`,
  )
}
