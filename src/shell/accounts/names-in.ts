import { valueOf, type Arg } from '../detection/arg.js'
import type { PossibleName } from './possible-names.js'

const MAX_NAMES = 128
// How many letters of one word may be options before the value begins: `-xzf.env`.
const MAX_LETTERS = 8

const WILD = /[*?[]/
// Separators of words in the languages in which programs take code.
const CODE = /[\s'"`(){}<>|&;$!\\]/
const TOKENS = /[\s'"`(){}<>|&;$!\\]+/
const MARK = /[=:@,;+%#]/
const MARKS = new Uint8Array(128)
for (const mark of '=:@,;+%#') MARKS[mark.charCodeAt(0)] = 1
const DASH = 45

/**
 * Every name that a word could contain: the whole, the text after `=`, `:`, `@` or a comma, the value after the letters
 * of short options, and all of that for each token of a word that holds code. Undefined if there are too many.
 */
export function namesIn(arg: Arg): readonly PossibleName[] | undefined {
  // Braces that the shell did not expand are a program's wildcards.
  const value = valueOf(arg)
  const braced = value.includes('{') ? value.replaceAll(/\{[^{}]*\}/g, '*') : value
  if (braced !== value) return joined([namesOf(value, true), namesOf(braced, true)])
  if (typeof arg === 'string') return namesOf(arg, false)
  const isOwnGlob = arg.isLiteral && WILD.test(arg.value)
  const found = namesOf(isOwnGlob ? arg.value : arg.path, isOwnGlob)
  if (found === undefined || arg.also === undefined) return found
  return joined([found, ...arg.also.map(({ path }) => namesOf(path, false))])
}

function joined(
  lists: readonly (readonly PossibleName[] | undefined)[],
): readonly PossibleName[] | undefined {
  return lists.includes(undefined) ? undefined : lists.flatMap((names) => names ?? [])
}

function namesOf(text: string, seesHidden: boolean): readonly PossibleName[] | undefined {
  const names = new Set<string>()
  addNames(text, names)
  // A backslash is part of an escaped character, and may be part of code.
  if (CODE.test(text)) for (const token of text.split(TOKENS, MAX_NAMES + 1)) addNames(token, names)
  if (names.size > MAX_NAMES) return undefined
  return [...names].map((path) => (seesHidden && WILD.test(path) ? { path, seesHidden } : { path }))
}

function addNames(word: string, names: Set<string>): void {
  const isOption = word.charCodeAt(0) === DASH
  if (!isOption) addFrom(word, 0, names)
  else if (word.charCodeAt(1) !== DASH) {
    for (let at = 2; at < word.length && at <= MAX_LETTERS && /\w/.test(word[at - 1]!); at++)
      addFrom(word, at, names)
  }
  for (let at = 0; at < word.length && names.size <= MAX_NAMES; at++)
    if (isMark(word.charCodeAt(at))) addFrom(word, at + 1, names)
}

function isMark(char: number): boolean {
  return char < 128 && MARKS[char] === 1
}

/** The text from here to the end, and to the next mark: `a:b` is a list of two, or one name. */
function addFrom(word: string, start: number, names: Set<string>): void {
  if (start >= word.length) return
  const rest = word.slice(start)
  names.add(rest)
  // `file://a/b` is a below a host, or a/b.
  if (rest.startsWith('//')) {
    names.add(rest.slice(2))
    const path = rest.indexOf('/', 2)
    if (path !== -1) names.add(rest.slice(path))
  }
  const end = rest.search(MARK)
  if (end > 0) names.add(rest.slice(0, end))
}
