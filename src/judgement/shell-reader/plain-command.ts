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

/** A command without what stands between the program and what it is to do: `git -C x push` is a `git push`. */
export function plainCommand(words: readonly string[]): string | undefined {
  if ((words[0] ?? '').split('/').at(-1) !== 'git' || !words[1]?.startsWith('-')) return undefined
  let at = 1
  while (at < words.length && words[at]!.startsWith('-')) at += TAKES_VALUE.has(words[at]!) ? 2 : 1
  return at < words.length ? ['git', ...words.slice(at)].join(' ') : undefined
}
