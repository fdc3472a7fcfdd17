import { ownCommand } from '../../../../platform/text/own-command.js'
import type { ToolcribApproval } from '../../../../contract/objects/toolcrib-approval.js'
import type { AnswerOptions, GoesOn } from '../../../../crib/approvals/answer-approval.js'
import type { ExitCode, Given, GivenOptions } from '../../program/command.js'
import { describeUpdate } from '../../../../approvals/describe-update.js'
import { askPerson } from '../../terminal/ask-person.js'
import { findApproval } from '../../approvals/find-approval.js'
import { giveAnswer, waitAfterAnswer, type Answered } from '../../approvals/give-answer.js'
import { printable } from '../../../../platform/text/printable.js'
import { openRecord } from '../../record/open-record.js'
import { readInput } from '../../input/read-input.js'
import { exitCodeOf, reportResult } from '../../calls/report-result.js'
import { dateAndTime } from '../../terminal/short-time.js'
import { tellApproval } from '../../approvals/tell-approval.js'
import type { Terminal } from '../../terminal/terminal.js'
import { mayBeOfSource } from '../../../../host/sources/entry-of-tool.js'
import { usageProblem } from '../../program/usage-problem.js'

export async function run(
  { arguments: [given = ''], options }: Given,
  terminal: Terminal,
): Promise<ExitCode> {
  const { feedback, input } = options
  const change = scopeOf(options)
  const id = await shownAndConfirmed(given, options, terminal)
  if (id === undefined) return 1
  const answered = await giveAnswer(id, options, terminal, {
    approved: true,
    ...(typeof feedback === 'string' && { feedback }),
    ...(typeof input === 'string' && { input: await readInput(input, terminal) }),
    ...change,
  })
  const { crib, approval, outcome } = answered
  const interrupt = new AbortController()
  const onInterrupt = (): void => interrupt.abort()
  process.once('SIGINT', onInterrupt)
  process.once('SIGTERM', onInterrupt)
  try {
    if (!outcome.ok) return 1
    const { goesOn } = outcome
    const written = outcome.approval.answer?.accepted_update
    if (written && options.json !== true) terminal.explain(`New rule: ${describeUpdate(written)}`)
    const waits =
      goesOn === 'here' || goesOn === 'ended' || (options['wait'] === true && goesOn === 'elsewhere')
    if (waits) return await tellResult(answered, { terminal, options, ended: interrupt.signal })
    if (options.json) terminal.printJson(outcome.approval, 2)
    else terminal.explain(sentenceOf(goesOn, approval))
    // Whoever waits for a result has none: a script must not take the answer for it.
    return goesOn === 'unclaimed' && options['wait'] === true ? 1 : 0
  } finally {
    // What runs here ends with this process; what runs elsewhere goes on.
    await crib.close(interrupt.signal.aborted ? { graceMs: 0 } : {})
  }
}

/**
 * Nobody approves what they have not seen: where "last" or a part of an id stands for the question, the person at the
 * terminal is shown it, and says yes to it. Nothing where they do not. A whole id, --yes, or a reviewer without a terminal
 * says what is meant.
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
  // One that is answered already is not asked about: whoever answers it again hears that.
  if (id === given || status !== 'pending') return id
  for (const line of tellApproval(approval, terminal)) terminal.say(line)
  const reply = (await askPerson('Approve it? [y/N] ', { terminal }))?.trim().toLowerCase() ?? ''
  if (/^y(es)?$/.test(reply)) return id
  terminal.explain(`It waits on; answer with: ${ownCommand(`approvals approve ${id}`)} (or reject)`)
  return undefined
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

interface Teller {
  terminal: Terminal
  options: GivenOptions
  ended: AbortSignal
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

/** The answer was about something else than what would run now. Without a clear yes or no, the call waits on. */
async function approveAnew(
  { crib, by, approval }: Omit<Answered, 'outcome'>,
  { terminal, ended }: Teller,
): Promise<boolean> {
  const { approval_id: id, invocation_id: invocationId, input_digest: inputDigest } = approval
  terminal.explain(`The rules or the tool changed since; it is asked again as ${id}.`)
  const goesOn = `It waits on; answer with: ${ownCommand(`approvals approve ${id}`)}`
  if (!terminal.hasPerson || !terminal.isInteractive) {
    terminal.explain(goesOn)
    return false
  }
  for (const line of tellApproval(approval, terminal)) terminal.say(line)
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
  const { approval_id: id, invocation_id: call, tool_id: tool, expires_at: until } = approval
  if (goesOn === 'elsewhere')
    return `Approved ${id}. Another process goes on with the call; "${ownCommand(`show ${call}`)}" tells how.`
  if (mayBeOfSource(tool))
    return `Approved ${id}. The process that asked is gone; "${ownCommand('serve')}" goes on with the call, until ${dateAndTime(until)}.`
  return `Approved ${id}. The process that asked is gone and no "${tool}" like the one that was asked about is here; the call goes on in a process that has it, until ${dateAndTime(until)}.`
}
