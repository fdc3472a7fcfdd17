import type { Argument } from '../parse/argument.js'
import { NO_VALUE, VALUE, type CompiledSpec } from '../compile-spec.js'
import { isCount } from './read-options.js'

const DASH = 45

/**
 * The first literal word that looks like an option but is none of the command's. For commands whose options all only
 * read: unknown words may become anything, and options may have any values.
 */
export function findUnknownOption(
  args: readonly Argument[],
  from: number,
  own: CompiledSpec,
): string | undefined {
  for (let index = from; index < args.length; index++) {
    const word = args[index]!
    if (typeof word !== 'string' || word.charCodeAt(0) !== DASH || word.length === 1) continue
    if (word === '--') return undefined
    const kind = word.charCodeAt(1) === DASH ? kindOfLong(word, own) : kindOfLast(word, own)
    if (kind === 0) return word
    if (kind === VALUE) index += 1
  }
  return undefined
}

function kindOfLong(word: string, own: CompiledSpec): number {
  const equals = word.indexOf('=')
  if (equals === -1) return own.options.get(word) ?? 0
  return (own.options.get(word.slice(0, equals)) ?? 0) > NO_VALUE ? NO_VALUE : 0
}

/** The kind of the last of some letters, or undefined if one of them is unknown. */
function kindOfLast(word: string, own: CompiledSpec): number {
  const { letters } = own
  for (let at = 1; at < word.length; at++) {
    const kind = letters[word.charCodeAt(at)] ?? 0
    if (kind === 0) return isCount(word, own) ? NO_VALUE : 0
    if (kind !== NO_VALUE) return at + 1 === word.length ? kind : NO_VALUE
  }
  return NO_VALUE
}
