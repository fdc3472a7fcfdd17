import type { JsonSchema } from '../../../../contract/json-schema.js'
import type { ToolcribApproval } from '../../../../contract/objects/toolcrib-approval.js'
import type { AnswerOutcome } from '../../../../crib/approvals/answer-approval.js'
import { approvalLines } from '../../approvals/approval-lines.js'
import { followAnswer } from '../../approvals/follow-answer.js'
import { giveAnswer, type Decide } from '../../approvals/give-answer.js'
import { answerCommand } from '../../approvals/print-pending-approval.js'
import { answerForm, correctable } from '../../forms/answer-form.js'
import { parsePairs } from '../../input/parse-pairs.js'
import { readInput } from '../../input/read-input.js'
import type { ExitCode, Given } from '../../program/command.js'
import { usageProblem } from '../../program/usage-problem.js'
import type { Terminal } from '../../terminal/terminal.js'

export async function run(
  { arguments: [given = '', ...pairs], options }: Given,
  terminal: Terminal,
): Promise<ExitCode> {
  const { content: text, feedback } = options
  if (typeof text === 'string' && pairs.length > 0)
    throw usageProblem('Give the answer either as key=value or whole with --content, not both.')
  const whole = typeof text === 'string' ? { value: await readInput(text, terminal) } : undefined
  const said = typeof feedback === 'string' ? { feedback } : {}
  const answered = await giveAnswer(given, options, terminal, (approval, give) => {
    const form = formOf(approval)
    const answer = (content: unknown): Promise<AnswerOutcome> => give({ approved: true, content, ...said })
    if (whole) return answer(whole.value)
    if (pairs.length > 0) return answer(parsePairs(pairs, form))
    return fillIn(approval, { terminal, form, answer })
  })
  return followAnswer(answered, { terminal, options, done: 'Answered' })
}

function formOf(approval: ToolcribApproval): JsonSchema {
  if (approval.form) return approval.form as JsonSchema
  throw usageProblem(
    `"${approval.tool_id}" asks for a yes or no; answer with: ${answerCommand(approval)} (or reject)`,
  )
}

interface Filling {
  readonly terminal: Terminal
  readonly form: JsonSchema
  answer(content: unknown): Promise<AnswerOutcome>
}

/** Shows the question, and asks for each field until the answer is taken. */
async function fillIn(approval: ToolcribApproval, { terminal, form, answer }: Filling): ReturnType<Decide> {
  if (!terminal.hasPerson || !terminal.isInteractive)
    throw usageProblem('Give the fields of the form as key=value, or the whole answer with --content.')
  // An answered question is not filled in: answering it again reports that.
  if (approval.status !== 'pending') return answer({})
  for (const line of approvalLines(approval, terminal)) terminal.say(line)
  const taken = await answerForm<AnswerOutcome>(form, {
    terminal,
    give: (content) => correctable(answer(content)),
  })
  if (!taken) terminal.explain(`It waits on; answer with: ${answerCommand(approval)} (or reject)`)
  return taken
}
