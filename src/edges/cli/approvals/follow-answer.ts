import { ownCommand } from '../../../platform/text/own-command.js'
import type { ToolcribApproval } from '../../../contract/objects/toolcrib-approval.js'
import type { GoesOn } from '../../../crib/approvals/answer-approval.js'
import { describeUpdate } from '../../../approvals/describe-update.js'
import { mayBeOfSource } from '../../../host/sources/entry-of-tool.js'
import { printable } from '../../../platform/text/printable.js'
import { exitCodeOf, reportResult } from '../calls/report-result.js'
import type { ExitCode, GivenOptions } from '../program/command.js'
import { askPerson } from '../terminal/ask-person.js'
import { dateAndTime } from '../terminal/short-time.js'
import type { Terminal } from '../terminal/terminal.js'
import { approvalLines } from './approval-lines.js'
import { waitAfterAnswer, type Answered } from './give-answer.js'
import { answerCommand } from './print-pending-approval.js'

interface Teller {
  terminal: Terminal
  options: GivenOptions
  ended: AbortSignal
}

/** Prints what became of the call after an answer, and closes the crib. */
export async function followAnswer(
  answered: Answered,
  { terminal, options, done }: Omit<Teller, 'ended'> & { done: 'Approved' | 'Answered' },
): Promise<ExitCode> {
  const { crib, approval, outcome } = answered
  const interrupt = new AbortController()
  const onInterrupt = (): void => interrupt.abort()
  process.once('SIGINT', onInterrupt)
  process.once('SIGTERM', onInterrupt)
  try {
    if (!outcome?.ok) return 1
    const { goesOn } = outcome
    const written = outcome.approval.answer?.accepted_update
    if (written && options.json !== true) terminal.explain(`New rule: ${describeUpdate(written)}`)
    const waits =
      goesOn === 'here' || goesOn === 'ended' || (options['wait'] === true && goesOn === 'elsewhere')
    if (waits) return await tellResult(answered, { terminal, options, ended: interrupt.signal })
    if (options.json) terminal.printJson(outcome.approval, 2)
    else terminal.explain(`${done} ${approval.approval_id}. ${sentenceOf(goesOn, approval)}`)
    // The call has no result yet: a script must not take the answer for one.
    return goesOn === 'unclaimed' && options['wait'] === true ? 1 : 0
  } finally {
    // A call that runs here ends with this process; a call that runs elsewhere continues.
    await crib.close(interrupt.signal.aborted ? { graceMs: 0 } : {})
  }
}

async function tellResult(
  { crib, by, approval }: Omit<Answered, 'outcome'>,
  teller: Teller,
): Promise<ExitCode> {
  const { terminal, options, ended } = teller
  const startedAt = performance.now()
  const after = await waitAfterAnswer(crib, approval, ended)
  if (!after) return 1
  if ('askedAnew' in after) {
    const isApproved = await approveAnew({ crib, by, approval: after.askedAnew }, teller)
    return isApproved ? tellResult({ crib, by, approval: after.askedAnew }, teller) : 1
  }
  const { result } = after
  if (options.json) terminal.printJson(result, 2)
  else await reportResult(result, { tookMs: performance.now() - startedAt, from: crib }, terminal)
  return exitCodeOf(result)
}

/** The input changed since it was shown. Without a clear yes or no, the call stays pending. */
async function approveAnew(
  { crib, by, approval }: Omit<Answered, 'outcome'>,
  { terminal, ended }: Teller,
): Promise<boolean> {
  const { approval_id: id, invocation_id: invocationId, input_digest: inputDigest } = approval
  terminal.explain(`The rules or the tool changed since; it is asked again as ${id}.`)
  const goesOn = `It waits on; answer with: ${answerCommand(approval)}`
  if (approval.form || !terminal.hasPerson || !terminal.isInteractive) {
    terminal.explain(goesOn)
    return false
  }
  for (const line of approvalLines(approval, terminal)) terminal.say(line)
  const reply = (await askPerson('Run it? [y/n] ', { terminal, signal: ended }))?.trim().toLowerCase() ?? ''
  if (!/^(y|yes|n|no)$/.test(reply)) {
    terminal.explain(goesOn)
    return false
  }
  const approved = reply.startsWith('y')
  const outcome = await crib.approvals.answer(id, { approved, by, invocationId, inputDigest })
  if (!outcome.ok) terminal.explain(printable(outcome.error.message), terminal.sayStyle.bad)
  else if (!approved) terminal.explain(`Denied ${id}.`)
  return outcome.ok && approved
}

function sentenceOf(goesOn: GoesOn, approval: ToolcribApproval): string {
  const { invocation_id: call, tool_id: tool, expires_at: until } = approval
  if (goesOn === 'elsewhere')
    return `Another process continues the call; "${ownCommand(`show ${call}`)}" shows it.`
  if (mayBeOfSource(tool))
    return `The process that asked is gone; "${ownCommand('serve')}" continues the call, until ${dateAndTime(until)}.`
  return `The process that asked is gone and no "${tool}" like the one that was asked about is here; the call continues in a process that has it, until ${dateAndTime(until)}.`
}
