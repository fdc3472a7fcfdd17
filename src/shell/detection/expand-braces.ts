const MAX_WORDS = 64
const MAX_CHARS = 1024

/** The words, with their quotes, that braces expand to: `f{a,b}` is `fa` and `fb`. Undefined if there are too many. */
export function expandBraces(text: string): string[] | undefined {
  if (text.length > MAX_CHARS) return undefined
  const group = findGroup(text)
  if (group === undefined) return [text]
  const before = text.slice(0, group.open)
  const rests = expandBraces(text.slice(group.close + 1))
  if (rests === undefined) return undefined
  const words: string[] = []
  for (const choice of group.choices) {
    const inner = expandBraces(choice)
    if (inner === undefined) return undefined
    for (const each of inner) for (const rest of rests) words.push(before + each + rest)
    if (words.length > MAX_WORDS) return undefined
  }
  return words
}

interface Group {
  readonly open: number
  readonly close: number
  readonly choices: readonly string[]
}

/** The first group with a comma or a sequence. */
function findGroup(text: string): Group | undefined {
  for (let open = 0; open < text.length; open++) {
    open = skipQuoted(text, open)
    if (text[open] !== '{' || text[open - 1] === '$') continue
    const group = readGroup(text, open)
    if (group) return group
  }
  return undefined
}

function readGroup(text: string, open: number): Group | undefined {
  const cuts: number[] = []
  let depth = 0
  for (let at = open + 1; at < text.length; at++) {
    at = skipQuoted(text, at)
    const char = text[at]
    if (char === '{') depth++
    else if (char === ',' && depth === 0) cuts.push(at)
    else if (char === '}' && depth-- === 0) {
      const choices = cuts.length > 0 ? cutAt(text, [open, ...cuts, at]) : sequence(text.slice(open + 1, at))
      return choices && { open, close: at, choices }
    }
  }
  return undefined
}

function cutAt(text: string, cuts: readonly number[]): string[] {
  return cuts.slice(1).map((end, index) => text.slice(cuts[index]! + 1, end))
}

/** `1..3` and `a..e`. A sequence that is too long counts as too many words. */
function sequence(text: string): string[] | undefined {
  const match = /^(-?\d+|[a-z])\.\.(-?\d+|[a-z])(?:\.\.(-?\d+))?$/i.exec(text)
  if (!match) return undefined
  const isLetter = match[1]!.length === 1 && match[2]!.length === 1 && /[a-z]/i.test(match[1]! + match[2]!)
  const [from, to] = [match[1]!, match[2]!].map((end) => (isLetter ? end.charCodeAt(0) : Number(end)))
  const step = Math.max(1, Math.abs(Number(match[3] ?? 1)))
  const width = /^-?0\d|\.\.-?0\d/.test(text) ? Math.max(match[1]!.length, match[2]!.length) : 0
  const members: string[] = []
  for (let at = from!; from! <= to! ? at <= to! : at >= to!; at += from! <= to! ? step : -step) {
    members.push(isLetter ? String.fromCharCode(at) : String(at).padStart(width, '0'))
    if (members.length > MAX_WORDS) break
  }
  return members
}

/** The position of the next character outside of quotes; a backslash quotes one. */
function skipQuoted(text: string, from: number): number {
  let at = from
  while (at < text.length) {
    const char = text[at]
    if (char === '\\') at += 2
    else if (char === "'" || char === '"') {
      const end = text.indexOf(char, at + 1)
      at = end === -1 ? text.length : end + 1
    } else break
  }
  return at
}
