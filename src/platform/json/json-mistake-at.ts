const SPACE = /[ \t\n\r]*/y
const TOKEN = /[{}[\],:]|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y
// eslint-disable-next-line no-control-regex
const PLAIN = /[^"\\\u0000-\u001F]*/y
const ESCAPE = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y

type Expected = 'value' | 'value or ]' | 'key' | 'key or }' | 'colon' | 'comma or end'

/**
 * Where a text stops being JSON: the offset of the first invalid character, or the end of the text where something is
 * missing. Parsers do not always report it, and they quote the text, which may contain a secret.
 */
export function jsonMistakeAt(text: string): number {
  const open: ('{' | '[')[] = []
  let expected: Expected = 'value'
  let at = 0
  for (;;) {
    at += lengthOf(SPACE, text, at)
    const token = tokenAt(text, at)
    const next: Expected | undefined = token === undefined ? undefined : step(token, expected, open)
    if (next === undefined) return at
    at += token!.length
    expected = next
  }
}

function tokenAt(text: string, at: number): string | undefined {
  const end = text[at] === '"' ? stringEnd(text, at) : at + lengthOf(TOKEN, text, at)
  return end === undefined || end === at ? undefined : text.slice(at, end)
}

/** In pieces: one expression for a whole string overflows the stack in a long one. */
function stringEnd(text: string, start: number): number | undefined {
  let at = start + 1
  for (;;) {
    at += lengthOf(PLAIN, text, at)
    if (text[at] === '"') return at + 1
    const escape = lengthOf(ESCAPE, text, at)
    if (escape === 0) return undefined
    at += escape
  }
}

function lengthOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0].length ?? 0
}

/** What may follow; undefined where the token itself is not allowed. */
function step(token: string, expected: Expected, open: ('{' | '[')[]): Expected | undefined {
  switch (expected) {
    case 'colon':
      return token === ':' ? 'value' : undefined
    case 'key':
    case 'key or }':
      if (token === '}' && expected === 'key or }') return close(open)
      return token.startsWith('"') ? 'colon' : undefined
    case 'comma or end': {
      const inside = open.at(-1)
      if (inside === undefined) return undefined
      if (token === ',') return inside === '{' ? 'key' : 'value'
      return token === (inside === '{' ? '}' : ']') ? close(open) : undefined
    }
    case 'value':
    case 'value or ]':
      if (token === ']' && expected === 'value or ]') return close(open)
      if (token !== '{' && token !== '[') return /^[\]},:]/.test(token) ? undefined : 'comma or end'
      open.push(token)
      return token === '{' ? 'key or }' : 'value or ]'
  }
}

function close(open: ('{' | '[')[]): Expected {
  open.pop()
  return 'comma or end'
}
