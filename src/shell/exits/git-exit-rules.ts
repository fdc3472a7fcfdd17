import type { Argument } from '../parse/argument.js'
import { hasOption, operandsOf, whether, type Certainty, type ExitRule } from './exit-rule.js'

const nothingFound: ExitRule = { code: 1, meaning: 'nothing_found' }

/** The words from git's sub-command on. */
type Words = readonly Argument[]

/** Exit codes of git that are answers, by sub-command. Errors are 128 or 129 unless stated otherwise. */
const table: Readonly<Record<string, readonly ExitRule[]>> = {
  'grep check-ignore': [nothingFound],
  // With `--exists` it is an error.
  'show-ref': [{ ...nothingFound, certainty: (words) => whether(!hasOption(words, '--exists')) }],
  diff: [{ code: 1, meaning: 'differs', certainty: compares }],
  'diff-files diff-index diff-tree': [
    { code: 1, meaning: 'differs', certainty: (words) => whether(asksForCode(words)) },
  ],
  'ls-files': [{ ...nothingFound, certainty: (words) => whether(hasOption(words, '--error-unmatch')) }],
  'cat-file': [{ ...nothingFound, certainty: (words) => whether(hasOption(words, '-e')) }],
  'symbolic-ref': [{ ...nothingFound, certainty: (words) => whether(hasOption(words, '-q', '--quiet')) }],
  'rev-parse': [{ ...nothingFound, certainty: (words) => whether(verifiesOne(words)) }],
  config: [{ ...nothingFound, certainty: looksUpKey }],
  'merge-base': [
    {
      code: 1,
      meaning: 'condition_false',
      certainty: (words) => whether(hasOption(words, '--is-ancestor')),
    },
  ],
}

export const gitExitRules: ReadonlyMap<string, readonly ExitRule[]> = new Map(
  Object.entries(table).flatMap(([names, rules]) => names.split(' ').map((name) => [name, rules] as const)),
)

function asksForCode(words: Words): boolean {
  return hasOption(words, '--exit-code', '--quiet')
}

/** Two operands may be two files outside of any repository; a missing one has the same code, with a message. */
function compares(words: Words): Certainty {
  if (hasOption(words, '--no-index')) return 'if_silent'
  if (!asksForCode(words)) return 'no'
  const operands = operandsOf(words.slice(1))
  return operands !== undefined && operands.length < 2 ? 'sure' : 'if_silent'
}

/** Without `-q` it is an error; for two names it gives only this code. */
function verifiesOne(words: Words): boolean {
  if (!hasOption(words, '--verify') || !hasOption(words, '-q', '--quiet')) return false
  return operandsOf(words.slice(1))?.length === 1
}

const KEY = /^[A-Za-z][\w-]*(?:\..*)?\.[A-Za-z][A-Za-z0-9-]*$/
const getters = new Set('get --get --get-all'.split(' '))
const layers = new Set('--global --local --system --worktree'.split(' '))

/** An invalid key is an error with the same code, and a message. */
function looksUpKey(words: Words): Certainty {
  if (hasOption(words, '--get-regexp')) return 'sure'
  const isGetter = (word: Argument): boolean => typeof word === 'string' && getters.has(word)
  const asked = words.findIndex(isGetter)
  const rest = words.slice(asked === -1 ? 1 : asked + 1)
  const at = rest.findIndex((word) => typeof word !== 'string' || !word.startsWith('-'))
  const key = rest[at]
  const isKey = typeof key === 'string' && KEY.test(key)
  if (asked !== -1) return isKey ? 'sure' : 'if_silent'
  // With more words it may be set instead.
  return whether(
    isKey && rest.length === at + 1 && rest.slice(0, at).every((word) => layers.has(String(word))),
  )
}
