import type { CommandNode, Function as FunctionNode, HereDoc, HereString, ParsedScript } from 'unbash'
import type { Arg } from './arg.js'
import type { Call } from './call.js'
import type { Trace } from './trace.js'

/** Where the standard input of a command comes from. */
export type Input = HereDoc | HereString | CommandNode

export interface RunOptions {
  /** Where in the words the command begins. */
  readonly from: number
  /** Index of the command that runs it. */
  readonly by: number | undefined
}

/** The ways back into the walk. Passed in, so that knowledge of commands does not import the walk that uses it. */
export interface Engine {
  /** A command given as words: lists it and notes what it does. */
  run(args: readonly Arg[], options: RunOptions, trace: Trace): void
  /** A script given as text, in the shell that is running. */
  runText(text: string, by: number | undefined, trace: Trace): void
  walkApart(script: ParsedScript, trace: Trace): void
  /** Without a call: nobody knows who calls it and with what. */
  callFunction(called: FunctionNode, call: Call | undefined, trace: Trace): void
}
