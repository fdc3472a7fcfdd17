import type { ExitCode, Given } from '../../program/command.js'
import { giveAnswer } from '../../approvals/give-answer.js'
import type { Terminal } from '../../terminal/terminal.js'

export async function run(
  { arguments: [given = ''], options }: Given,
  terminal: Terminal,
): Promise<ExitCode> {
  const { feedback } = options
  const { crib, approval, outcome } = await giveAnswer(given, options, terminal, (_approval, give) =>
    give({ approved: false, ...(typeof feedback === 'string' && { feedback }) }),
  )
  try {
    if (!outcome?.ok) return 1
    if (options.json) terminal.printJson(outcome.approval, 2)
    else terminal.explain(`Denied ${approval.approval_id}.`)
    return 0
  } finally {
    await crib.close()
  }
}
