import { codeAt } from './code-at.js'
import { HASH, NEWLINE, refuse, skipBlanks, type GrammarReader } from './grammar-reader.js'
import { takeNewline } from './read-redirect.js'

/** Skips blanks, comments and ends of lines. */
export function skipLines(reader: GrammarReader): boolean {
  const { text } = reader
  for (;;) {
    skipBlanks(reader)
    const code = codeAt(text, reader.at)
    if (code === HASH) {
      // Shells differ in where a comment in a substitution ends.
      if (reader.depth > 0) return refuse(reader, 'A comment stands in a substitution.') ?? false
      const end = text.indexOf('\n', reader.at)
      reader.at = end === -1 ? text.length : end
    } else if (code !== NEWLINE) return true
    else if (!takeNewline(reader)) return false
  }
}
