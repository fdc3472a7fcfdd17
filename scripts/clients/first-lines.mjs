/** The client's own words on one line of the report. */
export function firstLines(error) {
  const text = error instanceof Error ? error.message : String(error)
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, 400)
}
