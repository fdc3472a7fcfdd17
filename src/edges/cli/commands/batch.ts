import type { ToolResult } from '../../../contract/objects/tool-result.js'
import type { Batch, BatchItem } from '../../../crib/batches/batch.js'
import { hasSources } from '../../../sources/kinds.js'
import { approverFor } from '../approvals/approver-for.js'
import { askInTurn, type AskedHere } from '../approvals/ask-in-turn.js'
import { batchPolicyFor } from '../batch/batch-policy-for.js'
import type { BatchCall } from '../../../crib/batches/batch-calls.js'
import type { LoadedTools } from '../../../host/load-settings.js'
import { ownCommandCrib, type CommandCrib } from '../calls/command-crib.js'
import { createBatchScreen, type BatchScreen } from '../batch/batch-screen.js'
import type { ExitCode, Given, GivenOptions } from '../program/command.js'
import { interruptBatch } from '../batch/interrupt-batch.js'
import { loadCalls } from '../batch/load-calls.js'
import { checkLoosening, loadCribForCalls } from '../calls/load-crib-for-calls.js'
import { howToBegin, loadToolsOrStop } from '../program/load-or-stop.js'
import { batchSummary, reportBatchResult } from '../batch/report-batch.js'
import { responderFor } from '../approvals/responder-for.js'
import { printPendingApproval } from '../approvals/print-pending-approval.js'
import type { Terminal } from '../terminal/terminal.js'
import { usageProblem } from '../program/usage-problem.js'

export async function run(given: Given, terminal: Terminal): Promise<ExitCode> {
  const { options } = given
  const settings = await loadToolsOrStop(options, { terminal, needsTools: true })
  if (settings.configPath === undefined) throw usageProblem(howToBegin())
  const { calls, policy: policyOfFile, from } = await loadCalls(given.arguments[0]!, terminal)
  const policy = batchPolicyFor(policyOfFile, from, options)
  const screen = createBatchScreen(terminal, { calls, isVerbose: options['verbose'] === true })
  const shown: Shown = { screen, terminal, options, isInterrupted: false, reported: 0 }
  const asked = askedIn(shown)
  const list = calls.map(({ call }) => call)
  const crib = await openBatchCrib({ settings, options, terminal }, list, asked)
  try {
    const startedAt = performance.now()
    const { batch } = await crib.startBatch(list, policy)
    if (!asked.approver) for (const call of batch.calls) void printPendingApproval(call, terminal)
    const results = await watch(batch, shown)
    report(results, batch, shown)
    if (terminal.hasReader || options['verbose'] === true)
      terminal.say(terminal.sayStyle.dim(batchSummary(screen.views, performance.now() - startedAt)))
    return results.some(({ is_error: isError }) => isError) ? 1 : 0
  } finally {
    await crib.close()
  }
}

/** Through a running gateway if all calls are of tools of servers; otherwise in this process. */
async function openBatchCrib(
  { settings, options, terminal }: CommandParts,
  calls: readonly BatchCall[],
  asked: AskedHere,
): Promise<CommandCrib> {
  checkLoosening(settings, options)
  const { approver } = asked
  const isOfServers = calls.every(({ name }) => settings.catalog.find(name) === undefined)
  if (hasSources(settings) && isOfServers) {
    const { openGatewayCrib } = await import('../socket/open-gateway-crib.js')
    const crib = await openGatewayCrib(settings, options, { command: 'batch', approver, terminal })
    if (crib) return crib
  }
  return ownCommandCrib(await loadCribForCalls(settings, options, terminal, asked), settings, options)
}

interface CommandParts {
  readonly settings: Extract<LoadedTools, { ok: true }>
  readonly options: GivenOptions
  readonly terminal: Terminal
}

interface Shown {
  readonly screen: BatchScreen
  readonly terminal: Terminal
  readonly options: GivenOptions
  isInterrupted: boolean
  /** The number of printed results. */
  reported: number
}

/** The approver and responder of the terminal, one question at a time. --yes approves without a question. */
function askedIn(shown: Shown): AskedHere {
  const { screen, terminal, options } = shown
  const yes = options['yes'] === true
  // A session approval holds for the calls that follow.
  const approver = approverFor(terminal, { yes, hasSession: true })
  const responder = responderFor(terminal)
  const inTurn = askInTurn(
    { ...(approver && { approver }), ...(responder && { responder }) },
    { questions: screen.questions, isOver: () => shown.isInterrupted },
  )
  return yes && approver ? { ...inTurn, approver } : inTurn
}

/** Follows all calls to their results, and prints what may be printed on the way. */
async function watch(batch: Batch, shown: Shown): Promise<readonly ToolResult[]> {
  const { screen, terminal } = shown
  const stopListening = interruptBatch(batch, terminal, () => (shown.isInterrupted = true))
  try {
    screen.start()
    const followed = batch.calls.map((call, index) => screen.follow(call, index))
    for await (const item of batch) {
      // Two readers of one call: the screen must have seen its end as well.
      if (item.kind === 'result') await followed[item.index]
      await screen.questions.free()
      printItem(item, shown)
    }
    return await batch
  } finally {
    screen.end()
    stopListening()
  }
}

function printItem(item: BatchItem, shown: Shown): void {
  const { screen, terminal, options } = shown
  const { kind, index, invocationId: invocation_id } = item
  if (options['jsonl'] === true) {
    const fact = kind === 'event' ? { event: item.event } : { result: item.result }
    terminal.printJson({ kind, index, invocation_id, ...fact })
  } else if (kind === 'result' && !screen.isLive && !options.json) {
    reportOne(item.result, index, shown)
  }
}

/** Prints what could not be printed before all calls ended. */
function report(results: readonly ToolResult[], batch: Batch, shown: Shown): void {
  const { screen, terminal, options } = shown
  if (options['jsonl'] === true) return
  if (options.json) return terminal.printJson({ batch_id: batch.batchId, policy: batch.policy, results }, 2)
  if (screen.isLive) results.forEach((result, index) => reportOne(result, index, shown))
}

function reportOne(result: ToolResult, index: number, shown: Shown): void {
  if (shown.reported++ > 0) shown.terminal.print('')
  reportBatchResult(shown.screen.views[index]!, result, shown.terminal)
}
