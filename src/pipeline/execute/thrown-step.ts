import type { ExecuteRun } from './execute-ports.js'
import type { CallState } from '../call-state.js'
import { findExit, type FoundExit } from './command-exit.js'
import { describeFailure } from '../failures/describe-failure.js'
import { EXIT_CODE } from '../map-result/output-exit.js'
import { failAttempt, type AttemptFailure } from './fail-attempt.js'
import { readMember } from '../failures/read-member.js'
import { proceed, type Step } from '../step.js'

/**
 * The step after the executor threw: a failure, unless it threw Node's error for a command with a nonzero exit code,
 * and the code is an answer.
 */
export function thrownStep(
  { call, run }: { call: CallState; run: ExecuteRun },
  thrown: unknown,
  startedAt: number,
): Step {
  const failure = describeFailure(thrown, run)
  const found = run.tool!.draft.input.commandField && exitIn(thrown, call, run)
  if (!found) return failAttempt(call, run, { error: failure, patch: { startedAt }, ...repetitionOf(thrown) })
  const { exit } = found
  if (exit.meaning === 'failure')
    return failAttempt(call, run, { error: failure, patch: { startedAt, exit } })
  return proceed({ output: outputOf(found, run), startedAt, exit, insteadOfOutput: failure })
}

/** What a failure says about another attempt, where the settings of its tool decide that. */
function repetitionOf(thrown: unknown): Pick<AttemptFailure, 'repetition'> {
  const said = readMember(thrown, 'repetition')
  return said === 'allowed' || said === 'never' ? { repetition: said } : {}
}

interface ThrownExit extends FoundExit {
  readonly stdout: string
}

/** `execFile` throws `code`, `execFileSync` throws `status`, both with what was written. */
function exitIn(thrown: unknown, call: CallState, run: ExecuteRun): ThrownExit | undefined {
  const code = [readMember(thrown, 'code'), readMember(thrown, 'status')].find(Number.isInteger)
  const stdout = textOf(readMember(thrown, 'stdout'))
  const stderr = textOf(readMember(thrown, 'stderr'))
  if (typeof code !== 'number' || stdout === undefined || stderr === undefined) return undefined
  // An error with a class of its own is more precise, and a killed command has not answered.
  if (readMember(thrown, 'errorClass') !== undefined || readMember(thrown, 'signal')) return undefined
  // A killed command may have caught the signal and chosen a code of its own.
  if (readMember(thrown, 'killed') === true) return undefined
  return { ...findExit({ call, run }, code, { stdout, stderr }), stdout }
}

function textOf(written: unknown): string | undefined {
  if (typeof written === 'string') return written
  return written instanceof Uint8Array ? Buffer.from(written).toString('utf8') : undefined
}

/** The output that the tool would have returned, with the code at the tool's declared path. */
function outputOf({ exit, stdout, stderr }: ThrownExit, run: ExecuteRun): unknown {
  const path = (run.tool!.draft.output.exitCode ?? EXIT_CODE).split('.')
  const output = { [path.at(-1)!]: exit.code, stdout, stderr }
  return path.slice(0, -1).reduceRight<unknown>((inner, name) => ({ [name]: inner }), output)
}
