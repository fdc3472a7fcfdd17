import { errorTable } from '../../contract/error-table.js'
import type { ToolError } from '../../contract/objects/tool-error.js'
import { snapshotJson } from '../../platform/json/snapshot-json.js'
import { cleanText } from '../secrets/clean.js'
import type { CallRun } from '../call-run.js'
import { classifyFailure } from './classify-failure.js'
import { nativeErrorRef } from './native-error-ref.js'
import { readMember } from './read-member.js'
import { toolError, type ErrorDetails } from './tool-error.js'

/** The classes that an executor may give its own failure; only the pipeline uses the others. */
export const executorErrorClasses = [
  'execution_failed',
  'dependency_unavailable',
  'rate_limited',
  'setup_required',
  'credential_missing',
  'timeout',
] as const
export type ExecutorErrorClass = (typeof executorErrorClasses)[number]

export interface ToolFailure extends Error {
  errorClass: ExecutorErrorClass
  code: string | undefined
  retryAfter: number | undefined
  nothingHappened: boolean | undefined
  needsOtherArguments: boolean | undefined
}

export interface FailureDetails {
  code?: string
  /** Seconds. */
  retryAfter?: number
  /** Whether the call had no effect, so that the same call may be sent again. */
  nothingHappened?: boolean
  /** Whether the same arguments would fail again: then the call is not repeated. */
  needsOtherArguments?: boolean
  cause?: unknown
}

/** The error that an executor throws to name the class of its failure. */
export function toolFailure(
  errorClass: ExecutorErrorClass,
  message: string,
  more: FailureDetails = {},
): ToolFailure {
  return Object.assign(new Error(message, { cause: more.cause }), {
    errorClass,
    code: more.code,
    retryAfter: more.retryAfter,
    nothingHappened: more.nothingHappened,
    needsOtherArguments: more.needsOtherArguments,
  })
}

const MAX_MESSAGE = 4000

/** Turns any thrown value into an error record. Executors throw strings, undefined, and objects whose getters throw. */
export function describeFailure(thrown: unknown, run: CallRun): ToolError {
  const errorClass = readMember(thrown, 'errorClass')
  const known = executorErrorClasses.find((each) => each === errorClass)
  const more = known === undefined ? guess(thrown) : classifiedFacts(thrown, known, run)
  return toolError(known ?? more.errorClass ?? 'execution_failed', {
    ...more,
    message: cleanText(messageOf(thrown), run).slice(0, MAX_MESSAGE),
    nativeErrorRef: nativeErrorRef(thrown, run),
  })
}

type FailureFacts = Partial<ErrorDetails> & { errorClass?: ExecutorErrorClass }

/** The facts that a classified failure gives about itself. */
function classifiedFacts(thrown: unknown, errorClass: ExecutorErrorClass, run: CallRun): FailureFacts {
  const code = readMember(thrown, 'code')
  const nothingHappened = readMember(thrown, 'nothingHappened')
  return {
    ...(typeof code === 'string' && { toolCode: cleanText(code, run) }),
    ...(typeof nothingHappened === 'boolean' && whatRemains(errorClass, nothingHappened)),
    ...(readMember(thrown, 'needsOtherArguments') === true && OTHER_ARGUMENTS),
    ...adviceOf(readMember(thrown, 'advice'), run),
    ...retryAfterOf(readMember(thrown, 'retryAfter')),
    ...nativeOf(readMember(thrown, 'native'), run),
  }
}

const MAX_ADVICE = 1000

function adviceOf(advice: unknown, run: CallRun): Pick<ErrorDetails, 'advice'> {
  return typeof advice === 'string' && advice !== ''
    ? { advice: cleanText(advice, run).slice(0, MAX_ADVICE) }
    : {}
}

const OTHER_ARGUMENTS = { retrySafe: false, recoverability: 'change_arguments' } as const

const MAX_NATIVE_CHARS = 64 * 1024

/** The failure in the format of the tool's protocol, for edges that use the same protocol. */
function nativeOf(native: unknown, run: CallRun): Pick<ErrorDetails, 'details'> {
  if (typeof native !== 'object' || native === null) return {}
  const snapshot = snapshotJson(native)
  if ('notJson' in snapshot || JSON.stringify(snapshot.value).length > MAX_NATIVE_CHARS) return {}
  return { details: { native: run.redactor.value(snapshot.value, run.secrets) } }
}

/** Guesses from a network or server error. The call's effect so far is unknown. */
function guess(thrown: unknown): FailureFacts {
  const { errorClass, retryAfter } = classifyFailure(thrown)
  return {
    ...(errorClass && { errorClass, retrySafe: false }),
    ...retryAfterOf(retryAfter ?? readMember(thrown, 'retryAfter')),
  }
}

function retryAfterOf(seconds: unknown): Pick<ErrorDetails, 'retryAfter'> {
  return typeof seconds === 'number' && Number.isFinite(seconds) && seconds >= 0
    ? { retryAfter: seconds }
    : {}
}

/** If the call had no effect, there is nothing to inspect first. */
function whatRemains(
  errorClass: ExecutorErrorClass,
  nothingHappened: boolean,
): Pick<ErrorDetails, 'retrySafe' | 'recoverability'> {
  const isToInspect = errorTable[errorClass].recoverability === 'inspect_first'
  return { retrySafe: nothingHappened, ...(nothingHappened && isToInspect && { recoverability: 'retry' }) }
}

function messageOf(thrown: unknown): string {
  if (typeof thrown === 'string') return thrown === '' ? 'The tool failed without a word.' : thrown
  const message = readMember(thrown, 'message')
  if (typeof message === 'string' && message !== '') return message
  try {
    if (thrown === undefined || thrown === null) return 'The tool failed without a word.'
    return typeof thrown === 'object' ? `The tool threw ${JSON.stringify(thrown)}.` : String(thrown)
  } catch {
    return 'The tool failed with something that cannot be shown.'
  }
}
