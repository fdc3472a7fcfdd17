import type { ParsedScript } from 'unbash'
import type { ShellKind } from '../shell-kind.js'
import type { GrammarReader } from './grammar-reader.js'
import { readScript } from './read-commands.js'

/** The tree of a text, in the form of the parser's trees, or why the text is not in the grammar. */
export type StrictParse = ParsedScript | string

/**
 * Parses the part of the shell's language with an unambiguous meaning. Every character is accounted for; a text with
 * anything else has no tree. Proofs are made only from these trees.
 */
export function parseStrict(text: string, shell: ShellKind): StrictParse {
  const reader: GrammarReader = {
    text,
    shell,
    at: 0,
    problem: '',
    depth: 0,
    nesting: 0,
    pending: [],
    readScript,
  }
  const script = readScript(reader)
  if (script === undefined) return reader.problem
  if (reader.at < text.length || reader.pending.length > 0) return 'It is no complete shell command.'
  return script
}
