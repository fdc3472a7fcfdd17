import type { ToolcribApproval } from '../../../../contract/objects/toolcrib-approval.js'
import type { ExitCode, Given, GivenOptions } from '../../program/command.js'
import { durationText } from '../../terminal/duration-text.js'
import { shortApprovalId } from '../../approvals/find-approval.js'
import { cutText, widthOf } from '../../terminal/fit-text.js'
import { oneLine, printableJson } from '../../../../platform/text/printable.js'
import { isInsideCall } from '../../calls/refuse-inside-call.js'
import { openRecord } from '../../record/open-record.js'
import { pickApproval } from '../../approvals/pick-approval.js'
import type { Terminal } from '../../terminal/terminal.js'
import { approvalWord } from '../../terminal/status-words.js'
import { withRecord } from '../../record/with-record.js'

/** A picker for the person at the terminal; elsewhere a list. */
export async function run(given: Given, terminal: Terminal): Promise<ExitCode> {
  const { json, all } = given.options
  const mayPick = terminal.hasPerson && terminal.isInteractive && terminal.canRedraw
  // Who asks cannot answer: what a tool started only gets to see what waits.
  if (mayPick && json !== true && all !== true && !isInsideCall()) await answerPicked(given, terminal)
  return list(given, terminal)
}

/** One after the other, until nothing waits or the person leaves. */
async function answerPicked({ options }: Given, terminal: Terminal): Promise<void> {
  for (;;) {
    const record = await openRecord(options)
    if ('missing' in record) return
    const choice = await pickApproval(record.crib, terminal).finally(() => record.crib.close())
    if (!choice) return
    const { approval_id: id } = choice.approval
    if (choice.kind === 'reject') {
      const { run: reject } = await import('./approvals-reject.js')
      await reject({ arguments: [id], options }, terminal)
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

function list(given: Given, terminal: Terminal): Promise<ExitCode> {
  const { json, all } = given.options
  return withRecord(given, terminal, async (crib, path) => {
    const approvals = await crib.approvals.list(all === true ? {} : { status: 'pending' })
    for (const approval of approvals) {
      if (json) terminal.printJson(approval)
      else for (const line of lines(approval, { terminal, now: crib.store.now() })) terminal.print(line)
    }
    const isWaiting = approvals.some(({ status }) => status === 'pending')
    if (isWaiting && !json && terminal.isShown) terminal.explain(howToAnswer(given.options))
    if (approvals.length === 0 && !json)
      terminal.explain(`Nothing waits for approval in ${path}; each config has a record of its own: --config`)
  })
}

/** With the config that was named: another one has another record. */
function howToAnswer({ config }: GivenOptions): string {
  const where = config === undefined ? '' : ` --config ${oneLine(config)}`
  return `Answer with: toolcrib approvals approve <id>${where} (or reject)`
}

const INDENT = ' '.repeat(13)

/** Which call, by whom and for how long; what it would do. Only the input is cut: --json has all of it. */
function lines(
  approval: ToolcribApproval,
  { terminal: { style, columns }, now }: { terminal: Terminal; now: number },
): string[] {
  const { tool_id: tool, requested_by: by, input, answer } = approval
  const who = by.actor === undefined ? '' : `asked by ${oneLine(by.actor)}, `
  const id = shortApprovalId(approval)
  const about = `${who}${timesOf(approval, now)}`
  const told = answer ? `${answer.approved ? 'approved' : 'denied'} by ${oneLine(answer.by)}: ` : ''
  const does = `${told}${printableJson(input ?? null)}`
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
