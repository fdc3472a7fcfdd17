/**
 * Reduces the inflections of an English word to one stem: `searches`, `searching` and `searched` are `search`. Suffixes
 * are removed in four rounds, each only where enough of a word is left.
 */
export function stemWord(word: string): string {
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word
  const singular = withoutPlural(word)
  const present = withoutTense(singular)
  const plain =
    present.length > 2 && present.endsWith('y') && hasVowel(present.slice(0, -1))
      ? `${present.slice(0, -1)}i`
      : present
  return withoutLastLetter(shorten(shorten(shorten(plain, derivations), endings), remains))
}

const VOWEL = /[aeiouy]/
const hasVowel = (part: string): boolean => VOWEL.test(part)

/** How many times vowels are followed by consonants: a measure of a word's length. */
function weightOf(part: string): number {
  let weight = 0
  let wasVowel = false
  for (let at = 0; at < part.length; at++) {
    const isVowel = VOWEL.test(part[at]!)
    if (wasVowel && !isVowel) weight++
    wasVowel = isVowel
  }
  return weight
}

/** Words that end like a plural but are singular. */
const singulars: ReadonlySet<string> = new Set([
  'news',
  'always',
  'perhaps',
  'series',
  'species',
  'lens',
  'canvas',
  'atlas',
  'gas',
  'bias',
])

function withoutPlural(word: string): string {
  if (singulars.has(word)) return word
  if (word.endsWith('sses')) return word.slice(0, -2)
  if (word.endsWith('ies')) return word.length > 4 ? word.slice(0, -2) : word.slice(0, -1)
  if (/(?:ss|us|is)$/.test(word) || !word.endsWith('s')) return word
  return word.slice(0, -1)
}

function withoutTense(word: string): string {
  if (word.endsWith('eed')) return weightOf(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word
  const suffix = word.endsWith('ed') ? 2 : word.endsWith('ing') ? 3 : 0
  const rest = word.slice(0, word.length - suffix)
  if (suffix === 0 || rest.length < 2 || !hasVowel(rest)) return word
  if (/(?:at|bl|iz)$/.test(rest)) return `${rest}e`
  if (/([^aeiouylsz])\1$/.test(rest)) return rest.slice(0, -1)
  return weightOf(rest) === 1 && endsShort(rest) ? `${rest}e` : rest
}

const endsShort = (part: string): boolean => /[^aeiouy][aeiouy][^aeiouywx]$/.test(part)

type Suffixes = readonly (readonly [suffix: string, instead: string, weight: number])[]

const withWeight = (weight: number, pairs: Record<string, string>): Suffixes =>
  Object.entries(pairs)
    .map(([suffix, instead]) => [suffix, instead, weight] as const)
    .sort(([a], [b]) => b.length - a.length)

const derivations = withWeight(0, {
  ational: 'ate', tional: 'tion', enci: 'ence', anci: 'ance', izer: 'ize', abli: 'able', alli: 'al', entli: 'ent',
  eli: 'e', ousli: 'ous', ization: 'ize', ation: 'ate', ator: 'ate', alism: 'al', iveness: 'ive', fulness: 'ful',
  ousness: 'ous', aliti: 'al', iviti: 'ive', biliti: 'ble',
}) // prettier-ignore
const endings = withWeight(0, {
  icate: 'ic',
  ative: '',
  alize: 'al',
  iciti: 'ic',
  ical: 'ic',
  ful: '',
  ness: '',
})
const remains = withWeight(1, {
  al: '', ance: '', ence: '', er: '', ic: '', able: '', ible: '', ant: '', ement: '', ment: '', ent: '', ism: '',
  ate: '', iti: '', ous: '', ive: '', ize: '', sion: 's', tion: 't',
}) // prettier-ignore

/** Only the longest matching suffix is considered, whether or not enough is left to remove it. */
function shorten(word: string, suffixes: Suffixes): string {
  for (const [suffix, instead, weight] of suffixes) {
    if (!word.endsWith(suffix)) continue
    const rest = word.slice(0, -suffix.length)
    return weightOf(rest) > weight ? rest + instead : word
  }
  return word
}

function withoutLastLetter(word: string): string {
  if (word.endsWith('e')) {
    const rest = word.slice(0, -1)
    const weight = weightOf(rest)
    return weight > 1 || (weight === 1 && !endsShort(rest)) ? rest : word
  }
  return word.endsWith('ll') && weightOf(word) > 1 ? word.slice(0, -1) : word
}
