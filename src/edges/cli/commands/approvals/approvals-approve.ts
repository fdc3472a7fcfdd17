import { ownCommand } from '../../../../platform/text/own-command.js'
import type { ToolcribApproval } from '../../../../contract/objects/toolcrib-approval.js'
import type { AnswerOptions } from '../../../../crib/approvals/answer-approval.js'
import type { ExitCode, Given, GivenOptions } from '../../program/command.js'
import { askPerson } from '../../terminal/ask-person.js'
import { findApproval } from '../../approvals/find-approval.js'
import { followAnswer } from '../../approvals/follow-answer.js'
import { giveAnswer } from '../../approvals/give-answer.js'
import { answerCommand } from '../../approvals/print-pending-approval.js'
import { openRecord } from '../../record/open-record.js'
import { readInput } from '../../input/read-input.js'
import { approvalLines } from '../../approvals/approval-lines.js'
import type { Terminal } from '../../terminal/terminal.js'
import { usageProblem } from '../../program/usage-problem.js'

export async function run(
  { arguments: [given = ''], options }: Given,
  terminal: Terminal,
): Promise<ExitCode> {
  const { feedback, input } = options
  const change = scopeOf(options)
  const id = await shownAndConfirmed(given, options, terminal)
  if (id === undefined) return 1
  const changed = typeof input === 'string' ? { input: await readInput(input, terminal) } : {}
  const answered = await giveAnswer(id, options, terminal, (approval, give) => {
    refuseForm(approval)
    return give({
      approved: true,
      ...(typeof feedback === 'string' && { feedback }),
      ...changed,
      ...change,
    })
  })
  return followAnswer(answered, { terminal, options, done: 'Approved' })
}

/**
 * A person must see what they approve: if the question was named by "last" or by a part of an id, the terminal shows it
 * and asks for a yes. Undefined without one. A whole id, --yes, or a reviewer without a terminal needs no confirmation.
 */
async function shownAndConfirmed(
  given: string,
  options: GivenOptions,
  terminal: Terminal,
): Promise<string | undefined> {
  if (!terminal.hasPerson || !terminal.isInteractive || options['yes'] === true) return given
  const record = await openRecord(options)
  if ('missing' in record)
    throw usageProblem(`There is no approval "${given}": nothing was recorded yet in ${record.missing}.`)
  const approval = await findApproval(record.crib, given).finally(() => record.crib.close())
  const { approval_id: id, status } = approval
  // An answered approval is not asked about: answering it again reports that.
  if (id === given || status !== 'pending') return id
  refuseForm(approval)
  for (const line of approvalLines(approval, terminal)) terminal.say(line)
  const reply = (await askPerson('Approve it? [y/N] ', { terminal }))?.trim().toLowerCase() ?? ''
  if (/^y(es)?$/.test(reply)) return id
  terminal.explain(`It waits on; answer with: ${ownCommand(`approvals approve ${id}`)} (or reject)`)
  return undefined
}

/** A yes is no answer to a form. An answered question is not refused here: answering it again reports that. */
function refuseForm(approval: ToolcribApproval): void {
  if (approval.form && approval.status === 'pending')
    throw usageProblem(
      `"${approval.tool_id}" asks for the fields of a form; answer with: ${answerCommand(approval)} (or reject)`,
    )
}

function scopeOf(options: GivenOptions): Pick<AnswerOptions, 'scope' | 'update'> {
  const named = (['session', 'always'] as const).filter((scope) => options[scope] !== undefined)
  if (named.length === 2) throw usageProblem('Give either --session or --always, not both.')
  const [scope] = named
  if (!scope) return {}
  const number = options[scope]
  if (number === true) return { scope }
  if (typeof number !== 'string' || !/^[1-9]\d*$/.test(number))
    throw usageProblem(`--${scope} takes the number of a suggested change, as "approvals show" lists them.`)
  return { scope, update: Number(number) }
}
