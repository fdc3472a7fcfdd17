import { isObject } from '../../../platform/json/is-object.js'
import type { CompiledTool, ErrorMeaning } from '../compiled.js'
import { attemptsOf, RETRIED_STATUSES } from './attempts.js'

/** Members that failures of executors have, as far as they matter here. */
interface Failure extends Error {
  errorClass?: string
  status?: number
  needsOtherArguments?: boolean
  native?: Record<string, unknown>
  advice?: string
  repetition?: 'allowed' | 'never'
}

/** Without a status, only these may end differently the next time. */
const PASSING: ReadonlySet<string | undefined> = new Set([
  'dependency_unavailable',
  'rate_limited',
  'timeout',
])

/**
 * Adds what the tool file says about a failure: the meaning of its code, what an agent does about it, and whether the
 * call is sent again. The same error, since callers compare it with the reason of an abort.
 */
export function explainFailure(error: unknown, tool: CompiledTool): unknown {
  if (!(error instanceof Error) || (error as Failure).errorClass === undefined) return error
  const failure = error as Failure
  const said = meaningOf(failure, tool.errorCodes)
  if (said?.meaning !== undefined) failure.message = `${sentence(failure.message)} ${sentence(said.meaning)}`
  if (said?.agent_action !== undefined) failure.advice = sentence(said.agent_action)
  const repetition = repetitionOf(failure, tool)
  if (repetition !== undefined) failure.repetition = repetition
  if (repetition === 'allowed') failure.needsOtherArguments = false
  return failure
}

/** By the status, or by the code that the service itself gives: `native.status`, `native.code`, `native.error.code`. */
function meaningOf(
  { status, native }: Failure,
  errorCodes: CompiledTool['errorCodes'],
): ErrorMeaning | undefined {
  const inner = isObject(native?.['error']) ? native['error']['code'] : undefined
  const codes = [status, native?.['status'], native?.['code'], inner]
  const known = codes.map(String).find((code) => Object.hasOwn(errorCodes, code))
  return known === undefined ? undefined : errorCodes[known]
}

function repetitionOf({ status, errorClass }: Failure, tool: CompiledTool): Failure['repetition'] {
  if (status === undefined) return PASSING.has(errorClass) ? undefined : 'never'
  const { on_status: listed = RETRIED_STATUSES } = tool.transport?.retry_policy ?? {}
  if (!listed.includes(status)) return 'never'
  return attemptsOf(tool) > 1 ? 'allowed' : undefined
}

const sentence = (text: string): string => {
  const trimmed = text.trim()
  return /[.!?…]$/.test(trimmed) ? trimmed : `${trimmed}.`
}
