import type { DoubleQuotedChild, Word, WordPart } from 'unbash'
import { anyWords, type Argument } from './argument.js'
import { provesWord } from '../proof/prove-part.js'
import type { Prover } from '../proof/prover.js'
import { readPlainText } from './read-plain-text.js'

// Any folder that a tilde may become: an absolute path, and not a device.
const HOME = '/~'

/** What a command gets for a word, or undefined if the expansion itself may have an effect. */
export function toArgument(word: Word, prover: Prover): Argument | undefined {
  const plain = readPlainText(word.text)
  if (plain !== undefined) return plain
  return provesWord(word, prover) ? joinWord(word) : undefined
}

/** The same, without regard to effects of the expansion. */
export function argumentOf(word: Word): Argument {
  return readPlainText(word.text) ?? joinWord(word)
}

function joinWord({ text, value, parts }: Word): Argument {
  if (parts !== undefined) return joinParts(parts)
  if (hasBraces(text)) return anyWords
  return text.startsWith('~') ? { lead: HOME, isOne: true } : value
}

/** What is known of the words that some parts become, during construction. */
interface Draft {
  lead: string
  /** Whether `lead` is everything so far. */
  isLiteral: boolean
  isOne: boolean
  /** Whether every word begins with `lead`: splitting makes words that do not. */
  keepsLead: boolean
  isRelative: boolean
}

function joinParts(parts: readonly WordPart[]): Argument {
  const draft: Draft = { lead: '', isLiteral: true, isOne: true, keepsLead: true, isRelative: false }
  for (const part of parts) addPart(draft, part)
  if (draft.isLiteral) return draft.lead
  const lead = draft.keepsLead ? draft.lead : ''
  return draft.isRelative ? { lead, isOne: draft.isOne, isRelative: true } : { lead, isOne: draft.isOne }
}

function addPart(draft: Draft, part: WordPart): void {
  switch (part.type) {
    case 'Literal':
      if (part.text.includes('{')) addSplit(draft)
      else if (draft.lead === '' && part.text.startsWith('~')) addUnknown(draft, HOME)
      else addText(draft, part.value)
      return
    case 'SingleQuoted':
      addText(draft, part.value)
      return
    case 'AnsiCQuoted':
      if (isEasyAnsi(part.text)) addText(draft, part.value)
      else addUnknown(draft)
      return
    case 'DoubleQuoted':
      for (const child of part.parts) addQuoted(draft, child)
      return
    case 'Glob':
      if (draft.isLiteral && draft.lead === '') draft.isRelative = true
      addUnknown(draft)
      draft.isOne = false
      return
    case 'ExtendedGlob':
    case 'BraceExpansion':
      addUnknown(draft)
      draft.isOne = false
      return
    case 'ProcessSubstitution':
      addUnknown(draft, '/dev/fd/')
      return
    case 'ArithmeticExpansion':
      addUnknown(draft)
      return
    default:
      if (isCount(part)) addUnknown(draft, '0')
      else addSplit(draft)
  }
}

function addQuoted(draft: Draft, child: DoubleQuotedChild): void {
  if (child.type === 'Literal') addText(draft, child.value)
  else if (isCount(child)) addUnknown(draft, '0')
  else if (isList(child)) addSplit(draft)
  else addUnknown(draft)
}

function addText(draft: Draft, text: string): void {
  if (draft.isLiteral) draft.lead += text
}

/** From here on the text is unknown; if a word begins with it, `start` may say how. */
function addUnknown(draft: Draft, start = ''): void {
  if (draft.isLiteral && draft.lead === '') draft.lead = start
  draft.isLiteral = false
}

function addSplit(draft: Draft): void {
  draft.isLiteral = false
  draft.isOne = false
  draft.keepsLead = false
  draft.isRelative = false
}

/** Braces that would make several words, should the parser have missed them. */
function hasBraces(text: string): boolean {
  return text.includes('{') && (text.includes(',') || text.includes('..'))
}

/** Expansions that are a number without a sign, which no splitting can break. */
function isCount(part: WordPart): boolean {
  if (part.type === 'SimpleExpansion') return /^\$[?#$]$/.test(part.text)
  return part.type === 'ParameterExpansion' && part.prefix === '#'
}

/** Expansions that stay several words in double quotes. */
function isList(child: DoubleQuotedChild): boolean {
  if (child.type === 'SimpleExpansion') return child.text === '$@'
  return child.type === 'ParameterExpansion' && child.text.includes('@')
}

/** `$'…'` with no escape but the few that all shells read alike. */
function isEasyAnsi(text: string): boolean {
  return !/\\[^nt\\'"]/.test(text.replaceAll('\\\\', ''))
}
