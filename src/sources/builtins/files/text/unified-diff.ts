/** How many lines around a change are shown. */
const CONTEXT = 3
/** With more differences than this, the changed part is shown as removed and added as a whole. */
const MAX_DIFFERENCES = 400

export interface UnifiedDiff {
  readonly text: string
  readonly added: number
  readonly removed: number
}

type Operation = { readonly kind: ' ' | '-' | '+'; readonly line: string }

/** The difference of two texts, as `diff -u` shows it; at most `maxChars` of it. */
export function unifiedDiff(
  before: string,
  after: string,
  { name, maxChars }: { name: string; maxChars: number },
): UnifiedDiff {
  const operations = compare(linesOf(before), linesOf(after))
  const added = operations.filter(({ kind }) => kind === '+').length
  const removed = operations.filter(({ kind }) => kind === '-').length
  const hunks = toHunks(operations)
  const header = [before === '' ? '--- /dev/null' : `--- a/${name}`, `+++ b/${name}`]
  return { text: bounded([...header, ...hunks], maxChars), added, removed }
}

const NO_END = '\\ No newline at end of file'

/** Lines with a mark on a last line that has no end: two texts can differ in that alone. */
function linesOf(text: string): string[] {
  if (text === '') return []
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  else lines[lines.length - 1] += `\n${NO_END}`
  return lines
}

function compare(before: readonly string[], after: readonly string[]): Operation[] {
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start]) start++
  let end = 0
  const most = Math.min(before.length, after.length) - start
  while (end < most && before.at(-1 - end) === after.at(-1 - end)) end++
  const same = (line: string): Operation => ({ kind: ' ', line })
  const old = before.slice(start, before.length - end)
  const next = after.slice(start, after.length - end)
  return [
    ...before.slice(0, start).map(same),
    ...(shortestEdit(old, next) ?? wholeEdit(old, next)),
    ...before.slice(before.length - end).map(same),
  ]
}

function wholeEdit(before: readonly string[], after: readonly string[]): Operation[] {
  return [
    ...before.map((line): Operation => ({ kind: '-', line })),
    ...after.map((line): Operation => ({ kind: '+', line })),
  ]
}

/** Myers' algorithm: the fewest removed and added lines. Undefined if there are too many. */
function shortestEdit(before: readonly string[], after: readonly string[]): Operation[] | undefined {
  const reached = new Map<number, number>([[1, 0]])
  const trace: Map<number, number>[] = []
  const most = Math.min(before.length + after.length, MAX_DIFFERENCES)
  for (let depth = 0; depth <= most; depth++) {
    trace.push(new Map(reached))
    for (let diagonal = -depth; diagonal <= depth; diagonal += 2) {
      let x = furthest(reached, diagonal, depth)
      while (x < before.length && x - diagonal < after.length && before[x] === after[x - diagonal]) x++
      reached.set(diagonal, x)
      if (x >= before.length && x - diagonal >= after.length) return goBack(before, after, trace)
    }
  }
  return undefined
}

function furthest(reached: ReadonlyMap<number, number>, diagonal: number, depth: number): number {
  const down = reached.get(diagonal + 1) ?? -1
  const right = reached.get(diagonal - 1) ?? -1
  return diagonal === -depth || (diagonal !== depth && right < down) ? down : right + 1
}

function goBack(
  before: readonly string[],
  after: readonly string[],
  trace: readonly ReadonlyMap<number, number>[],
): Operation[] {
  const found: Operation[] = []
  let x = before.length
  let y = after.length
  for (let depth = trace.length - 1; depth >= 0; depth--) {
    const reached = trace[depth]!
    const diagonal = x - y
    const isDown =
      diagonal === -depth ||
      (diagonal !== depth && (reached.get(diagonal - 1) ?? -1) < (reached.get(diagonal + 1) ?? -1))
    const previous = isDown ? diagonal + 1 : diagonal - 1
    const fromX = reached.get(previous) ?? 0
    const fromY = fromX - previous
    while (x > fromX && y > fromY) {
      x--
      y--
      found.push({ kind: ' ', line: before[x]! })
    }
    if (depth === 0) break
    if (isDown) found.push({ kind: '+', line: after[--y]! })
    else found.push({ kind: '-', line: before[--x]! })
  }
  return found.toReversed()
}

function toHunks(operations: readonly Operation[]): string[] {
  const changed = operations.flatMap(({ kind }, index) => (kind === ' ' ? [] : [index]))
  const lines: string[] = []
  const seen = { old: 1, next: 1, upTo: 0 }
  for (let at = 0; at < changed.length;) {
    let last = at
    while (last + 1 < changed.length && changed[last + 1]! - changed[last]! <= CONTEXT * 2) last++
    const from = Math.max(0, changed[at]! - CONTEXT)
    const to = Math.min(operations.length, changed[last]! + CONTEXT + 1)
    count(seen, operations.slice(seen.upTo, from))
    const part = operations.slice(from, to)
    const old = part.filter(({ kind }) => kind !== '+').length
    const next = part.filter(({ kind }) => kind !== '-').length
    lines.push(`@@ -${range(seen.old, old)} +${range(seen.next, next)} @@`)
    lines.push(...part.flatMap(({ kind, line }) => `${kind}${line}`.split('\n')))
    count(seen, part)
    seen.upTo = to
    at = last + 1
  }
  return lines
}

function count(seen: { old: number; next: number }, operations: readonly Operation[]): void {
  for (const { kind } of operations) {
    if (kind !== '+') seen.old++
    if (kind !== '-') seen.next++
  }
}

/** A range of no lines is counted from the line before. */
function range(start: number, length: number): string {
  if (length === 0) return `${start - 1},0`
  return length === 1 ? `${start}` : `${start},${length}`
}

function bounded(lines: readonly string[], maxChars: number): string {
  let chars = 0
  const kept = lines.findIndex((line) => (chars += line.length + 1) > maxChars)
  if (kept === -1) return `${lines.join('\n')}\n`
  return `${lines.slice(0, kept).join('\n')}\n… ${lines.length - kept} more lines of the difference\n`
}
