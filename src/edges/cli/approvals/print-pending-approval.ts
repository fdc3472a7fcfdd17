import { ownCommand } from '../../../platform/text/own-command.js'
import type { ToolcribApproval } from '../../../contract/objects/toolcrib-approval.js'
import type { Call } from '../../../crib/calls/call-handle.js'
import { dateAndTime } from '../terminal/short-time.js'
import type { Terminal } from '../terminal/terminal.js'

/** Prints what a pending call waits for. */
export async function printPendingApproval(call: Call, terminal: Terminal): Promise<void> {
  const pending = await call.pending()
  if (pending) terminal.explain(howToAnswer(pending))
}

export function howToAnswer(approval: ToolcribApproval): string {
  const what = approval.form ? 'a person' : 'approval'
  return `Waits for ${what} until ${dateAndTime(approval.expires_at)}; answer with: ${answerCommand(approval)}`
}

export function answerCommand({ approval_id: id, form }: ToolcribApproval): string {
  return ownCommand(`approvals ${form ? 'answer' : 'approve'} ${id}`)
}
