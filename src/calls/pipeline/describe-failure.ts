import { errorTable } from '../../foundation/contract/error-table.js'
import type { ToolError } from '../../foundation/contract/objects/tool-error.js'
import { scrubText } from '../../foundation/redaction/scrub.js'
import type { CallRun } from './call-run.js'
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
  /** Whether the world is as it was before the call, so that the same call may be sent again. */
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
  const code = readMember(thrown, 'code')
  const retryAfter = readMember(thrown, 'retryAfter')
  const nothingHappened = readMember(thrown, 'nothingHappened')
  const name = readMember(thrown, 'name')
  const known = executorErrorClasses.find((each) => each === errorClass)
  return toolError(known ?? 'execution_failed', {
    message: scrubText(messageOf(thrown), run.secrets).slice(0, MAX_MESSAGE),
    ...(known && typeof code === 'string' && { code: scrubText(code, run.secrets) }),
    ...(known && typeof nothingHappened === 'boolean' && whatRemains(known, nothingHappened)),
    ...(typeof retryAfter === 'number' && Number.isFinite(retryAfter) && { retryAfter }),
    ...(typeof name === 'string' && {
      nativeErrorRef: scrubText(
        typeof code === 'string' || typeof code === 'number' ? `${name}:${code}` : name,
        run.secrets,
      ),
    }),
  })
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

/** What was thrown may be anything, with members that throw in turn. */
export function readMember(thrown: unknown, key: string): unknown {
  try {
    return typeof thrown === 'object' && thrown !== null ? Reflect.get(thrown, key) : undefined
  } catch {
    return undefined
  }
}
