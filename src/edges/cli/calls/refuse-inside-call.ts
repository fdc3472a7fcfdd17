import { isInsideCall } from '../../../host/is-inside-call.js'
import { usageProblem } from '../program/usage-problem.js'

/** A process that a tool started must not decide what tools may do. */
export function refuseInsideCall(): void {
  if (!isInsideCall()) return
  throw usageProblem(
    'This runs inside a tool call, and a tool may decide neither about calls nor about their records: a person must do this at a terminal that no tool started.',
  )
}
