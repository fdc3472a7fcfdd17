import type { Match } from '../page.js'

/** In grep's format: a colon after the number of a matching line, a dash after that of a context line. */
export function renderMatch(match: Match): string {
  const { line, before, after, furtherCount } = match
  const numberOf = (distance: number) => (line === undefined ? '' : String(line + distance))
  const further = furtherCount === 0 ? '' : ` (and ${furtherCount} more on this line)`
  return [
    ...before.map((text, index) => `${numberOf(index - before.length)}-${text}`),
    `${numberOf(0)}:${text(match)}${further}`,
    ...after.map((text, index) => `${numberOf(index + 1)}-${text}`),
  ].join('\n')
}

function text({ text, offset }: Match): string {
  return `${text}  [byte ${offset}]`
}
