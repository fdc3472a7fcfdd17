import type { Arg } from '../detection/arg.js'

/** A name that a program could take out of one of its words. */
export interface WordName {
  /** Wildcards in it count; literal wildcard characters follow a backslash. */
  readonly path: string
  /** The wildcards are the program's own: unlike those of the shell they also take names that start with a dot. */
  readonly seesHidden: boolean
}

const MAX_NAMES = 128
// How many letters of one word may be options before the value begins: `-xzf.env`.
const MAX_LETTERS = 8

const WILD = /[*?[]/
// What ends one word and begins another in the languages that programs are given code in.
const CODE = /[\s'"`(){}<>|&;$!\\]/
const TOKENS = /[\s'"`(){}<>|&;$!\\]+/
const MARK = /[=:@,;+%#]/

/**
 * Every name that could stand in a word: the whole, what follows `=`, `:`, `@` or a comma, the value behind the letters of
 * short options, and all of that for each token of a word that holds code. Undefined where there are too many.
 */
export function namesIn(arg: Arg): readonly WordName[] | undefined {
  if (typeof arg === 'string') return namesOf(arg, false)
  const isOwnGlob = arg.isLiteral && WILD.test(arg.value)
  const found = namesOf(isOwnGlob ? arg.value : arg.path, isOwnGlob)
  if (found === undefined || arg.also === undefined) return found
  const others = arg.also.map(({ path }) => namesOf(path, false))
  if (others.includes(undefined)) return undefined
  return [found, ...others].flatMap((names) => names ?? [])
}

function namesOf(text: string, seesHidden: boolean): readonly WordName[] | undefined {
  const names = new Set<string>()
  addNames(text, names)
  // A backslash is part of an escaped character, and may be part of code.
  if (CODE.test(text)) for (const token of text.split(TOKENS, MAX_NAMES + 1)) addNames(token, names)
  if (names.size > MAX_NAMES) return undefined
  return [...names].map((path) => ({ path, seesHidden: seesHidden && WILD.test(path) }))
}

function addNames(word: string, names: Set<string>): void {
  const isOption = word.startsWith('-')
  if (!isOption) addFrom(word, 0, names)
  else if (word[1] !== '-') {
    for (let at = 2; at < word.length && at <= MAX_LETTERS && /\w/.test(word[at - 1]!); at++)
      addFrom(word, at, names)
  }
  for (let at = 0; at < word.length && names.size <= MAX_NAMES; at++)
    if (MARK.test(word[at]!)) addFrom(word, at + 1, names)
}

/** What stands from here to the end, and to the next mark: `a:b` is a list of two, or one name. */
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
