import type { ExitCode, Given } from '../command.js'
import { findApproval } from '../find-approval.js'
import { openRecord } from '../open-record.js'
import { tellApproval } from '../tell-approval.js'
import type { Terminal } from '../terminal.js'
import { usageProblem } from '../usage-problem.js'

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
    else for (const line of tellApproval(approval, terminal)) terminal.print(line)
    return 0
  } finally {
    await record.crib.close()
  }
}
