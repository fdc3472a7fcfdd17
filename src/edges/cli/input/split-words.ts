import { usageProblem } from '../program/usage-problem.js'

/** Splits a line into words, as a shell does for plain words and quotes. */
export function splitWords(line: string): string[] {
  const words: string[] = []
  let word: string | undefined
  let quote: string | undefined
  for (const char of line) {
    if (quote !== undefined) {
      if (char === quote) quote = undefined
      else word += char
    } else if (char === '"' || char === "'") {
      quote = char
      word ??= ''
    } else if (/\s/.test(char)) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else {
      word = (word ?? '') + char
    }
  }
  if (quote !== undefined) throw usageProblem(`A quote (${quote}) is not closed.`)
  return word === undefined ? words : [...words, word]
}
