import type { SubCommand } from './shell-reading.js'

/** How deep a command walks its folders: not at all, without hidden names, or everywhere. */
export type Walk = 'none' | 'visible' | 'all'

type Test = (words: readonly string[]) => Walk

const has =
  (short: RegExp, ...long: string[]): Test =>
  (words) =>
    words.some((word) => (word.startsWith('--') ? isAbbreviated(word, long) : short.test(word)))
      ? 'all'
      : 'none'

/** GNU programs accept abbreviated long options. */
function isAbbreviated(word: string, names: readonly string[]): boolean {
  return word.length > 3 && names.some((name) => name.startsWith(word))
}

const always: Test = () => 'all'
const recurses = has(/^-[A-Za-z]*[rR]/, '--recursive', '--dereference-recursive')
// `-d recurse`, also abbreviated: any other word after `-d` only excludes something.
const grep: Test = (words) =>
  words.some((word) => /^(?:-\w*d|--d[a-z]*=)?rec\w*$/.test(word)) ? 'all' : recurses(words)
const copies = has(/^-[A-Za-z]*[rRa]/, '--recursive', '--archive')
const recursive = has(/^-[A-Za-z]*[rR]/, '--recursive')

/** Search programs that skip hidden files by default. */
const searcher: Test = (words) =>
  words.some((word) => /^-(?:[A-Za-z]*u|\.)/.test(word) || word === '--hidden' || word === '--no-ignore')
    ? 'all'
    : 'visible'

/** `fd` uses its own letters for hidden files. */
const fdSearcher: Test = (words) =>
  words.some((word) => /^-[A-Za-z]*[HuI]|^--(?:hidden|unrestricted)/.test(word)) ? 'all' : searcher(words)

const GIT_WALKS = new Set(['grep', 'add', 'archive', 'clean', 'checkout', 'restore', 'stash', 'rm'])

/** Commands that read the files of a folder, and not only their names. */
const readers: Readonly<Record<string, Test>> = {
  grep,
  egrep: grep,
  fgrep: grep,
  zgrep: grep,
  ggrep: grep,
  rgrep: always,
  rg: searcher,
  ag: searcher,
  ack: always,
  ugrep: recursive,
  find: (words) => (words.some((word) => /^-(?:exec|ok|delete|fprint)/.test(word)) ? 'all' : 'none'),
  fd: (words) =>
    words.some((word) => /^(?:-[A-Za-z]*[xX]|--exec(?:-batch)?)$/.test(word)) ? fdSearcher(words) : 'none',
  tar: (words) => (/^-?[A-Za-z]*[cru]/.test(words[1] ?? '') || words.includes('--create') ? 'all' : 'none'),
  zip: recursive,
  '7z': (words) => (/^[ltib]$/.test(words[1] ?? '') ? 'none' : 'all'),
  cp: copies,
  scp: recursive,
  rsync: copies,
  // Even without an option it compares the files of two folders.
  diff: always,
  // The files of a folder have a second name afterwards.
  ln: always,
  git: (words) => (words.some((word) => GIT_WALKS.has(word)) ? 'all' : 'none'),
  rm: recursive,
  mv: always,
  chmod: has(/^-[A-Za-z]*R/, '--recursive'),
  chown: has(/^-[A-Za-z]*R/, '--recursive'),
  chgrp: has(/^-[A-Za-z]*R/, '--recursive'),
}

/** Names that are listed and then passed to other commands. */
const LISTERS = new Set(['find', 'fd', 'ls'])

/** How the parts of a command line walk folders: the deepest of them. */
export function walkOf(commands: readonly SubCommand[]): Walk {
  let walk: Walk = 'none'
  const programs = commands.map(({ words }) => (words[0] ?? '').split('/').at(-1)!)
  const handsOn = programs.some((program) => program === 'xargs' || program === 'parallel')
  for (const [index, program] of programs.entries()) {
    if (handsOn && LISTERS.has(program)) return 'all'
    const reader = Object.hasOwn(readers, program) ? readers[program] : undefined
    const next = reader?.(commands[index]!.words) ?? 'none'
    if (next === 'all') return 'all'
    if (next === 'visible') walk = 'visible'
  }
  return walk
}
