/** A text split into words at spaces, with quotes and backslashes handled and nothing expanded. */
export function splitText(text: string): string[] {
  const words: string[] = []
  let word: string | undefined
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!
    if (char === '\\') word = (word ?? '') + (text[++at] ?? '')
    else if (char === "'" || char === '"') {
      const end = text.indexOf(char, at + 1)
      word = (word ?? '') + text.slice(at + 1, end === -1 ? undefined : end)
      at = end === -1 ? text.length : end
    } else if (/\s/.test(char)) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else word = (word ?? '') + char
  }
  return word === undefined ? words : [...words, word]
}
