/** Throws what is missing, doubled or too much in a list of tools. */
export function mustEqual(listed, expected) {
  const missing = expected.filter((name) => !listed.includes(name))
  const more = listed.filter((name, at) => !expected.includes(name) || listed.indexOf(name) !== at)
  if (missing.length === 0 && more.length === 0) return
  const few = (names) => (names.length > 4 ? `${names.slice(0, 4).join(', ')} …` : names.join(', '))
  throw new Error(
    `${listed.length} tools where ${expected.length} are expected` +
      (missing.length > 0 ? `; ${missing.length} missing: ${few(missing)}` : '') +
      (more.length > 0 ? `; ${more.length} too much: ${few(more)}` : ''),
  )
}
