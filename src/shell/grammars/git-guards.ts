import { isHarmlessSetting, parseSettingText } from '../../platform/git/is-harmless-setting.js'
import type { Argument } from '../parse/argument.js'

/** Whether a setting for one command, such as `-c core.quotepath=off`, only turns something off or is harmless. */
export function isHarmlessOverride(text: string): boolean {
  const setting = parseSettingText(text)
  if (setting === undefined) return false
  const { section, subsection, name, value } = setting
  // Remotes and branches would lead elsewhere than the rest of the line says.
  if (subsection !== undefined) return false
  const key = `${section}.${name}`
  if (key === 'core.hookspath') return value === '/dev/null'
  if (key === 'core.pager') return value === 'cat' || value === ''
  // With another repository format than its own, a repository could be read as anything.
  return section !== 'extensions' && key !== 'core.bare' && isHarmlessSetting(setting, 'remote')
}

/** The folder that `git -C` leads to. Several are applied one after the other; git has no such option without a space. */
export function folderOfGit(options: readonly Argument[]): string | undefined {
  let folder = ''
  for (let at = 0; at < options.length; at++) {
    const word = options[at]
    if (typeof word !== 'string' || /^-[Cc]./.test(word)) return undefined
    if (word === '-c') at += 1
    if (word !== '-C') continue
    at += 1
    const next = options[at]
    if (typeof next !== 'string' || next === '') return undefined
    folder = next.startsWith('/') || folder === '' ? next : `${folder}/${next}`
  }
  return folder
}

const hasWord = (words: readonly Argument[], ...wanted: readonly string[]) =>
  words.some((word) => typeof word === 'string' && wanted.includes(word))

/** The words of a command line that can be guards. */
interface Guards {
  /** Before the sub-command. */
  readonly general: readonly Argument[]
  /** After it, up to the paths: a word after `--` is a file name. */
  readonly own: readonly Argument[]
  readonly paths: readonly Argument[]
}

/** Undefined if there are no general options: most commands have none, and every guard needs one. */
function guardsOf(args: readonly Argument[], from: number): Guards | undefined {
  if (from <= 2) return undefined
  const rest = args.slice(from)
  const dashes = rest.indexOf('--')
  const own = dashes === -1 ? rest : rest.slice(0, dashes)
  return { general: args.slice(1, from - 1), own, paths: dashes === -1 ? [] : rest.slice(dashes + 1) }
}

/** Whether `-c` turns a setting off. The same word after `-C` is a folder. */
function turnsOff({ general }: Guards, name: string): boolean {
  return general.some(
    (word, at) =>
      general[at - 1] === '-c' && typeof word === 'string' && word.toLowerCase() === `${name}=false`,
  )
}

/** A pager is a program that the configuration names, also one for each command. */
const pagesNothing = ({ general }: Guards) => hasWord(general, '--no-pager', '-P')

/**
 * A missing object is fetched, by programs that the configuration names. git has the option since 2.45. Older versions
 * refuse it, and have no other guard: a configuration allows each protocol by name, whatever `-c` forbids, and an alias
 * is enough for a custom protocol.
 */
const fetchesNothing = (guards: Guards) => pagesNothing(guards) && hasWord(guards.general, '--no-lazy-fetch')

/** Reading the index runs the program that watches the files. */
const readsIndexAlone = (guards: Guards) => fetchesNothing(guards) && turnsOff(guards, 'core.fsmonitor')

/** Otherwise a setting may have the submodules compared, by another git in each of them. */
const comparesAlone = ({ own }: Guards) =>
  hasWord(own, '--no-ext-diff') && hasWord(own, '--no-textconv') && hasWord(own, '--submodule=short')

/** For commands that read only names and settings: no file, no object, no index. */
export function isGuardedLook(args: readonly Argument[], from: number): boolean {
  const guards = guardsOf(args, from)
  return guards !== undefined && pagesNothing(guards)
}

// Names defined by git itself: a configuration cannot use them for its own formats.
const FORMATS = new Set('oneline short medium full fuller reference raw email mboxrd'.split(' '))

type FormatUse = 'none' | 'own' | 'configured'

/** Whose format is used. The last one counts, so each of them must name the format itself. */
function formatOf({ own }: Guards): FormatUse {
  let use: FormatUse = 'none'
  for (const word of own) {
    if (typeof word !== 'string') continue
    const value = /^--(?:format|pretty)(?:=(.*))?$/s.exec(word)
    if (value === null && word !== '--oneline') continue
    if (value !== null && !isOwnFormat(value[1])) return 'configured'
    use = 'own'
  }
  return use
}

function isOwnFormat(value: string | undefined): boolean {
  return value !== undefined && (FORMATS.has(value) || value.includes('%') || /^t?format:/.test(value))
}

/** For commands that read recorded objects and show them as they are. */
export function isGuardedReading(args: readonly Argument[], from: number): boolean {
  const guards = guardsOf(args, from)
  return guards !== undefined && fetchesNothing(guards)
}

/** For those among them that take the formats of commits. */
export function isGuardedList(args: readonly Argument[], from: number): boolean {
  const guards = guardsOf(args, from)
  return guards !== undefined && fetchesNothing(guards) && formatOf(guards) !== 'configured'
}

/** For commands that show commits and their changes. */
export function isGuardedLog(args: readonly Argument[], from: number): boolean {
  const guards = guardsOf(args, from)
  return (
    guards !== undefined &&
    fetchesNothing(guards) &&
    turnsOff(guards, 'log.showsignature') &&
    comparesAlone(guards) &&
    // A setting may repeat merges for it, with programs that the configuration names.
    !hasWord(guards.own, '-m') &&
    formatOf(guards) === 'own'
  )
}

/** For comparisons of recorded states. Files of the working tree go through filters of any name before they are compared. */
export function isGuardedDiff(args: readonly Argument[], from: number): boolean {
  const guards = guardsOf(args, from)
  return (
    guards !== undefined &&
    readsIndexAlone(guards) &&
    comparesAlone(guards) &&
    (args[from - 1] === 'diff-tree' || hasWord(guards.own, '--cached', '--staged')) &&
    !hasWord(guards.own, '-m', '--no-index') &&
    formatOf(guards) !== 'configured'
  )
}

/** For `blame commit -- file`. Without a commit, the file of the working tree goes through filters. */
export function isGuardedBlame(args: readonly Argument[], from: number): boolean {
  const guards = guardsOf(args, from)
  if (guards === undefined || !readsIndexAlone(guards) || !hasWord(guards.own, '--no-textconv')) return false
  const { own, paths } = guards
  const commit = own.at(-1)
  const isNamed = typeof commit === 'string' && /^[A-Za-z0-9]/.test(commit)
  // The word before must not be an option that takes this one as its value.
  const isFree = /^(?:--no-textconv|-w|-s|-l|-t|-e|-f|-n|-b|-p)$/.test(String(own.at(-2)))
  const readsFile = own.some((word) => typeof word !== 'string' || word.startsWith('--contents'))
  return isNamed && isFree && !readsFile && paths.length === 1
}

/** For searches. They show files unchanged, unless a setting converts them or opens submodules. */
export function isGuardedSearch(args: readonly Argument[], from: number): boolean {
  const guards = guardsOf(args, from)
  return (
    guards !== undefined &&
    readsIndexAlone(guards) &&
    hasWord(guards.own, '--no-textconv') &&
    hasWord(guards.own, '--no-recurse-submodules')
  )
}
