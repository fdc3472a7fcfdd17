import type { ServerResponse } from 'node:http'
import type { ErrorClass } from '../../contract/unions.js'
import type { HttpRefusal } from '../server/request-handler.js'
import { sendJsonText } from '../server/respond.js'
import { Problem, problemDocument } from './problem.js'

export function sendProblem(response: ServerResponse, problem: Problem): void {
  sendJsonText(response, problem.status, JSON.stringify(problemDocument(problem)), {
    ...problem.options.headers,
    'content-type': 'application/problem+json',
  })
}

/** A refusal of the server itself, as a problem: no identity, wrong host, too many requests. */
export function refuseWithProblem(
  response: ServerResponse,
  { status, message, headers, login }: HttpRefusal,
): void {
  const more = login && { login }
  sendProblem(response, new Problem(status, classOf(status), message, { headers, more }))
}

function classOf(status: number): ErrorClass {
  if (status === 401) return 'credential_missing'
  if (status === 403) return 'permission_denied'
  if (status === 429) return 'rate_limited'
  return status >= 500 ? 'dependency_unavailable' : 'invalid_arguments'
}
