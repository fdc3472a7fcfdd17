import type { ParsedCommand } from '../parse/parse-command.js'
import { ProofWalk } from './proof-walk.js'
import type { Proof } from './proof.js'
import type { ShellContext } from '../shell-reading.js'

/**
 * Proves that a command line only reads, or says what it could not understand. Only a tree of our own grammar can prove
 * anything: a text outside of it is not proven, whatever another parser makes of it. A command is known by its table, down
 * to the last flag; whatever is not in there, or could become anything when the shell expands it, is not proven.
 *
 * It takes for granted that a known name runs the program of that name, and that the configuration of the user and of the
 * machine is what the user wants: `git log` runs the pager that git was set up with. What lies in a folder is not taken for
 * granted: `place.folders` is asked. What a command line itself sets up never is.
 */
export function prove(parsed: ParsedCommand, place: ShellContext): Proof {
  if (!parsed.ok) return unproven(parsed.problem)
  if (parsed.doubt !== '') return unproven(parsed.doubt)
  const walk = new ProofWalk(place)
  walk.conclude(parsed)
  return walk
}

function unproven(reason: string): Proof {
  return { isReadOnly: false, isOpenWorld: false, dependsOnFolder: false, reason, proven: [] }
}
