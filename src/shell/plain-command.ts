import type { Argument } from './parse/argument.js'

/** Options of git before its sub-command, and those of them that take a value. */
const TAKES_VALUE = new Set([
  '-C',
  '-c',
  '--git-dir',
  '--work-tree',
  '--namespace',
  '--exec-path',
  '--config-env',
])

/** The index of git's sub-command, after its general options. */
export function gitVerbAt(words: readonly Argument[]): number {
  let at = 1
  for (; at < words.length; at++) {
    const word = words[at]!
    if (typeof word !== 'string' || !word.startsWith('-')) break
    if (TAKES_VALUE.has(word)) at++
  }
  return at
}

/** A command without the options between the program and its sub-command: `git -C x push` is a `git push`. */
export function plainCommand(words: readonly string[]): string | undefined {
  if ((words[0] ?? '').split('/').at(-1) !== 'git' || !words[1]?.startsWith('-')) return undefined
  const at = gitVerbAt(words)
  return at < words.length ? ['git', ...words.slice(at)].join(' ') : undefined
}
