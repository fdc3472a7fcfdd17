import type { SyntaxNode } from 'unbash'
import type { Argument } from '../parse/argument.js'
import { changesPrograms } from '../detection/variable-effects.js'

/** The variable that a part of a script sets, if other programs than the named ones may then run. */
export function programChange(node: SyntaxNode): string | undefined {
  const name = nameSetBy(node)
  return name !== undefined && changesPrograms(name) ? name : undefined
}

function nameSetBy(node: SyntaxNode): string | undefined {
  switch (node.type) {
    case 'Assignment':
      return node.name
    case 'For':
    case 'Select':
      return node.name.value
    case 'ParameterExpansion':
      return node.operation?.type === 'Default' && node.operation.operator.endsWith('=')
        ? node.parameter
        : undefined
    default:
      return undefined
  }
}

const setters = new Set('export local read mapfile readarray getopts let unset'.split(' '))

/** Whether a builtin sets such a variable, or one with a name that only the shell can expand. */
export function setsProgramChange(name: string, words: readonly Argument[]): boolean {
  if (name === 'printf') return words[0] === '-v' && mayName(words[1])
  if (name === 'hash') return words.some((word) => typeof word !== 'string' || /^-[a-z]*p/.test(word))
  return setters.has(name) && words.some(mayName)
}

function mayName(word: Argument | undefined): boolean {
  if (word === undefined) return false
  if (typeof word === 'string') return changesPrograms(/^[^=+[]*/.exec(word)![0]) && !word.startsWith('-')
  const name = /^(\w+)\+?=/.exec(word.lead)?.[1]
  return name === undefined || changesPrograms(name)
}
