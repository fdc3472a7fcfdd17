import type { ToolError } from '../../foundation/contract/objects/tool-error.js'
import { scrubText } from '../../foundation/redaction/scrub.js'
import type { CallRun } from './call-run.js'
import { toolError } from './tool-error.js'

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
}

/** What an executor throws when it knows better than "it failed" what went wrong. */
export function toolFailure(
  errorClass: ExecutorErrorClass,
  message: string,
  more: { code?: string; retryAfter?: number; cause?: unknown } = {},
): ToolFailure {
  return Object.assign(new Error(message, { cause: more.cause }), {
    errorClass,
    code: more.code,
    retryAfter: more.retryAfter,
  })
}

const MAX_MESSAGE = 4000

/** Whatever was thrown, as an error record. Executors throw strings, nothing, and objects whose getters throw. */
export function describeFailure(thrown: unknown, run: CallRun): ToolError {
  const errorClass = read(thrown, 'errorClass')
  const code = read(thrown, 'code')
  const retryAfter = read(thrown, 'retryAfter')
  const name = read(thrown, 'name')
  const known = executorErrorClasses.find((each) => each === errorClass)
  return toolError(known ?? 'execution_failed', {
    message: scrubText(messageOf(thrown), run.secrets).slice(0, MAX_MESSAGE),
    ...(known && typeof code === 'string' && { code: scrubText(code, run.secrets) }),
    ...(typeof retryAfter === 'number' && Number.isFinite(retryAfter) && { retryAfter }),
    ...(typeof name === 'string' && {
      nativeErrorRef: scrubText(
        typeof code === 'string' || typeof code === 'number' ? `${name}:${code}` : name,
        run.secrets,
      ),
    }),
  })
}

function messageOf(thrown: unknown): string {
  if (typeof thrown === 'string') return thrown === '' ? 'The tool failed without a word.' : thrown
  const message = read(thrown, 'message')
  if (typeof message === 'string' && message !== '') return message
  try {
    if (thrown === undefined || thrown === null) return 'The tool failed without a word.'
    return typeof thrown === 'object' ? `The tool threw ${JSON.stringify(thrown)}.` : String(thrown)
  } catch {
    return 'The tool failed with something that cannot be shown.'
  }
}

function read(thrown: unknown, key: string): unknown {
  try {
    return typeof thrown === 'object' && thrown !== null ? Reflect.get(thrown, key) : undefined
  } catch {
    return undefined
  }
}
