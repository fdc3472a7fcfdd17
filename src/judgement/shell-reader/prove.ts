import type { ParsedCommand } from './parse-command.js'
import { ProofWalk } from './proof-walk.js'

export interface Proof {
  /** The whole command line is proven to only read. */
  readonly isReadOnly: boolean
  /** It is, and talks to other hosts. */
  readonly isOpenWorld: boolean
  /** The first thing that was not understood, in one sentence; empty when all was. */
  readonly reason: string
  /**
   * The commands (nodes of the parse) that are proven each on its own. None are when anything in the script can change
   * what another one means: assignments, functions, options of the shell.
   */
  readonly proven: ReadonlySet<object>
}

/**
 * Proves that a command line only reads, or says what it could not understand. It knows a command by its table, down to
 * the last flag; whatever is not in there, or could become anything when the shell expands it, is not proven.
 *
 * It takes for granted that a known name runs the program of that name, and that the configuration of the machine and of
 * the working directory is what the user wants: `git log` runs the pager that git was set up with. What a command line
 * itself sets up is never taken for granted.
 */
export function prove(parsed: ParsedCommand): Proof {
  if (!parsed.ok) return { isReadOnly: false, isOpenWorld: false, reason: parsed.problem, proven: new Set() }
  const walk = new ProofWalk(parsed.isPlain)
  const areProven = walk.provesScript(parsed.script)
  const isReadOnly = !walk.isAstray() && areProven
  return new WalkProof(isReadOnly, walk)
}

/** The reason and the set are made when they are asked for: most callers only want to know whether. */
class WalkProof implements Proof {
  readonly isReadOnly: boolean
  readonly isOpenWorld: boolean
  readonly #walk: ProofWalk
  #proven: ReadonlySet<object> | undefined

  constructor(isReadOnly: boolean, walk: ProofWalk) {
    this.isReadOnly = isReadOnly
    this.isOpenWorld = isReadOnly && walk.isOpenWorld
    this.#walk = walk
  }

  get reason(): string {
    return this.#walk.reason
  }

  get proven(): ReadonlySet<object> {
    return (this.#proven ??= new Set(this.#walk.isTainted ? [] : this.#walk.proven))
  }
}
