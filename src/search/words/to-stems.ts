import { splitWords } from './split-words.js'
import { stemWord } from './stem-word.js'

const MAX_KNOWN = 50_000
const known = new Map<string, string>()

/** The stem of a word; cached, since texts repeat their words. */
export function stemOf(word: string): string {
  let stem = known.get(word)
  if (stem === undefined) {
    if (known.size >= MAX_KNOWN) known.clear()
    known.set(word, (stem = stemWord(word)))
  }
  return stem
}

/** Whether a word carries meaning for the search. */
export function isContentWord(word: string): boolean {
  return word.length > 1 && !functionWords.has(word)
}

/** The stems of the content words, with repetitions. */
export function toStems(text: string): string[] {
  return splitWords(text).filter(isContentWord).map(stemOf)
}

const words = `a about after again all also am an and any are as at be because been before being but by can could did do does
doing done down each etc few for from get gets getting give gives go goes going got had has have having he hello help her
here hers hey hi him his how i if in into is it its just kindly know let lets like looking make makes many may me might
more most much must my need needs no nor not now of off on once one only or other our ours out over own please provide
put same she should show so some such take tell than thank thanks that the their theirs them then there these they thing
things this those through to too try up us use used uses using very via want wanted wants was way we well were what whats
when where which while who whom whose why will wish with within without would yes yet you your yours im ive id ill dont
doesnt cant isnt wont assist assistance able possible something anything someone everything
first second third two three four five six seven eight nine ten several various certain specific specifically given
related regarding concerning according based`

/** Words that carry no meaning for the search. */
const functionWords: ReadonlySet<string> = new Set(words.split(/\s+/))
