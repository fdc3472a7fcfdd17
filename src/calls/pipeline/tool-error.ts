import { errorTable } from '../../foundation/contract/error-table.js'
import type { ToolError } from '../../foundation/contract/objects/tool-error.js'
import type { ErrorClass, Recoverability } from '../../foundation/contract/unions.js'

export interface ErrorDetails {
  message: string
  /** Finer than the class, for programs. */
  code?: string
  recoverability?: Recoverability
  /** Seconds. */
  retryAfter?: number
  nativeErrorRef?: string
  /** Whether the same call may simply be sent again. */
  retrySafe?: boolean
  details?: Record<string, unknown>
}

/** The standard's error record: why the call did not end well, and what would help. */
export function toolError(errorClass: ErrorClass, given: ErrorDetails): ToolError {
  const row = errorTable[errorClass]
  const error: ToolError = {
    error_class: errorClass,
    error_code: given.code ?? `toolcrib.${errorClass}`,
    message: given.message,
    recoverability: given.recoverability ?? row.recoverability,
    retry_after: given.retryAfter ?? null,
    toolcrib: { retry_safe: given.retrySafe ?? row.retrySafe, ...given.details },
  }
  if (given.nativeErrorRef !== undefined) error.native_error_ref = given.nativeErrorRef
  return error
}
