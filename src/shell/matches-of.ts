/** All matches of a global pattern. `matchAll` would create a new pattern each time. */
export function matchesOf(pattern: RegExp, text: string): readonly RegExpExecArray[] {
  const matches: RegExpExecArray[] = []
  pattern.lastIndex = 0
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    matches.push(match)
    if (match[0] === '') pattern.lastIndex++
  }
  return matches
}
