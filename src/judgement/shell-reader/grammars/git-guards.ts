import { isHarmlessSetting, parseSettingText } from '../../../foundation/git/is-harmless-setting.js'
import type { Argument } from '../argument.js'

/** Whether a setting that is given for one command, as `-c core.quotepath=off`, only turns something off or is harmless. */
export function isHarmlessOverride(text: string): boolean {
  const setting = parseSettingText(text)
  if (setting === undefined) return false
  const { section, subsection, name, value } = setting
  // Remotes and branches would lead elsewhere than the rest of the line says.
  if (subsection !== undefined) return false
  const key = `${section}.${name}`
  if (key === 'core.hookspath') return value === '/dev/null'
  if (key === 'core.pager') return value === 'cat' || value === ''
  // Another format of the repository than it has could be read as anything.
  return section !== 'extensions' && key !== 'core.bare' && isHarmlessSetting(setting, 'remote')
}

/** The folder that `git -C` leads to. Several of them lead on from each other; without a space, git knows no such option. */
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

const hasWord = (args: readonly Argument[], ...words: readonly string[]) =>
  args.some((arg) => typeof arg === 'string' && words.includes(arg))

/** A pager is a program that the configuration names, and so is one for each command. */
const pagesNothing = (args: readonly Argument[], from: number) =>
  // Most have no options before what they are to do.
  from > 2 && hasWord(args.slice(1, from), '--no-pager', '-P')

/** For commands that look at names and settings alone: no file, no object, no index. */
export function isGuardedLook(args: readonly Argument[], from: number): boolean {
  return pagesNothing(args, from)
}

// Named by git itself: a configuration cannot give these names to formats of its own.
const FORMATS = new Set('oneline short medium full fuller reference raw email mboxrd'.split(' '))

/** A format that says itself what is shown, so that none of the configuration is used. */
function namesFormat(words: readonly Argument[]): boolean {
  return words.some((word) => {
    if (typeof word !== 'string') return false
    if (word === '--oneline') return true
    const value = /^--(?:format|pretty)=(.*)$/s.exec(word)?.[1]
    return value !== undefined && (FORMATS.has(value) || value.includes('%') || /^t?format:/.test(value))
  })
}

/** An object that is missing is fetched, by programs that the configuration names. Older versions refuse the option. */
const fetchesNothing = (args: readonly Argument[], from: number) =>
  pagesNothing(args, from) && hasWord(args.slice(1, from), '--no-lazy-fetch')

/** For commands that read recorded objects and show them as they are. */
export function isGuardedReading(args: readonly Argument[], from: number): boolean {
  return fetchesNothing(args, from)
}

/** For commands that show commits and what they changed. */
export function isGuardedLog(args: readonly Argument[], from: number): boolean {
  const [general, own] = [args.slice(1, from), args.slice(from)]
  return (
    fetchesNothing(args, from) &&
    general.some((arg) => typeof arg === 'string' && /^log\.showsignature=false$/i.test(arg)) &&
    hasWord(own, '--no-ext-diff') &&
    hasWord(own, '--no-textconv') &&
    // Else a setting may have the submodules compared, by another git in each of them.
    hasWord(own, '--submodule=short') &&
    // A setting may have merges done again for it, by programs that the configuration names.
    !hasWord(own, '-m') &&
    namesFormat(own)
  )
}
