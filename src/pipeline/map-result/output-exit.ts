import { argumentAt } from '../../policy/patterns/argument-condition.js'
import type { ToolError } from '../../contract/objects/tool-error.js'
import { cleanText } from '../secrets/clean.js'
import type { MappedRun } from './mask-ports.js'
import type { CallState } from '../call-state.js'
import { findExit, type FoundExit, type Written } from '../execute/command-exit.js'
import { toolError } from '../failures/tool-error.js'

/** The path of the exit code in an output made from the executor's error, if the tool declares none. */
export const EXIT_CODE = 'exit_code'

/**
 * The command's exit, if the tool declares where its output has the code. Undefined for code zero, or if there is no
 * code: a command may continue in the background.
 */
export function outputExit(call: CallState, run: MappedRun, output: unknown): FoundExit | undefined {
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
  // Without stderr beside it, stdout may hold both.
  return stderr === undefined ? {} : { stdout: textAt('stdout'), stderr }
}

/** The error of a failed command: its code, and the last lines of stderr. */
export function exitError({ exit: { code }, stderr }: FoundExit, run: MappedRun): ToolError {
  const how = code === null ? 'without an exit code' : `with exit code ${code}`
  // Before it is truncated: half a secret would not be recognized.
  const lastOutput = lastLines(cleanText(stderr ?? '', run))
  const message = `The command ended ${how}, which counts as a failure.${lastOutput && ` The last it said:\n${lastOutput}`}`
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
