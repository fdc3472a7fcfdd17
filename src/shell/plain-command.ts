import type { Argument } from './parse/argument.js'

/** Options of git that stand before what it is to do, and those of them that take a value. */
const TAKES_VALUE = new Set([
  '-C',
  '-c',
  '--git-dir',
  '--work-tree',
  '--namespace',
  '--exec-path',
  '--config-env',
])

/** Where git's words say what it is to do: behind the options that stand before that. */
export function gitVerbAt(words: readonly Argument[]): number {
  let at = 1
  for (; at < words.length; at++) {
    const word = words[at]!
    if (typeof word !== 'string' || !word.startsWith('-')) break
    if (TAKES_VALUE.has(word)) at++
  }
  return at
}

/** A command without what stands between the program and what it is to do: `git -C x push` is a `git push`. */
export function plainCommand(words: readonly string[]): string | undefined {
  if ((words[0] ?? '').split('/').at(-1) !== 'git' || !words[1]?.startsWith('-')) return undefined
  const at = gitVerbAt(words)
  return at < words.length ? ['git', ...words.slice(at)].join(' ') : undefined
}
