/** Classes in ASCII: files with other characters are not decided by ripgrep. Without the line feed, which ends a line. */
const CLASSES: Readonly<Record<string, string>> = {
  d: '0-9',
  w: 'A-Za-z0-9_',
  s: String.raw` \t\x0b\x0c\r`,
}
const PLAIN: Readonly<Record<string, string>> = {
  t: String.raw`\t`,
  r: String.raw`\r`,
  f: String.raw`\x0c`,
  v: String.raw`\x0b`,
}

/**
 * An expression as ripgrep writes it, so that it matches every line of plain ASCII that the given one matches.
 * Undefined if it uses anything that the two read differently.
 */
export function toRipgrepPattern(source: string): string | undefined {
  let written = ''
  for (let at = 0; at < source.length;) {
    const part = readPart(source, at)
    if (!part) return undefined
    written += part.text
    at += part.length
  }
  return written
}

interface Part {
  readonly text: string
  readonly length: number
}

function readPart(source: string, at: number): Part | undefined {
  const char = source[at]!
  switch (char) {
    case '\\':
      return readEscape(source[at + 1])
    case '[':
      return readClass(source, at)
    case '(':
      if (source[at + 1] !== '?') return { text: char, length: 1 }
      return source.startsWith('(?:', at) ? { text: '(?:', length: 3 } : undefined
    case '$':
      // A line may end with a carriage return, which is not part of it.
      return { text: String.raw`(?:\r?$)`, length: 1 }
    case ')':
    case '|':
    case '*':
    case '+':
    case '?':
    case '^':
    case '.':
      return { text: char, length: 1 }
    case '{': {
      const counts = /^\{\d{1,3}(?:,\d{0,3})?\}/.exec(source.slice(at, at + 12))
      return counts ? { text: counts[0], length: counts[0].length } : undefined
    }
    default:
      return { text: literal(char), length: 1 }
  }
}

function readEscape(char: string | undefined): Part | undefined {
  if (char === undefined) return undefined
  if (CLASSES[char] !== undefined) return { text: `[${CLASSES[char]}]`, length: 2 }
  const negated = CLASSES[char.toLowerCase()]
  if (negated !== undefined) return { text: `[^${negated}]`, length: 2 }
  if (char === 'b') return { text: String.raw`(?-u:\b)`, length: 2 }
  if (PLAIN[char] !== undefined) return { text: PLAIN[char], length: 2 }
  return /[A-Za-z0-9]/.test(char) ? undefined : { text: literal(char), length: 2 }
}

function readClass(source: string, at: number): Part | undefined {
  const found = /^\[(\^(?!\])|(?!\^))((?:\\[^A-Z0-9bcknpux]|[^\\\]\n\u0080-\uffff])+)\]/.exec(
    source.slice(at),
  )
  if (!found) return undefined
  const [all, negation, body] = found
  const text = body!.replaceAll(/\\([\s\S])|([\s\S])/g, (_, escaped: string | undefined, plain: string) => {
    if (escaped !== undefined) return CLASSES[escaped] ?? PLAIN[escaped] ?? literal(escaped)
    // A hyphen stays what it is: in a range, or at an end.
    return plain === '-' ? plain : literal(plain)
  })
  return { text: `[${negation}${text}]`, length: all.length }
}

function literal(char: string): string {
  return /[\w\s]|[^\0-\u007f]/.test(char) ? char : `\\${char}`
}
