import type { PathPattern } from './path-pattern.js'

/**
 * Whether two patterns could name the same path: `/w/.e*` and `.env`. For words that only the shell can expand; in
 * doubt the answer is yes. A leading wildcard that the shell expands never matches a dot, so `*` does not reach `.env`;
 * wildcards that a program expands do, which `seesHidden` says.
 */
export function mayOverlap(pattern: PathPattern, globbed: readonly string[], seesHidden = false): boolean {
  const meet: Meet = (rule, segment) => segmentsOverlap(rule, segment, seesHidden)
  if (pattern.isAnywhere) return globbed.some((segment) => meet(pattern.segments[0]!, segment))
  return pathsOverlap(pattern.segments, globbed, meet)
}

type Meet = (rule: string, segment: string) => boolean

function pathsOverlap(
  rule: readonly string[],
  globbed: readonly string[],
  meet: Meet,
  i = 0,
  j = 0,
): boolean {
  if (i === rule.length) return true
  if (rule[i] === '**') {
    if (i === rule.length - 1) return j < globbed.length
    for (let next = j; next < globbed.length; next++) {
      if (pathsOverlap(rule, globbed, meet, i + 1, next)) return true
    }
    return false
  }
  if (j === globbed.length) return false
  if (globbed[j] === '**') {
    for (let next = i; next <= rule.length; next++)
      if (pathsOverlap(rule, globbed, meet, next, j + 1)) return true
    return false
  }
  return meet(rule[i]!, globbed[j]!) && pathsOverlap(rule, globbed, meet, i + 1, j + 1)
}

type Piece = '*' | '?' | { readonly text: string }

/** A bracket or an escaped character is one piece; a bracket counts as any one character. */
function piecesOf(segment: string): Piece[] {
  const pieces: Piece[] = []
  for (const [part] of segment.matchAll(/\\[\s\S]|\[[^\]]*\]|[\s\S]/gu)) {
    if (part === '*' || part === '?') pieces.push(part)
    else if (part.length > 1 && part.startsWith('[')) pieces.push('?')
    else pieces.push({ text: part.startsWith('\\') && part.length > 1 ? part.slice(1) : part })
  }
  return pieces
}

export function segmentsOverlap(rule: string, globbed: string, seesHidden = false): boolean {
  const a = piecesOf(rule)
  const b = piecesOf(globbed)
  const leadsWild = !seesHidden && (b[0] === '*' || b[0] === '?')
  if (leadsWild && typeof a[0] === 'object' && a[0].text === '.') return false
  // Reachable positions of the second pattern for each position of the first.
  const seen = new Set<number>()
  const walk = (i: number, j: number): boolean => {
    const key = i * (b.length + 1) + j
    if (seen.has(key)) return false
    seen.add(key)
    if (i === a.length && j === b.length) return true
    const left = a[i]
    const right = b[j]
    if (left === '*' && walk(i + 1, j)) return true
    if (right === '*' && walk(i, j + 1)) return true
    if (left === undefined || right === undefined) return false
    if (left === '*') return walk(i, j + 1)
    if (right === '*') return walk(i + 1, j)
    if (left !== '?' && right !== '?' && left.text !== right.text) return false
    return walk(i + 1, j + 1)
  }
  return walk(0, 0)
}
