import type { ExitReading } from '../../shell/exit-reading.js'
import { argumentAt } from '../../policy/patterns/argument-condition.js'
import { readExit } from '../../shell/read-exit.js'
import type { CallRun } from '../call-run.js'
import { inputOf, type CallState } from '../call-state.js'
import type { CommandExit } from '../call-state.js'

/** What the command wrote, if stdout and stderr are separate. */
export interface Written {
  readonly stdout?: string | undefined
  readonly stderr?: string | undefined
}

/** An exit code, its meaning, and the command's stderr. */
export interface FoundExit {
  readonly exit: CommandExit
  readonly reading: ExitReading
  readonly stderr: string | undefined
}

const NO_CODE: ExitReading = { meaning: 'failure', sentence: 'The command did not end with an exit code.' }

/** Reads the code together with the call's command. Without a command, the code alone decides. */
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
