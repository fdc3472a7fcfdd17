const ID = /(?<![0-9a-z])([a-z]{2,16})_[0-9a-hjkmnp-tv-z]{24}(?![0-9a-z])/g
/** Times that the session did not set itself: its own clock begins in 2031. */
const OTHER_TIME = /\b20(?!31)\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?Z/g

const UUID = /(?<![0-9a-z])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![0-9a-z])/g
const DIGEST = /(?<![0-9a-z])[0-9a-f]{64}(?![0-9a-z])/g

/** The digests that only one of two runs of one build has: they are about ids, or about encrypted bytes. */
export function passingDigests(lines, again) {
  const lasting = digestsOf(again)
  return new Set([...digestsOf(lines)].filter((digest) => !lasting.has(digest)))
}

function digestsOf(lines) {
  return new Set(lines.flatMap(({ text }) => text.match(DIGEST) ?? []))
}

/**
 * Replaces what differs between two runs of one build: ids, digests about ids, times of the machine's clock, and
 * folders. The same id gets
 * the same placeholder everywhere. It is numbered within the section where it first appears, so that one more id in a
 * section changes no other section.
 */
export function normaliseRecords(lines, { build, folder, passing }) {
  const names = new Map()
  const counts = new Map()
  const nameOf = (section, prefix, id) => {
    const known = names.get(id)
    if (known) return known
    const key = `${section} ${prefix}`
    const number = (counts.get(key) ?? 0) + 1
    counts.set(key, number)
    const name = `<${prefix} ${number} of ${section}>`
    names.set(id, name)
    return name
  }
  const normalise = (section, text) =>
    text
      .replaceAll(folder, '<folder>')
      .replaceAll(build, '<build>')
      .replace(ID, (id, prefix) => nameOf(section, prefix, id))
      .replace(UUID, (id) => nameOf(section, 'uuid', id))
      .replace(DIGEST, (digest) => (passing.has(digest) ? nameOf(section, 'digest', digest) : digest))
      .replace(OTHER_TIME, '<time>')
  return lines.map(({ section, label, text }) => ({
    section,
    label: normalise(section, label),
    text: normalise(section, text),
  }))
}
