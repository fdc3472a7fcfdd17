import { ownCommand } from '../../../platform/text/own-command.js'
import type { ToolcribApproval } from '../../../contract/objects/toolcrib-approval.js'
import type { Crib } from '../../../crib/crib.js'
import { shortId } from '../calls/find-call.js'
import { usageProblem } from '../program/usage-problem.js'

const MAX_NAMED = 5

/** The approval that was named by its id, by a unique part of it, or by "last". Open ones come first. */
export async function findApproval(crib: Crib, given: string): Promise<ToolcribApproval> {
  const exact = await crib.approvals.get(given)
  if (exact) return exact
  const open = await crib.approvals.list({ status: 'pending' })
  if (given === 'last') {
    const last = open.at(-1)
    if (last) return last
    throw usageProblem('Nothing waits for approval, so there is no last one.')
  }
  const isMeant = ({ approval_id: id }: ToolcribApproval): boolean => id.includes(given)
  let found = open.filter(isMeant)
  // There may be many answered ones: they are read only if no open one matches.
  if (found.length === 0) found = (await crib.approvals.list()).filter(isMeant)
  if (found.length === 1) return found[0]!
  if (found.length === 0)
    throw usageProblem(`There is no approval "${given}"; "${ownCommand('approvals')}" lists those that wait.`)
  const named = found.slice(0, MAX_NAMED).map(({ approval_id: id }) => id)
  const more = found.length > MAX_NAMED ? ', …' : ''
  throw usageProblem(`"${given}" is part of several approvals: ${named.join(', ')}${more}.`)
}

/** The part of an id that distinguishes open approvals. */
export function shortApprovalId({ invocation_id: call }: ToolcribApproval): string {
  return shortId(call)
}
