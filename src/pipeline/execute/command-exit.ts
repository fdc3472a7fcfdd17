import type { ExitMeaning, ExitReading } from '../../shell/exit-reading.js'
import { argumentAt } from '../../policy/patterns/argument-condition.js'
import { readExit } from '../../shell/read-exit.js'
import type { CallRun } from '../call-run.js'
import { inputOf, type CallState } from '../call-state.js'

/** How the command of a call ended: its own code, and what that says. */
export interface CommandExit {
  /** None where it was ended by a signal. */
  readonly code: number | null
  readonly meaning: ExitMeaning
}

/** What the command wrote, where the two were kept apart. */
export interface Written {
  readonly stdout?: string | undefined
  readonly stderr?: string | undefined
}

/** A code that was found, what it says, and what was said on stderr. */
export interface FoundExit {
  readonly exit: CommandExit
  readonly reading: ExitReading
  readonly stderr: string | undefined
}

const NO_CODE: ExitReading = { meaning: 'failure', sentence: 'The command did not end with an exit code.' }

/** Reads the code with the command that the call ran. Where there is no such text, nothing speaks for the code. */
export function findExit(
  { call, run }: { call: CallState; run: CallRun },
  code: number | null,
  { stdout, stderr }: Written,
): FoundExit {
  const { commandField } = run.tool!.draft.input
  const command: unknown = commandField && argumentAt(inputOf(call, 'call'), commandField.field)
  const reading =
    code === null ? NO_CODE : readExit(typeof command === 'string' ? command : '', code, { stdout, stderr })
  return { exit: Object.freeze({ code, meaning: reading.meaning }), reading, stderr }
}
