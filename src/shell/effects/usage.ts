import type { Call } from '../detection/call.js'
import type { Trace } from '../detection/trace.js'

/** The role of a word: what the command does with the thing that it names. */
export type Role =
  /** Nothing is touched under this name. */
  | 'text'
  /** A path if it looks like one; otherwise a name of something. */
  | 'maybe'
  | 'read'
  /** Created or appended to. */
  | 'write'
  /** Overwritten. */
  | 'replace'
  /** Read and changed in place. */
  | 'edit'
  /** Deleted or emptied. */
  | 'delete'
  /** Read, then deleted. */
  | 'move'
  /** Read and run as a program. */
  | 'script'
  /** A text that a shell runs. */
  | 'command'
  | 'host'

/** How a command reads its words. */
export interface Usage {
  /** Roles of the first words that are not options. */
  readonly first?: readonly Role[]
  /** Role of the words after these. */
  readonly rest?: Role
  /** Role of the last word, if there are at least two. */
  readonly last?: Role
  /** Options that take a value, and the role of the value; some take two. */
  readonly takes?: Readonly<Record<string, Role | readonly Role[]>>
  /** Options that change how the others are read. */
  readonly when?: Readonly<Record<string, Usage>>
  /** Role of the working folder, if all words have the role `text`. */
  readonly here?: Role
  /** `-name` is one option, not four. */
  readonly isSingleDash?: boolean
  /** Words may be `host:path` or `container:path`. */
  readonly remote?: 'hosts' | 'containers' | undefined
  /** Why it is destructive beyond the effects of its words. */
  readonly destroys?: string
  readonly isOpenWorld?: boolean
  /** Not all its effects are known. */
  readonly isPartial?: boolean
}

/** A command whose words need more than a table. */
export type Act = (call: Call, trace: Trace) => void

export type Effect = Usage | Act

export type EffectTable = Readonly<Record<string, Effect>>

/** The same effect for several names. */
export function each(names: string, effect: Effect): EffectTable {
  return Object.fromEntries(names.split(' ').map((name) => [name, effect]))
}

/** Several options whose values have the same role. */
export function options(names: string, role: Role): Readonly<Record<string, Role>> {
  return Object.fromEntries(names.split(' ').map((name) => [name, role]))
}
