import type { ApprovalsQuery } from '../../../../crib/approvals/crib-approvals.js'
import type { ToolcribApproval } from '../../../../contract/objects/toolcrib-approval.js'
import type { ExitCode, Given, GivenOptions } from '../../program/command.js'
import { durationText } from '../../terminal/duration-text.js'
import { shortApprovalId } from '../../approvals/find-approval.js'
import { cutText, widthOf } from '../../terminal/fit-text.js'
import { oneLine, printableJson } from '../../../../platform/text/printable.js'
import { isInsideCall } from '../../../../host/is-inside-call.js'
import { openRecord } from '../../record/open-record.js'
import { pickApproval } from '../../approvals/pick-approval.js'
import type { Terminal } from '../../terminal/terminal.js'
import { approvalWord } from '../../terminal/status-words.js'
import { withRecord } from '../../record/with-record.js'

/** A picker for a person at a terminal; otherwise a list. */
export async function run(given: Given, terminal: Terminal): Promise<ExitCode> {
  const { json, all } = given.options
  const mayPick = terminal.hasPerson && terminal.isInteractive && terminal.canRedraw
  // A process that a tool started may list pending approvals, and not answer them.
  if (mayPick && json !== true && all !== true && !isInsideCall()) await answerPicked(given, terminal)
  return list(given, terminal)
}

/** One after the other, until none is pending or the person leaves. */
async function answerPicked({ options }: Given, terminal: Terminal): Promise<void> {
  for (;;) {
    const record = await openRecord(options)
    if ('missing' in record) return
    const choice = await pickApproval(record.crib, terminal, queueOf(options)).finally(() =>
      record.crib.close(),
    )
    if (!choice) return
    const { approval_id: id } = choice.approval
    if (choice.kind === 'reject') {
      const { run: reject } = await import('./approvals-reject.js')
      await reject({ arguments: [id], options }, terminal)
      continue
    }
    if (choice.approval.form) {
      const { run: answer } = await import('./approvals-answer.js')
      await answer({ arguments: [id], options }, terminal)
      continue
    }
    const { run: approve } = await import('./approvals-approve.js')
    const { scope } = choice
    await approve(
      { arguments: [id], options: { ...options, ...(scope !== 'once' && { [scope]: true }) } },
      terminal,
    )
  }
}

function queueOf({ queue }: GivenOptions): Pick<ApprovalsQuery, 'queue'> {
  return typeof queue === 'string' ? { queue } : {}
}

function list(given: Given, terminal: Terminal): Promise<ExitCode> {
  const { json, all } = given.options
  return withRecord(given, terminal, async (crib, path) => {
    const approvals = await crib.approvals.list({
      ...(all !== true && { status: 'pending' }),
      ...queueOf(given.options),
    })
    for (const approval of approvals) {
      if (json) terminal.printJson(approval)
      else for (const line of lines(approval, { terminal, now: crib.store.now() })) terminal.print(line)
    }
    const waiting = approvals.filter(({ status }) => status === 'pending')
    if (waiting.length > 0 && !json && terminal.isShown) terminal.explain(howToAnswer(given.options, waiting))
    if (approvals.length === 0 && !json)
      terminal.explain(`Nothing waits for approval in ${path}; each config has a record of its own: --config`)
  })
}

/** With the config that was named: another config has another record. */
function howToAnswer({ config }: GivenOptions, waiting: readonly ToolcribApproval[]): string {
  const where = config === undefined ? '' : ` --config ${oneLine(config)}`
  const verb = waiting.every(({ form }) => form) ? 'answer' : 'approve'
  return `Answer with: toolcrib approvals ${verb} <id>${where} (or reject)`
}

const INDENT = ' '.repeat(13)

/** The call, its caller, how long it is pending, and what it would do. Only the input is truncated: --json has all of it. */
function lines(
  approval: ToolcribApproval,
  { terminal: { style, columns }, now }: { terminal: Terminal; now: number },
): string[] {
  const { tool_id: tool, requested_by: by, input, answer } = approval
  const who = by.actor === undefined ? '' : `asked by ${oneLine(by.actor)}, `
  const id = shortApprovalId(approval)
  const inQueue = approval.queue === undefined ? '' : `in ${oneLine(approval.queue)}, `
  const about = `${inQueue}${who}${timesOf(approval, now)}`
  const answered = answer ? `${answer.approved ? 'approved' : 'denied'} by ${oneLine(answer.by)}: ` : ''
  const does = `${answered}${printableJson(input ?? null)}`
  const isOneLine = widthOf(`${id}  ${oneLine(tool)}  ${about}`) <= columns
  const first = `${style.dim(id)}  ${style.bold(oneLine(tool))}`
  return [
    ...(isOneLine ? [`${first}  ${style.dim(about)}`] : [first, `${INDENT}${style.dim(about)}`]),
    `${INDENT}${cutText(does, columns - INDENT.length)}`,
  ]
}

function timesOf({ status, created_at: from, expires_at: until }: ToolcribApproval, now: number): string {
  const age = `${durationText(now - Date.parse(from))} ago`
  if (status !== 'pending') return `${age}, ${approvalWord(status)}`
  const left = Date.parse(until) - now
  return left > 0 ? `${age}, ${durationText(left)} left` : `${age}, out of time`
}
