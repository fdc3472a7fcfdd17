import type { ErrorClass } from '../../contract/unions.js'
import type { ToolcribDeletedRecord } from '../../contract/objects/toolcrib-deleted-record.js'
import type { ToolError } from '../../contract/objects/tool-error.js'

/** One fault of a request: where it is, and what is wrong there. */
export interface ProblemPart {
  readonly path: string
  readonly message: string
}

export interface ProblemOptions {
  readonly code?: string | undefined
  readonly errors?: readonly ProblemPart[] | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Members of the document besides the usual ones. */
  readonly more?: Readonly<Record<string, unknown>> | undefined
}

/** Why a request is not answered as asked. Routes throw it; the handler writes it as problem+json (RFC 9457). */
export class Problem extends Error {
  readonly status: number
  readonly errorClass: ErrorClass
  readonly options: ProblemOptions

  constructor(status: number, errorClass: ErrorClass, detail: string, options: ProblemOptions = {}) {
    super(detail)
    this.status = status
    this.errorClass = errorClass
    this.options = options
  }
}

export function notFound(detail: string): Problem {
  return new Problem(404, 'invalid_arguments', detail)
}

export function badRequest(detail: string, errors?: readonly ProblemPart[]): Problem {
  return new Problem(400, 'invalid_arguments', detail, { errors })
}

export function conflict(detail: string, code?: string): Problem {
  return new Problem(409, 'invalid_arguments', detail, { code })
}

export function forbidden(detail: string): Problem {
  return new Problem(403, 'permission_denied', detail)
}

/** The record of a call was deleted. */
export function gone({ invocation_id: id, deleted_at: at, by }: ToolcribDeletedRecord): Problem {
  return new Problem(
    410,
    'invalid_arguments',
    `The record of ${id} was deleted at ${at} by ${by}; its envelope proves what it was.`,
  )
}

/** The problem for an error record of the crib. */
export function problemOf(error: ToolError, status?: number): Problem {
  const { error_class: errorClass, error_code: code, message } = error
  return new Problem(status ?? statusOf(errorClass), errorClass, message, { code })
}

function statusOf(errorClass: ErrorClass): number {
  switch (errorClass) {
    case 'unknown_tool':
    case 'schema_not_loaded':
      return 404
    case 'invalid_arguments':
    case 'schema_validation_failed':
      return 400
    case 'permission_denied':
    case 'approval_rejected':
    case 'policy_blocked':
    case 'hook_blocked':
    case 'sandbox_violation':
      return 403
    case 'rate_limited':
      return 429
    case 'timeout':
    case 'dependency_unavailable':
      return 503
    default: // the other classes are about what a tool did: the request itself was right
      return 422
  }
}

export function problemDocument({
  status,
  errorClass,
  message,
  options: { code, errors, more },
}: Problem): object {
  return {
    type: `urn:toolcrib:problem:${errorClass}`,
    title: titleOf(errorClass),
    status,
    detail: message,
    error_class: errorClass,
    ...(code !== undefined && { code }),
    ...(errors && errors.length > 0 && { errors }),
    ...more,
  }
}

/** The class in words. What the class means for the call of a tool is not always what went wrong with a request. */
function titleOf(errorClass: ErrorClass): string {
  const words = errorClass.replaceAll('_', ' ')
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}
