import { errorTable } from '../../contract/error-table.js'
import type { ToolError } from '../../contract/objects/tool-error.js'
import { snapshotJson } from '../../platform/json/snapshot-json.js'
import { cleanText } from '../secrets/clean.js'
import type { CallRun } from '../call-run.js'
import { classifyFailure } from './classify-failure.js'
import { nativeErrorRef } from './native-error-ref.js'
import { readMember } from './read-member.js'
import { toolError, type ErrorDetails } from './tool-error.js'

/** The classes that an executor may name for its own failure; the others are the pipeline's to say. */
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
}

export interface FailureDetails {
  code?: string
  /** Seconds. */
  retryAfter?: number
  /** Whether the ports is as it was before the call, so that the same call may be sent again. */
  nothingHappened?: boolean
  cause?: unknown
}

/** What an executor throws when it knows better than "it failed" what went wrong. */
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
  })
}

const MAX_MESSAGE = 4000

/** Whatever was thrown, as an error record. Executors throw strings, nothing, and objects whose getters throw. */
export function describeFailure(thrown: unknown, run: CallRun): ToolError {
  const errorClass = readMember(thrown, 'errorClass')
  const known = executorErrorClasses.find((each) => each === errorClass)
  const more = known === undefined ? guess(thrown) : said(thrown, known, run)
  return toolError(known ?? more.errorClass ?? 'execution_failed', {
    ...more,
    message: cleanText(messageOf(thrown), run).slice(0, MAX_MESSAGE),
    nativeErrorRef: nativeErrorRef(thrown, run),
  })
}

type FailureFacts = Partial<ErrorDetails> & { errorClass?: ExecutorErrorClass }

/** What a tool that knows better says of its own failure. */
function said(thrown: unknown, errorClass: ExecutorErrorClass, run: CallRun): FailureFacts {
  const code = readMember(thrown, 'code')
  const nothingHappened = readMember(thrown, 'nothingHappened')
  return {
    ...(typeof code === 'string' && { toolCode: cleanText(code, run) }),
    ...(typeof nothingHappened === 'boolean' && whatRemains(errorClass, nothingHappened)),
    ...retryAfterOf(readMember(thrown, 'retryAfter')),
    ...nativeOf(readMember(thrown, 'native'), run),
  }
}

const MAX_NATIVE_CHARS = 64 * 1024

/** The failure as the protocol behind the tool said it, for doors that speak the same one. */
function nativeOf(native: unknown, run: CallRun): Pick<ErrorDetails, 'details'> {
  if (typeof native !== 'object' || native === null) return {}
  const snapshot = snapshotJson(native)
  if ('notJson' in snapshot || JSON.stringify(snapshot.value).length > MAX_NATIVE_CHARS) return {}
  return { details: { native: run.redactor.value(snapshot.value, run.secrets) } }
}

/** What follows from the error of a network or a server. What the tool had done before nobody knows. */
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

/** Where nothing happened there is nothing to look at first. */
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
