const SPACE = 32

// If a command begins with one of these, its words are not everything.
const RESERVED = new Set(
  (
    'if then else elif fi do done case esac while until for select function in time coproc ' +
    // The parser looks for assignments among their words.
    'local alias export declare typeset readonly'
  ).split(' '),
)

/**
 * The words of a text without special characters, or undefined if it takes a grammar to find them. Splitting such a
 * text takes a fraction of a parser's time, and most commands are such texts.
 */
export function splitPlain(text: string, spaces: number): string[] | undefined {
  // Allocated with the right size: a growing array takes several times the space.
  // oxlint-disable-next-line no-new-array
  const words = new Array<string>(spaces + 1)
  let start = 0
  for (let at = 0; at < spaces; at++) {
    let end = start
    while (end < text.length && text.charCodeAt(end) !== SPACE) end++
    if (end === start) return undefined
    words[at] = text.slice(start, end)
    start = end + 1
  }
  if (start === text.length) return undefined
  words[spaces] = text.slice(start)
  const name = words[0]!
  return RESERVED.has(name) || name.includes('=') ? undefined : words
}
