import { ownCommand } from '../../../platform/text/own-command.js'
import type { ToolcribApproval } from '../../../contract/objects/toolcrib-approval.js'
import type { Call } from '../../../crib/calls/call-handle.js'
import { dateAndTime } from '../terminal/short-time.js'
import type { Terminal } from '../terminal/terminal.js'

/** Nothing waits without saying what for. */
export async function sayWhatItWaitsFor(call: Call, terminal: Terminal): Promise<void> {
  const pending = await call.pending()
  if (pending) terminal.explain(howToAnswer(pending))
}

export function howToAnswer({ approval_id: id, expires_at: until }: ToolcribApproval): string {
  return `Waits for approval until ${dateAndTime(until)}; answer with: ${ownCommand(`approvals approve ${id}`)}`
}
