import type { ExitOptions, ExitReading } from './exit-reading.js'
import { combineFindings, failure } from './exits/finding.js'
import { findingsOfText } from './exits/findings-of-text.js'

const SUCCESS: ExitReading = Object.freeze({ meaning: 'success', sentence: 'The command succeeded.' })
const MAX_CODE = 255

/**
 * The meaning of a shell command's exit code: a `grep` without a match has not failed. Nothing is run. If the code may
 * come from several parts of the command, all of them must agree on an answer; an unknown origin is a failure.
 */
export function readExit(command: string, exitCode: number, options: ExitOptions = {}): ExitReading {
  if (exitCode === 0) return SUCCESS
  if (!Number.isInteger(exitCode) || exitCode < 0 || exitCode > MAX_CODE)
    return failure('The command did not end with an exit code.')
  const findings = findingsOfText(command, {
    code: exitCode,
    isSilent: options.stderr === '',
    hasStderr: (options.stderr ?? '') !== '',
    hasOutput: (options.stdout ?? '') !== '',
    isShell: true,
    pipefail: options.pipefail ?? false,
    errexit: false,
    nounset: false,
    depth: 0,
    inText: findingsOfText,
  })
  return combineFindings(findings, exitCode)
}
