import type { ToolcribApproval } from '../../../foundation/contract/objects/toolcrib-approval.js'
import type { ExitCode, Given } from '../command.js'
import { durationText } from '../duration-text.js'
import { shortApprovalId } from '../find-approval.js'
import { cutText } from '../fit-text.js'
import { oneLine, printableJson } from '../printable.js'
import type { Terminal } from '../terminal.js'
import { withRecord } from '../with-record.js'

export function run(given: Given, terminal: Terminal): Promise<ExitCode> {
  const { json, all } = given.options
  return withRecord(given, terminal, async (crib) => {
    const approvals = await crib.approvals.list(all === true ? {} : { status: 'pending' })
    for (const approval of approvals) {
      if (json) terminal.printJson(approval)
      else for (const line of lines(approval, terminal)) terminal.print(line)
    }
    if (approvals.length === 0 && !json) terminal.say('Nothing waits for approval.')
  })
}

const INDENT = ' '.repeat(13)

/** Two lines: which call, by whom and since when; what it would do. */
function lines(approval: ToolcribApproval, { style, columns }: Terminal): string[] {
  const { tool_id: tool, requested_by: by, input, answer } = approval
  const who = by.actor === undefined ? '' : ` asked by ${oneLine(by.actor)},`
  const first = `${shortApprovalId(approval)}  ${oneLine(tool)} `
  const rest = cutText(`${who} ${timesOf(approval)}`, columns - first.length)
  const told = answer ? `${answer.approved ? 'approved' : 'rejected'} by ${oneLine(answer.by)}: ` : ''
  return [
    `${style.dim(shortApprovalId(approval))}  ${style.bold(cutText(oneLine(tool), columns - 13))} ${style.dim(rest)}`,
    `${INDENT}${cutText(`${told}${printableJson(input ?? null)}`, columns - INDENT.length)}`,
  ]
}

function timesOf({ status, created_at: from, expires_at: until }: ToolcribApproval): string {
  const now = Date.now()
  const age = `${durationText(now - Date.parse(from))} ago`
  if (status !== 'pending') return `${age}, ${status}`
  const left = Date.parse(until) - now
  return left > 0 ? `${age}, ${durationText(left)} left` : `${age}, out of time`
}
