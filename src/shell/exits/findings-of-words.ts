import { anyWords, type Argument } from '../parse/argument.js'
import { innerOfXargs } from '../grammars/find-inner-command.js'
import { withPlaceholder } from '../grammars/judge-wrappers.js'
import { gitVerbAt } from '../plain-command.js'
import { programName } from '../parse/program-name.js'
import type { ExitContext } from './exit-context.js'
import type { ExitRule } from './exit-rule.js'
import { exitRules } from './exit-rules.js'
import { failed, type Finding } from './finding.js'
import { gitExitRules } from './git-exit-rules.js'
import { passOn } from './pass-on.js'
import { readSet } from './read-set.js'

const NONE: readonly Finding[] = []

/** They succeed with any arguments. */
const neverFail = new Set(': true echo set'.split(' '))
/** They never fail without a message. */
const failAloud = new Set('cd pushd popd pwd printf export mkdir touch cat ls head tail wc sleep'.split(' '))
const shells = new Set('bash sh dash'.split(' '))

/** The meaning of the code if it comes from the command of these words. */
export function findingsOfWords(words: readonly Argument[], context: ExitContext): readonly Finding[] {
  const [first] = words
  const name = typeof first === 'string' ? programName(first) : undefined
  if (name === undefined) return failed('the command', 'what it runs is not known')
  if (neverFail.has(name)) return NONE
  if (failAloud.has(name)) return context.isSilent ? NONE : failed(name)
  const own =
    name === 'git'
      ? findingOfGit(words, context)
      : findingOf(exitRules.get(name), { by: name, words, context })
  if (own !== undefined) return [own]
  if (shells.has(name)) return findingsOfShell(words, context)
  if (name === 'xargs') return findingsOfXargs(words, context)
  return findingsBehind(name, words, context)
}

function findingOf(
  rules: readonly ExitRule[] | undefined,
  { by, words, context }: { by: string; words: readonly Argument[]; context: ExitContext },
): Finding | undefined {
  for (const { code, meaning, certainty = 'sure', isShellOnly } of rules ?? []) {
    if (code !== context.code || (isShellOnly && !context.isShell)) continue
    const given = typeof certainty === 'function' ? certainty(words) : certainty
    if (given === 'no') continue
    if (given === 'if_output')
      return context.hasOutput ? { meaning, by } : { meaning: 'failure', by, why: forNothing(by) }
    if (given === 'sure' || context.isSilent) return { meaning, by }
    return { meaning: 'failure', by, why: forTrouble(by) }
  }
  return undefined
}

function forTrouble(by: string): string {
  return `${by} ends so for trouble as well, and stderr is not known to be empty`
}

function forNothing(by: string): string {
  return `${by} could not look everywhere, and it is not known that it found anything`
}

function findingOfGit(words: readonly Argument[], context: ExitContext): Finding | undefined {
  const at = gitVerbAt(words)
  const verb = words[at]
  if (typeof verb !== 'string') return undefined
  return findingOf(gitExitRules.get(verb), { by: `git ${verb}`, words: words.slice(at), context })
}

/** A command that only runs another one. */
function findingsBehind(name: string, words: readonly Argument[], context: ExitContext): readonly Finding[] {
  const wrapper = passOn.get(name)
  const inner = wrapper?.find(words, 1)
  if (wrapper === undefined || typeof inner !== 'number') return failed(name)
  if (wrapper.ownCode === context.code && !context.isSilent) return failed(name, forTrouble(name))
  return findingsOfWords(words.slice(inner), {
    ...context,
    isShell: context.isShell && wrapper.isShell === true,
  })
}

/** `bash -c text`, with options that a `set` in the text could also set. */
function findingsOfShell(words: readonly Argument[], context: ExitContext): readonly Finding[] {
  const at = words.findIndex((word) => typeof word === 'string' && /^-[a-z]*c[a-z]*$/.test(word))
  const text = words[at + 1]
  const flags = at === -1 ? undefined : readSet(words.slice(0, at + 1).flatMap(withoutText))
  if (typeof text !== 'string' || text.startsWith('-') || flags === undefined)
    return failed('the shell', 'what the shell runs is not known')
  const given = { pipefail: false, errexit: false, nounset: false }
  for (const flag of flags) given[flag] = true
  return context.inText(text, { ...context, ...given, isShell: true, depth: context.depth + 1 })
}

/** An option without the letters for a text and for a login. */
function withoutText(word: Argument): readonly Argument[] {
  const rest = typeof word === 'string' && /^-[a-z]+$/.test(word) ? word.replaceAll(/[cl]/g, '') : word
  return rest === '-' ? [] : [rest]
}

/** The code of xargs if one of its commands ended with any code from 1 to 125. */
const ONE_FAILED = 123
const searches = new Set('grep egrep fgrep rg'.split(' '))
const MUTE = /^(?:-[a-zA-Z]*[sq][a-zA-Z]*|--(?:no-messages|quiet|silent))$/

/**
 * A search with an error has written a message, unless an option suppresses it: without one, it found nothing in some
 * files.
 */
function findingsOfXargs(words: readonly Argument[], context: ExitContext): readonly Finding[] {
  const inner = innerOfXargs(words, 1)
  if (context.code !== ONE_FAILED || typeof inner === 'string') return failed('xargs')
  const command = [...withPlaceholder(words.slice(inner.at), inner.placeholder), anyWords]
  const name = typeof command[0] === 'string' ? programName(command[0]) : undefined
  const isMute = command.some((word) => typeof word === 'string' && MUTE.test(word))
  if (name === undefined || !searches.has(name) || isMute) return failed('xargs')
  if (!context.isSilent) return failed('xargs', forTrouble('xargs'))
  return findingsOfWords(command, { ...context, code: 1, isShell: false })
}
