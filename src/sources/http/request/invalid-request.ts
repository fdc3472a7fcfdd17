import type { ErrorCode } from '../../../contract/error-codes.js'

const CODE: ErrorCode = 'toolcrib.request_invalid'

/** The failure for an input that cannot be written as a request. Nothing was sent. */
export function invalidRequest(message: string): Error {
  return Object.assign(new Error(message), {
    errorClass: 'execution_failed',
    code: CODE,
    nothingHappened: true,
    needsOtherArguments: true,
  })
}
