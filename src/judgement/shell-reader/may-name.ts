// A pattern that is longer than this is not worked through: it may name anything.
const MAX_PATTERN_CHARS = 1024

/**
 * Whether a path of a reading may be this path. Paths of a reading keep the wildcards that the shell would expand
 * (`*`, `?`, `[a-c]`); wildcard characters that are meant as they stand follow a backslash, and `**` is any text, also
 * with slashes in it, where something is not known. A wildcard at the start of a name does not match a leading dot.
 */
export function mayName(pattern: string, path: string): boolean {
  if (pattern === path) return true
  if (!/[*?[\\]/.test(pattern)) return false
  if (pattern.length > MAX_PATTERN_CHARS) return true
  // What matches no file stays as it was written.
  return unescape(pattern) === path || matches(readTokens(pattern), path)
}

type Token =
  { readonly kind: 'text' | 'class'; readonly text: string } | { readonly kind: 'one' | 'name' | 'anything' }

function unescape(pattern: string): string {
  return pattern.replaceAll(/\\(.)/gs, '$1')
}

function readTokens(pattern: string): Token[] {
  const tokens: Token[] = []
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern[at]!
    if (char === '\\' && at + 1 < pattern.length) tokens.push({ kind: 'text', text: pattern[++at]! })
    else if (char === '?') tokens.push({ kind: 'one' })
    else if (char === '*') {
      const isAnything = pattern[at + 1] === '*'
      tokens.push({ kind: isAnything ? 'anything' : 'name' })
      while (pattern[at + 1] === '*') at++
    } else {
      const end = char === '[' ? endOfClass(pattern, at) : -1
      if (end === -1) tokens.push({ kind: 'text', text: char })
      else {
        tokens.push({ kind: 'class', text: pattern.slice(at + 1, end) })
        at = end
      }
    }
  }
  return tokens
}

function endOfClass(pattern: string, open: number): number {
  let at = open + 1
  if (pattern[at] === '!' || pattern[at] === '^') at++
  if (pattern[at] === ']') at++
  for (; at < pattern.length && pattern[at] !== '/'; at++) {
    if (pattern[at] === '\\') at++
    else if (pattern[at] === '[' && pattern[at + 1] === ':') at = Math.max(at, pattern.indexOf(':]', at) + 1)
    else if (pattern[at] === ']') return at
  }
  return -1
}

/** Column by column: which places of the path the tokens so far can end at. No pattern takes longer than its size. */
function matches(tokens: readonly Token[], path: string): boolean {
  let ends = new Uint8Array(path.length + 1)
  ends[0] = 1
  for (const token of tokens) {
    const next = new Uint8Array(path.length + 1)
    let isOpen = false
    for (let at = 0; at <= path.length; at++) {
      if (token.kind === 'anything' || token.kind === 'name') {
        if (token.kind === 'name' && at > 0 && !isInName(path, at - 1)) isOpen = false
        isOpen ||= ends[at] === 1
        if (isOpen) next[at] = 1
      } else if (ends[at] === 1 && at < path.length && fits(token, path, at)) next[at + 1] = 1
    }
    ends = next
  }
  return ends[path.length] === 1
}

function fits(token: Token, path: string, at: number): boolean {
  if (token.kind === 'text') return path[at] === token.text
  if (!isInName(path, at)) return false
  return token.kind !== 'class' || isInClass(token.text, path[at]!)
}

/** A wildcard stands for neither a slash nor the dot of a hidden name. */
function isInName(path: string, at: number): boolean {
  return path[at] !== '/' && !(path[at] === '.' && path[at - 1] === '/')
}

function isInClass(text: string, char: string): boolean {
  // Named classes and anything else out of the ordinary may hold every character.
  if (text.includes('[') || text.includes('\\')) return true
  const isNegated = text[0] === '!' || text[0] === '^'
  const members = isNegated ? text.slice(1) : text
  let isMember = false
  for (let at = 0; at < members.length; at++) {
    const last = members[at + 1] === '-' ? members[at + 2] : undefined
    if (last === undefined) isMember ||= members[at] === char
    else {
      isMember ||= members[at]! <= char && char <= last
      at += 2
    }
  }
  return isMember !== isNegated
}
