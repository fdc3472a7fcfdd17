/** A longer text is compared as a whole: the table of a comparison grows with the square of its lines. */
const MAX_COMPARED_LINES = 1500

/** The lines of both texts, each with `-`, `+` or a space before it; of what is equal, `around` lines before and after. */
export function diffLines(
  old: readonly string[],
  fresh: readonly string[],
  { around = Number.POSITIVE_INFINITY }: { around?: number } = {},
): string[] {
  let start = 0
  while (start < old.length && start < fresh.length && old[start] === fresh[start]) start++
  let end = 0
  while (end < old.length - start && end < fresh.length - start && old.at(-1 - end) === fresh.at(-1 - end))
    end++
  return [
    ...old.slice(Math.max(0, start - around), start).map((line) => ` ${line}`),
    ...changedLines(old.slice(start, old.length - end), fresh.slice(start, fresh.length - end)),
    ...old.slice(old.length - end, old.length - end + around).map((line) => ` ${line}`),
  ]
}

/** By the longest common subsequence. */
function changedLines(old: readonly string[], fresh: readonly string[]): string[] {
  const removed = (lines: readonly string[]): string[] => lines.map((line) => `-${line}`)
  const added = (lines: readonly string[]): string[] => lines.map((line) => `+${line}`)
  if (old.length > MAX_COMPARED_LINES || fresh.length > MAX_COMPARED_LINES)
    return [...removed(old), ...added(fresh)]
  const common = commonLengths(old, fresh)
  const lines: string[] = []
  let [at, freshAt] = [0, 0]
  while (at < old.length && freshAt < fresh.length) {
    if (old[at] === fresh[freshAt]) {
      lines.push(` ${old[at]}`)
      at++
      freshAt++
    } else if (common[at + 1]![freshAt]! >= common[at]![freshAt + 1]!) lines.push(`-${old[at++]}`)
    else lines.push(`+${fresh[freshAt++]}`)
  }
  return [...lines, ...removed(old.slice(at)), ...added(fresh.slice(freshAt))]
}

/** The number of common lines from each pair of positions on. */
function commonLengths(old: readonly string[], fresh: readonly string[]): Uint16Array[] {
  const lengths = Array.from({ length: old.length + 1 }, () => new Uint16Array(fresh.length + 1))
  for (let at = old.length - 1; at >= 0; at--)
    for (let freshAt = fresh.length - 1; freshAt >= 0; freshAt--)
      lengths[at]![freshAt] =
        old[at] === fresh[freshAt]
          ? lengths[at + 1]![freshAt + 1]! + 1
          : Math.max(lengths[at + 1]![freshAt]!, lengths[at]![freshAt + 1]!)
  return lengths
}
