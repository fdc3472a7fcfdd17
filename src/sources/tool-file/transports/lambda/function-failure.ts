import type { NativeFacts } from '../../../../catalog/native.js'
import type { FunctionAnswer } from '../../../../credentials/cloud/function-call.js'
import { statusName } from '../../../../http-client/status-name.js'
import { isObject } from '../../../../platform/json/is-object.js'
import { cleanText } from '../../../../platform/text/clean-text.js'
import { failure } from '../../../http/to-failure.js'
import { cloudFailure } from '../cloud-failure.js'

const MAX_DETAIL_CHARS = 1_500
const MAX_ERROR_CHARS = 16_000

export interface FailedFunction {
  readonly toolId: string
  /** `AWS Lambda` */
  readonly service: string
  readonly native: NativeFacts
}

/** The error of a gateway before the function, in the form of the errors of libraries. */
export function refusedByGateway({ status }: FunctionAnswer): Error {
  return Object.assign(new Error('The gateway before the function refused the call.'), { status })
}

/**
 * The failure that an answer means: the function's own error, or that of the gateway before it. Undefined where the
 * answer is good.
 */
export function functionFailure(answer: FunctionAnswer, failed: FailedFunction): Error | undefined {
  const { status, functionError, isOfGateway, retryAfter } = answer
  const { toolId, service } = failed
  if (functionError === undefined && status >= 200 && status < 300) return undefined
  const isOwn = functionError !== undefined || !(isOfGateway || isAlwaysOfGateway(status))
  if (!isOwn) {
    const error = cloudFailure(refusedByGateway(answer), {
      ...failed,
      act: 'invoke the function',
      field: 'function_id',
      // Whether the function only reads does not matter: the gateway may have lost its answer.
      isReadOnly: false,
    })
    return retryAfter === undefined ? error : Object.assign(error, { retryAfter })
  }
  const error = errorIn(answer)
  const { errorType, errorMessage, message, error: inner } = isObject(error) ? error : {}
  const said = [errorMessage, message, inner, error].find((each) => typeof each === 'string') as
    string | undefined
  const name = functionError ?? `${status} ${statusName(status) ?? ''}`.trim()
  const words = said === undefined ? '' : `: ${cleanText(said, MAX_DETAIL_CHARS).trim()}`
  const type = typeof errorType === 'string' ? ` ${cleanText(errorType, 100)}` : ''
  return failure(`The function of "${toolId}" on ${service} failed (${name}${type})${words}`, {
    errorClass: 'execution_failed',
    code: 'toolcrib.tool_said_error',
    ...(functionError === undefined && { status }),
    native: {
      ...failed.native,
      ...(functionError !== undefined && { function_error: functionError }),
      ...(typeof errorType === 'string' && { code: errorType }),
      ...(error !== undefined && { error }),
    },
  })
}

/** Functions can send them too; what they mean for the caller is the same. */
const isAlwaysOfGateway = (status: number): boolean =>
  status === 429 || status === 502 || status === 503 || status === 504 || status < 400

function errorIn({ body }: FunctionAnswer): unknown {
  if (body.length === 0) return undefined
  const text = body.toString('utf8', 0, MAX_ERROR_CHARS)
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
