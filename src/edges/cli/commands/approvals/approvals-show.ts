import type { ExitCode, Given } from '../../program/command.js'
import { findApproval } from '../../approvals/find-approval.js'
import { openRecord } from '../../record/open-record.js'
import { approvalLines } from '../../approvals/approval-lines.js'
import type { Terminal } from '../../terminal/terminal.js'
import { usageProblem } from '../../program/usage-problem.js'

export async function run(
  { arguments: [given = ''], options }: Given,
  terminal: Terminal,
): Promise<ExitCode> {
  const record = await openRecord(options)
  if ('missing' in record) {
    throw usageProblem(`There is no approval "${given}": nothing was recorded yet in ${record.missing}.`)
  }
  try {
    const approval = await findApproval(record.crib, given)
    if (options.json) terminal.printJson(approval, 2)
    else for (const line of approvalLines(approval, terminal)) terminal.print(line)
    return 0
  } finally {
    await record.crib.close()
  }
}
