import type { Argument } from '../parse/argument.js'
import { hasOption, whether, type Certainty, type ExitRule } from './exit-rule.js'
import { isPlainFind } from './is-plain-find.js'

const nothingFound: ExitRule = { code: 1, meaning: 'nothing_found' }
const conditionFalse: ExitRule = { code: 1, meaning: 'condition_false' }

/** Exit codes that are answers, by program; several names of one are in one key with a space between. */
const table: Readonly<Record<string, readonly ExitRule[]>> = {
  'grep egrep fgrep zgrep rg': [nothingFound],
  // They use the same code for a missing file.
  'ag ack': [{ ...nothingFound, certainty: 'if_silent' }],
  'pgrep pidof which hash': [nothingFound],
  // Also if it found processes that it may not signal.
  pkill: [{ ...nothingFound, certainty: 'if_silent' }],
  type: [nothingFound, { code: 127, meaning: 'nothing_found', isShellOnly: true }],
  command: [
    { ...nothingFound, certainty: looksUp },
    // Of dash, which is `sh` on many systems.
    { code: 127, meaning: 'nothing_found', certainty: looksUp, isShellOnly: true },
  ],
  getent: [{ code: 2, meaning: 'nothing_found' }],

  'diff cmp': [{ code: 1, meaning: 'differs' }],

  'test [ expr': [conditionFalse],
  // Also for an invalid calculation.
  let: [{ ...conditionFalse, certainty: 'if_silent' }],
  jq: [
    { code: 1, meaning: 'condition_false', certainty: (words) => asksForStatus(words, 'sure') },
    // Also for invalid JSON.
    { code: 4, meaning: 'nothing_found', certainty: (words) => asksForStatus(words, 'if_silent') },
  ],
  systemctl: [
    { code: 3, meaning: 'condition_false', certainty: (words) => whether(words.includes('is-active')) },
    { code: 1, meaning: 'condition_false', certainty: asksForState },
  ],

  // It uses this code for everything that it could not do: with other words than these, or without a match, that may be
  // all of it.
  find: [{ code: 1, meaning: 'partly', certainty: (words) => (isPlainFind(words) ? 'if_output' : 'no') }],
}

export const exitRules: ReadonlyMap<string, readonly ExitRule[]> = new Map(
  Object.entries(table).flatMap(([names, rules]) => names.split(' ').map((name) => [name, rules] as const)),
)

/** `command -v x` */
function looksUp(words: readonly Argument[]): Certainty {
  return whether(hasOption(words.slice(1, 2), '-v', '-V'))
}

/** `jq -e`. A filter may end with its own code; it then usually writes a message. */
function asksForStatus(words: readonly Argument[], certainty: Certainty): Certainty {
  const isGiven = (option: string, letter: RegExp): boolean =>
    words.some((word) => typeof word === 'string' && (word === option || letter.test(word)))
  if (!isGiven('--exit-status', /^-[a-zA-Z]*e[a-zA-Z]*$/)) return 'no'
  const isKnown = words.every((word) => typeof word === 'string' && !word.includes('halt'))
  return isKnown && !isGiven('--from-file', /^-[a-zA-Z]*f[a-zA-Z]*$/) ? certainty : 'if_silent'
}

/** Without a running system manager it reports that and ends with the same code. */
function asksForState(words: readonly Argument[]): Certainty {
  return words.includes('is-failed') || words.includes('is-enabled') ? 'if_silent' : 'no'
}
