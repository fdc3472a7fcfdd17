import type { Argument } from '../parse/argument.js'

/** Options of the shell that change where an exit code comes from. */
export type ShellFlag = 'pipefail' | 'errexit' | 'nounset'

const letters = new Map<string, ShellFlag>([
  ['e', 'errexit'],
  ['u', 'nounset'],
])
const flagNames = new Set<string>(['pipefail', 'errexit', 'nounset'])
// Only tracing, expansion of names, and overwriting by redirects.
const harmless = new Set('xtrace verbose noglob noclobber errtrace functrace allexport'.split(' '))

/**
 * The flags that a `set`, or a shell's own options, switches on; undefined if it does something else as well. A flag
 * that is switched off again counts as on.
 */
export function readSet(words: readonly Argument[]): readonly ShellFlag[] | undefined {
  const flags: ShellFlag[] = []
  for (let at = 1; at < words.length; at++) {
    const word = words[at]!
    if (typeof word !== 'string') return undefined
    if (word === '--') return flags
    const given = /^[-+]([euxvfCETa]*)(o?)$/.exec(word)
    if (given === null || word.length < 2) return undefined
    for (const letter of given[1]!) {
      const flag = letters.get(letter)
      if (flag !== undefined) flags.push(flag)
    }
    if (given[2] === '') continue
    const name = words[++at]
    if (typeof name !== 'string') return undefined
    if (flagNames.has(name)) flags.push(name as ShellFlag)
    else if (!harmless.has(name)) return undefined
  }
  return flags
}
