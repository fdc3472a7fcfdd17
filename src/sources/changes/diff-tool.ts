import { isObject } from '../../platform/json/is-object.js'

export interface ToolDiff {
  /** Names of the changed members, for people. */
  readonly changed: readonly string[]
  /** Lines that start with `-` or `+`. Printable and complete: a hidden line would be accepted unread. */
  readonly lines: readonly string[]
}

/** What a definition is compared by: its members in the order of the diff, each with its name for people. */
export type MemberNames = Readonly<Record<string, string>>

/** A longer diff is truncated, and says how much is missing. */
const MAX_LINES = 5000
const MAX_LINE_CHARS = 50_000

type Definition = Readonly<Record<string, unknown>>

/** The difference between the definition of a tool and its accepted definition. */
export function diffTool(
  before: Definition,
  after: Definition,
  { members }: { readonly members: MemberNames },
): ToolDiff {
  const changed: string[] = []
  const lines: string[] = []
  for (const [member, name] of Object.entries(members)) {
    const [old, fresh] = [linesOf(before[member]), linesOf(after[member])]
    if (old.join('\n') === fresh.join('\n')) continue
    changed.push(name)
    lines.push(`${name}:`, ...diffLines(old, fresh))
  }
  const more = lines.length - MAX_LINES
  return { changed, lines: more > 0 ? [...lines.slice(0, MAX_LINES), `… ${more} more lines`] : lines }
}

/** Common lines at the beginning and the end are cut off first. */
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

/** The same order on both sides, whatever order the members came in. */
function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (!isObject(value)) return value
  const keys = Object.keys(value).sort()
  return Object.fromEntries(keys.map((key) => [key, sortKeys(value[key])]))
}

/** A diff must not hide anything: every character outside of plain ASCII is escaped. */
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
