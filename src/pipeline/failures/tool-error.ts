import { codeOfClass, type ErrorCode } from '../../contract/error-codes.js'
import { errorTable } from '../../contract/error-table.js'
import type { ToolError } from '../../contract/objects/tool-error.js'
import { retryGuidance, type KnownOfRetry } from '../../contract/retry-guidance.js'
import type { ErrorClass } from '../../contract/unions.js'

export interface ErrorDetails extends KnownOfRetry {
  message: string
  /** Finer than the class, for programs. */
  code?: ErrorCode
  /** The tool's own code for its failure; any text. */
  toolCode?: string
  /** Seconds. */
  retryAfter?: number
  nativeErrorRef?: string | undefined
  /** The policies that caused the error. */
  policyRefs?: readonly string[] | undefined
  details?: Record<string, unknown>
}

/** The standard's error record: why the call failed, and what would help. */
export function toolError(errorClass: ErrorClass, given: ErrorDetails): ToolError {
  const error: ToolError = {
    error_class: errorClass,
    error_code: given.toolCode ?? given.code ?? codeOfClass(errorClass),
    message: given.message,
    recoverability: given.recoverability ?? errorTable[errorClass].recoverability,
    retry_after: given.retryAfter ?? null,
    toolcrib: { retry: retryGuidance(errorClass, given), ...given.details },
  }
  if (given.nativeErrorRef !== undefined) error.native_error_ref = given.nativeErrorRef
  if (given.policyRefs && given.policyRefs.length > 0) error.policy_refs = [...given.policyRefs]
  return error
}
