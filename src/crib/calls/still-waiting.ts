import { ownCommand } from '../../platform/text/own-command.js'
/** Why a call has no result: its crib was closed while the call waited for an answer. The call stays pending. */
export interface StillWaiting extends Error {
  code: 'toolcrib.still_waiting'
  invocationId: string
  approvalId: string
}

export function stillWaiting(invocationId: string, approvalId = ''): StillWaiting {
  const message =
    `The call ${invocationId} still waits for the approval ${approvalId}; answer it with ` +
    `"${ownCommand(`approvals approve ${approvalId}`)}" or crib.approvals.answer, and a crib that has the tool goes on with it.`
  return Object.assign(new Error(message), {
    code: 'toolcrib.still_waiting' as const,
    invocationId,
    approvalId,
  })
}
