const CONTEXT_CHARS = 160

/** Compares two lists of records section by section, and line by line within each. */
export function compareRecords(before, after, maxShown) {
  const sections = [groupOf(before), groupOf(after)]
  const names = [...new Set([...sections[0].keys(), ...sections[1].keys()])]
  const differences = names.flatMap((name) =>
    differencesOf(name, sections[0].get(name) ?? [], sections[1].get(name) ?? []),
  )
  const shown = differences.slice(0, maxShown)
  const counted = [before, after].map(
    (lines) =>
      `${lines.filter(({ label }) => label.startsWith('event')).length} events, ${lines.length} lines, ${lines.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0)} bytes`,
  )
  const report = [
    ...shown,
    `before: ${counted[0]}`,
    `after:  ${counted[1]}`,
    differences.length === 0
      ? `No difference in ${names.length} sections.`
      : `${differences.length} lines differ; ${shown.length} of them are shown.`,
  ].join('\n')
  return { report, isSame: differences.length === 0 }
}

function groupOf(lines) {
  const sections = new Map()
  for (const line of lines) sections.set(line.section, [...(sections.get(line.section) ?? []), line])
  return sections
}

function differencesOf(name, before, after) {
  const found = []
  let one = 0
  let other = 0
  while (one < before.length || other < after.length) {
    if (isEqual(before[one], after[other])) {
      one += 1
      other += 1
      continue
    }
    const [skipOne, skipOther] = nextCommon(before, one, after, other)
    const pairs = Math.min(skipOne, skipOther)
    for (let at = 0; at < pairs; at += 1) found.push(showChanged(name, before[one + at], after[other + at]))
    for (const line of before.slice(one + pairs, one + skipOne)) found.push(showLine(name, '-', line))
    for (const line of after.slice(other + pairs, other + skipOther)) found.push(showLine(name, '+', line))
    one += skipOne
    other += skipOther
  }
  return found
}

/** How many lines of each list come before the next line that both have. */
function nextCommon(before, one, after, other) {
  const far = before.length - one + (after.length - other)
  for (let total = 1; total < far; total += 1)
    for (let skip = 0; skip <= total; skip += 1)
      if (before[one + skip] && isEqual(before[one + skip], after[other + total - skip]))
        return [skip, total - skip]
  return [before.length - one, after.length - other]
}

function isEqual(one, other) {
  return one !== undefined && other !== undefined && one.label === other.label && one.text === other.text
}

function showLine(name, sign, { label, text }) {
  return `${name} | ${label}\n  ${sign} ${text.slice(0, 2 * CONTEXT_CHARS)}\n`
}

function showChanged(name, before, after) {
  let at = 0
  while (at < before.text.length && before.text[at] === after.text[at]) at += 1
  const window = (text) => text.slice(Math.max(0, at - CONTEXT_CHARS), at + CONTEXT_CHARS)
  const label = before.label === after.label ? before.label : `${before.label} → ${after.label}`
  return `${name} | ${label} | at character ${at}\n  - ${window(before.text)}\n  + ${window(after.text)}\n`
}
