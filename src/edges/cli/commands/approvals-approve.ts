import type { ToolcribApproval } from '../../../foundation/contract/objects/toolcrib-approval.js'
import type { AnswerOptions, GoesOn } from '../../../runtime/answer-approval.js'
import type { Crib } from '../../../runtime/crib.js'
import type { ExitCode, Given, GivenOptions } from '../command.js'
import { giveAnswer, waitForResult } from '../give-answer.js'
import { readInput } from '../read-input.js'
import { exitCodeOf, reportResult } from '../report-result.js'
import { dateAndTime } from '../short-time.js'
import type { Terminal } from '../terminal.js'
import { usageProblem } from '../usage-problem.js'

export async function run(
  { arguments: [given = ''], options }: Given,
  terminal: Terminal,
): Promise<ExitCode> {
  const { feedback, input } = options
  const { crib, approval, outcome } = await giveAnswer(given, options, terminal, {
    approved: true,
    ...(typeof feedback === 'string' && { feedback }),
    ...(typeof input === 'string' && { input: readInput(input) }),
    ...scopeOf(options),
  })
  const interrupt = new AbortController()
  const onInterrupt = (): void => interrupt.abort()
  process.once('SIGINT', onInterrupt)
  process.once('SIGTERM', onInterrupt)
  try {
    if (!outcome.ok) return 1
    const { goesOn } = outcome
    const waits =
      goesOn === 'here' || goesOn === 'ended' || (options['wait'] === true && goesOn === 'elsewhere')
    if (waits) return await tellResult({ crib, approval, terminal, options, ended: interrupt.signal })
    if (options.json) terminal.printJson(outcome.approval, 2)
    else terminal.explain(sentenceOf(goesOn, approval))
    return 0
  } finally {
    // What runs here ends with this process; what runs elsewhere goes on.
    await crib.close(interrupt.signal.aborted ? { graceMs: 0 } : {})
  }
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

async function tellResult({
  crib,
  approval,
  terminal,
  options,
  ended,
}: {
  crib: Crib
  approval: ToolcribApproval
  terminal: Terminal
  options: GivenOptions
  ended: AbortSignal
}): Promise<ExitCode> {
  const startedAt = performance.now()
  const result = await waitForResult(crib, approval.invocation_id, ended)
  if (!result) return 1
  if (options.json) terminal.printJson(result, 2)
  else reportResult(result, performance.now() - startedAt, terminal)
  return exitCodeOf(result)
}

function sentenceOf(goesOn: GoesOn, approval: ToolcribApproval): string {
  const { approval_id: id, invocation_id: call, tool_id: tool, expires_at: until } = approval
  if (goesOn === 'elsewhere')
    return `Approved ${id}. Another process goes on with the call; "toolcrib show ${call}" tells how.`
  return `Approved ${id}. The process that asked is gone and no "${tool}" like the one that was asked about is here; the call goes on in a process that has it, until ${dateAndTime(until)}.`
}
