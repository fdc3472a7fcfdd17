import { functionWords } from './function-words.js'
import { splitWords } from './split-words.js'
import { stemWord } from './stem-word.js'

const MAX_KNOWN = 50_000
const known = new Map<string, string>()

/** The stem of a word; remembered, since texts repeat their words. */
export function stemOf(word: string): string {
  let stem = known.get(word)
  if (stem === undefined) {
    if (known.size >= MAX_KNOWN) known.clear()
    known.set(word, (stem = stemWord(word)))
  }
  return stem
}

/** Whether a word says something of what is meant. */
export function isContentWord(word: string): boolean {
  return word.length > 1 && !functionWords.has(word)
}

/** The stems of the words that say something, as often as they stand there. */
export function toStems(text: string): string[] {
  return splitWords(text).filter(isContentWord).map(stemOf)
}
