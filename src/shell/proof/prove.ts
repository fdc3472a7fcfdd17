import type { ParsedCommand } from '../parse/parse-command.js'
import { ProofWalk } from './proof-walk.js'
import type { Proof } from './proof.js'
import type { ShellContext } from '../shell-reading.js'

/**
 * Proves that a command line only reads, or says what is unknown. Only a tree of the strict grammar can prove anything:
 * a text outside of it is not proven, whatever another parser makes of it. A command is known by its table, down to the
 * last flag; a word that is not in there, or that could become anything by expansion, is not proven.
 *
 * It assumes that a known name runs the program of that name, and that the configuration of the user and of the machine
 * is what the user wants: `git log` runs the pager that git was set up with. Nothing is assumed about files in a
 * folder: `context.folders` checks them. Nothing is assumed about settings in the command line itself.
 */
export function prove(parsed: ParsedCommand, context: ShellContext): Proof {
  if (!parsed.ok) return unproven(parsed.problem)
  if (parsed.doubt !== '') return unproven(parsed.doubt)
  const walk = new ProofWalk(context)
  walk.conclude(parsed)
  return walk
}

function unproven(reason: string): Proof {
  return { isReadOnly: false, isOpenWorld: false, dependsOnFolder: false, reason, proven: [] }
}
