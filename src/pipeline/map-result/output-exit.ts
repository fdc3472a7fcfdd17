import { argumentAt } from '../../policy/patterns/argument-condition.js'
import type { ToolError } from '../../contract/objects/tool-error.js'
import { cleanText } from '../secrets/clean.js'
import type { CallRun } from '../call-run.js'
import type { CallState } from '../call-state.js'
import { findExit, type FoundExit, type Written } from '../execute/command-exit.js'
import { toolError } from '../failures/tool-error.js'

/** Where the code stands in an output that was made of what the executor threw, where the tool does not say. */
export const EXIT_CODE = 'exit_code'

/**
 * How the command ended, where the tool says at which place of its output that stands. Nothing where it ended with zero,
 * or where the place is empty: a command may go on in the background.
 */
export function outputExit(call: CallState, run: CallRun, output: unknown): FoundExit | undefined {
  const field = run.tool!.draft.output.exitCode ?? (call.insteadOfOutput && EXIT_CODE)
  if (field === undefined) return undefined
  const code = argumentAt(output, field)
  if (code === 0 || code === undefined) return undefined
  const isCode = typeof code === 'number' && Number.isInteger(code)
  return findExit({ call, run }, isCode ? code : null, writtenBeside(field, output))
}

function writtenBeside(field: string, output: unknown): Written {
  const textAt = (name: string): string | undefined => {
    const text = argumentAt(output, [...field.split('.').slice(0, -1), name].join('.'))
    return typeof text === 'string' ? text : undefined
  }
  const stderr = textAt('stderr')
  // Alone, what is called stdout may hold both.
  return stderr === undefined ? {} : { stdout: textAt('stdout'), stderr }
}

/** The error of a command that failed: its code, and the last that it said. */
export function exitError({ exit: { code }, stderr }: FoundExit, run: CallRun): ToolError {
  const how = code === null ? 'without an exit code' : `with exit code ${code}`
  // Before it is cut: half a secret would not be known for one.
  const said = lastLines(cleanText(stderr ?? '', run))
  const message = `The command ended ${how}, which counts as a failure.${said && ` The last it said:\n${said}`}`
  return toolError('execution_failed', {
    code: 'toolcrib.exit_code',
    message,
    ...(code !== null && { nativeErrorRef: `exit_code:${code}` }),
  })
}

const MAX_LINES = 8
const MAX_CHARS = 1000

function lastLines(text: string): string {
  return text.trim().split('\n').slice(-MAX_LINES).join('\n').slice(-MAX_CHARS)
}
