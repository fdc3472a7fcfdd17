/** The end of the string that begins with a quote at `at`; -1 when it does not end. */
export function endOfString(text: string, at: number): number {
  for (let end = text.indexOf('"', at + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let slashes = 0
    while (text.charCodeAt(end - 1 - slashes) === 0x5c) slashes++
    if (slashes % 2 === 0) return end + 1
  }
  return -1
}

export function skipSpace(text: string, at: number): number {
  let next = at
  for (; next < text.length; next++) {
    const code = text.charCodeAt(next)
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) break
  }
  return next
}

/** The end of a value, or of a key with its value, at any depth; -1 when the text ends before it. */
export function skipValue(text: string, at: number): number {
  let depth = 0
  for (let next = at; next < text.length; next++) {
    switch (text.charCodeAt(next)) {
      case 0x22: {
        const end = endOfString(text, next)
        if (end === -1) return -1
        next = end - 1
        break
      }
      case 0x7b:
      case 0x5b:
        depth++
        break
      case 0x7d:
      case 0x5d:
        if (depth === 0) return next
        depth--
        break
      case 0x2c:
        if (depth === 0) return next
        break
    }
  }
  return -1
}
