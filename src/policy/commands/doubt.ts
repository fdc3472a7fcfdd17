import { cleanLine } from '../../platform/text/clean-text.js'
import type { Entry } from '../rules/entry.js'
import { plainName } from '../patterns/path-pattern.js'
import type { TouchedPath } from './touched.js'

/** A rule that may match, and the part of the call that leaves it open. */
export interface MeantRule {
  readonly entry: Entry
  readonly doubt: Doubt
}

/** Why a rule only may match a call. */
export type Doubt =
  /** A word of a command may name a path of the rule; `name` is the part of the word that does. */
  | { readonly kind: 'word'; readonly program: string; readonly word: string; readonly name: string }
  /** A file that a program keeps for itself, or a path that it builds from several words. */
  | { readonly kind: 'file'; readonly program: string; readonly path: string }
  /** A link among the files that match a wildcard. */
  | { readonly kind: 'link'; readonly path: string }
  /** A program that may touch more than its words name. If the line changes what names mean, no rule covers it. */
  | { readonly kind: 'program'; readonly program: string; readonly changesMeaning: boolean }
  /** A program that may run what its words contain. */
  | { readonly kind: 'runs'; readonly program: string | undefined; readonly lead: string }
  /** Words that only the shell can expand. */
  | { readonly kind: 'expansion'; readonly text: string }
  /** A redirect or a variable with an unknown target. */
  | { readonly kind: 'shell' }
  /** Code that cannot be read before it runs. */
  | { readonly kind: 'code' }
  /** A folder that is walked. */
  | { readonly kind: 'folder'; readonly path: string; readonly access: TouchedPath['access'] }
  /** A text that is content by the name of its argument but is a path as a whole. */
  | { readonly kind: 'content'; readonly path: string }
  /** A condition of the rule about a fact that was not declared. */
  | { readonly kind: 'condition' }

/** The second half of a sentence that begins with the rule. */
export function sayDoubt(doubt: Doubt): string {
  switch (doubt.kind) {
    case 'word':
      return `the word ${showWord(doubt)} of ${show(doubt.program)} may name a path of that rule.`
    case 'file':
      return `${show(doubt.program)} may use ${show(doubt.path)}, which is a path of that rule.`
    case 'link':
      return `the wildcards take ${show(doubt.path)}, a link to a path of that rule.`
    case 'program':
      return `it is not known which files ${show(doubt.program)} touches.`
    case 'runs':
      return `"${show(doubt.lead)}" stands in the command, and ${
        doubt.program === undefined ? 'something in it' : show(doubt.program)
      } may run it.`
    case 'expansion':
      return `what the shell puts in place of the words in "${show(doubt.text)}" is not known.`
    case 'shell':
      return 'it is not known which file the shell opens, or what a variable makes it do.'
    case 'code':
      return 'not all that the command runs can be read.'
    case 'folder':
      return `all that lies below ${show(doubt.path)} may be ${
        doubt.access === 'read' ? 'read' : 'changed'
      }, and a path of that rule may lie there.`
    case 'content':
      return `a text of the call is ${show(doubt.path)}, which is a path of that rule.`
    case 'condition':
      return 'whether its conditions hold cannot be told from the call.'
  }
}

/** What would have to change about the call, as a sentence for people. */
export function resolveDoubt(doubt: Doubt): string {
  switch (doubt.kind) {
    case 'word':
      return `The command would have to do without ${showWord(doubt)}: no allow rule lifts this for a word that may name such a path.`
    case 'file':
    case 'link':
      return `The command would have to leave ${show(doubt.path)} alone: no allow rule lifts this.`
    case 'program':
      return `${
        doubt.changesMeaning
          ? 'The command would have to do without functions, aliases and variables that change what runs: then an'
          : 'An'
      } allow rule that names ${show(doubt.program)} and how it is called would speak for the files that it touches by itself.`
    case 'runs':
      return `The command would have to do without "${show(doubt.lead)}", or an allow rule would have to name the program that gets it.`
    case 'expansion':
      return 'The command would have to name its files plainly, without variables, substitutions or wildcards.'
    case 'shell':
      return 'The command would have to name its files plainly, or an allow rule would have to give the whole line word for word.'
    case 'code':
      return 'The command would have to be written plainly: commands with their words, and no code that shows only when it runs.'
    case 'folder':
      return 'The call would have to name a folder or file below which no path of that rule may lie.'
    case 'content':
      return 'The text would have to be another one than a path of that rule.'
    case 'condition':
      return 'The tool would have to declare what the conditions of the rule are about.'
  }
}

const MAX_CHARS = 60

function show(text: string): string {
  return cleanLine(text, MAX_CHARS)
}

/** A long word is truncated to the part that may be the name. */
function showWord({ word, name }: Extract<Doubt, { kind: 'word' }>): string {
  const text = cleanLine(word, Infinity)
  return text.length <= MAX_CHARS ? `"${text}"` : `"…${show(plainName(name))}"`
}
