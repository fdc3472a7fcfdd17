// Characters that may have a meaning for the shell or the parser, so that the text is not yet the value.
const special = new Uint8Array(128)
for (const character of ' \t\n"\'`$\\*?[]{}()<>|&;') special[character.charCodeAt(0)] = 1

const TILDE = 126

/**
 * The value of a word that is only its text, or its text in one pair of quotes; undefined if it must be parsed. Most
 * words are plain, and reading their parts costs more than parsing the whole command did.
 */
export function readPlainText(text: string): string | undefined {
  const length = text.length
  if (length === 0) return undefined
  let index = 0
  for (; index < length; index++) {
    const code = text.charCodeAt(index)
    if (code < 128 && special[code] === 1) break
  }
  if (index === length) return text.charCodeAt(0) === TILDE ? undefined : text
  return index === 0 ? readQuoted(text, length) : undefined
}

function readQuoted(text: string, length: number): string | undefined {
  const quote = text.charCodeAt(0)
  if (quote === 39) {
    return text.indexOf("'", 1) === length - 1 && length > 1 ? text.slice(1, -1) : undefined
  }
  if (quote === 34) {
    for (let index = 1; index < length; index++) {
      const code = text.charCodeAt(index)
      if (code === 34) return index === length - 1 ? text.slice(1, -1) : undefined
      // $ ` and \ keep their meaning in double quotes.
      if (code === 36 || code === 96 || code === 92) return undefined
    }
    return undefined
  }
  if (text === '\\;') return ';'
  return text === '{}' || text === '[' || text === ']' ? text : undefined
}
