import type { Match } from '../page.js'

/** As grep shows them: a colon behind the number of a line that matches, a dash behind those beside it. */
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
