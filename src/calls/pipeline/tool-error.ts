import { errorTable } from '../../foundation/contract/error-table.js'
import type { ToolError } from '../../foundation/contract/objects/tool-error.js'
import {
  retryGuidance,
  type KnownOfRetry,
  type RetryGuidance,
} from '../../foundation/contract/retry-guidance.js'
import type { ErrorClass } from '../../foundation/contract/unions.js'

export interface ErrorDetails extends KnownOfRetry {
  message: string
  /** Finer than the class, for programs. */
  code?: string
  /** Seconds. */
  retryAfter?: number
  nativeErrorRef?: string
  details?: Record<string, unknown>
}

/** The standard's error record: why the call did not end well, and what would help. */
export function toolError(errorClass: ErrorClass, given: ErrorDetails): ToolError {
  const error: ToolError = {
    error_class: errorClass,
    error_code: given.code ?? `toolcrib.${errorClass}`,
    message: given.message,
    recoverability: given.recoverability ?? errorTable[errorClass].recoverability,
    retry_after: given.retryAfter ?? null,
    toolcrib: { retry: retryGuidance(errorClass, given), ...given.details },
  }
  if (given.nativeErrorRef !== undefined) error.native_error_ref = given.nativeErrorRef
  return error
}

/** The guidance that `toolError` put into an error. */
export function guidanceOf({ error_class: errorClass, toolcrib }: ToolError): RetryGuidance {
  return (toolcrib?.['retry'] as RetryGuidance | undefined) ?? retryGuidance(errorClass)
}
