/** Longer runs are keys, hashes and noise, which are useless for search. */
const MAX_WORD = 64
/** Scripts without spaces: their words are taken as pairs of characters. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u

/** The words of a text in lower case. Identifiers are split: `searchIssues_v2` is search, issues, v2. */
export function splitWords(text: string): string[] {
  const found: string[] = []
  for (const [run] of text.normalize('NFKC').matchAll(/[\p{L}\p{M}\p{N}]+(?:['’]\p{L}+)?/gu)) {
    const word = run
      .slice(0, MAX_WORD)
      .replace(/['’](?:s|S)$/, '')
      .replace(/['’]/g, '')
    if (isPlain(word)) found.push(word)
    else if (UNSPACED.test(word)) found.push(...pairsOf(word))
    else found.push(...partsOf(word))
  }
  return found
}

const isPlain = (word: string): boolean => /^[a-z0-9]+$/.test(word)

/** Splits where the case changes: in `searchIssues`, and before the last capital of `HTTPServer`. */
function partsOf(word: string): string[] {
  return word
    .replace(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu, ' ')
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .split(' ')
    .filter((part) => part !== '')
}

function pairsOf(word: string): string[] {
  const characters = [...word.toLowerCase()]
  if (characters.length < 3) return [characters.join('')]
  return characters.slice(1).map((character, index) => characters[index]! + character)
}
