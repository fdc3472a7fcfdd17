import { ownCommand } from '../../../platform/text/own-command.js'
import type { ToolcribApproval } from '../../../contract/objects/toolcrib-approval.js'
import type { ToolResult } from '../../../contract/objects/tool-result.js'
import { openStore } from '../../../storage/open-store.js'
import { configuredStore } from '../../../host/stores/configured-store.js'
import type { LoadedTools } from '../../../host/load-settings.js'
import { hasSources } from '../../../sources/kinds.js'
import { argumentAt } from '../../../policy/patterns/argument-condition.js'
import type { Catalog } from '../../../catalog/catalog.js'
import type { BackgroundJob, Begun } from '../calls/background-job.js'
import type { ExitCode, Given } from '../program/command.js'
import type { CommandCrib } from '../calls/command-crib.js'
import { shortId } from '../calls/find-call.js'
import { findServedTool } from '../tools/find-served-tool.js'
import { checkLoosening, entriesFor } from '../calls/load-crib-for-calls.js'
import { loadListedToolsOrStop } from '../tools/load-listed-tools.js'
import { howToBegin, loadToolsOrStop } from '../program/load-or-stop.js'
import { openCommandCrib } from '../calls/open-call-crib.js'
import { parsePairs } from '../input/parse-pairs.js'
import { usageProblem } from '../program/usage-problem.js'
import { loadLayersOrStop } from '../rules/load-layers-or-stop.js'
import { printRuleProblems } from '../rules/print-rule-problems.js'
import { printable } from '../../../platform/text/printable.js'
import { describePersistence } from '../record/describe-persistence.js'
import { readInput } from '../input/read-input.js'
import { exitCodeOf, reportResult } from '../calls/report-result.js'
import { howToAnswer, printPendingApproval } from '../approvals/print-pending-approval.js'
import { startInBackground } from '../calls/start-in-background.js'
import type { Terminal } from '../terminal/terminal.js'
import { watchCall } from '../calls/watch-call.js'

export async function run(given: Given, terminal: Terminal): Promise<ExitCode> {
  const { options } = given
  const [name = '', ...pairs] = given.arguments
  const settings = await loadToolsOrStop(options, { terminal, needsTools: true })
  if (settings.configPath === undefined) throw usageProblem(howToBegin())
  const read = (from: Pick<Catalog, 'find'>): Promise<unknown> => {
    const schema = from.find(name)?.draft.input.modelSchema ?? {}
    return inputOf({ pairs, given: options['input'], schema }, terminal)
  }
  if (options['background'] === true) {
    const { catalog, whyMissing } = await loadListedToolsOrStop(options, terminal, { tool: name })
    if (whyMissing !== undefined) throw usageProblem(whyMissing)
    const known = catalog.find(name) ?? findServedTool(catalog.list(), name)
    const input = await read({ find: () => known })
    return leaveRunning({ name: known?.toolId ?? name, input, options }, settings, terminal)
  }
  // The schema of a server's tool is known only after its server connected.
  const isOwn = settings.catalog.find(name) !== undefined || !hasSources(settings)
  const ownInput = isOwn ? await read(settings.catalog) : undefined
  const { crib, isAsked } = await openCommandCrib(settings, options, terminal, name)
  const isDetached = options['detach'] === true
  try {
    const known = crib.tool(name) ?? findServedTool(crib.tools(), name)
    const input = isOwn ? ownInput : await read({ find: () => known })
    const background = known?.draft.input.backgroundField
    if (background !== undefined && argumentAt(input, background) === true && !isDetached)
      return await leaveRunning({ name: known!.toolId, input, options }, settings, terminal)
    const startedAt = performance.now()
    const { call } = await crib.startCall({ name: known?.toolId ?? name, input })
    const pending = isDetached ? await call.pending() : undefined
    if (pending) {
      leaveWaiting(pending, terminal, options.json === true)
      return 0
    }
    if (!isAsked && !isDetached) void printPendingApproval(call, terminal)
    const result = await watchCall(call, { terminal, isVerbose: options['verbose'] === true })
    if (options.json) terminal.printJson(result, 2)
    else await reportResult(result, { tookMs: performance.now() - startedAt, from: crib }, terminal)
    await sayWhatIsLost(crib, result, terminal)
    return exitCodeOf(result)
  } finally {
    await crib.close()
  }
}

/** Prints at the start that the result will not be stored, and why. */
async function sayWhatIsLost(crib: CommandCrib, result: ToolResult, terminal: Terminal): Promise<void> {
  if (!result.persistence_refs?.length) return
  const { persistence } = (await crib.story(result.invocation_id)) ?? {}
  const { strategy, toolcrib = {} } = persistence ?? {}
  const isLost =
    strategy === 'drop_with_reason' || 'original_not_kept' in toolcrib || 'parts_not_kept' in toolcrib
  if (persistence && isLost) {
    const words = describePersistence(persistence)
    terminal.explain(printable(`${words[0]!.toUpperCase()}${words.slice(1)}.`))
  }
}

/** The call continues in a process of its own. */
async function leaveRunning(
  job: BackgroundJob,
  settings: Extract<LoadedTools, { ok: true }>,
  terminal: Terminal,
): Promise<ExitCode> {
  const { options } = job
  checkLoosening(settings, options)
  if (openStore(configuredStore(settings, options.store)).isEphemeral) {
    throw usageProblem(
      'A call in the background needs a record that outlives this command; name a file with --store.',
    )
  }
  printRuleProblems(await loadLayersOrStop(settings, options), terminal)
  const startedAt = performance.now()
  const { first, pending } = (await beginInGateway(job, settings, terminal)) ?? (await startInBackground(job))
  const isRunning = first.toolcrib?.['receipt'] === true
  if (options.json) terminal.printJson(first, 2)
  else if (isRunning) terminal.print(first.invocation_id)
  else await reportResult(first, { tookMs: performance.now() - startedAt }, terminal)
  if (pending) terminal.explain(howToAnswer(pending))
  else if (isRunning && terminal.hasReader) terminal.explain(howToFollow(first.invocation_id))
  return exitCodeOf(first)
}

/** A tool of a server runs in a gateway that has its server connected already. */
async function beginInGateway(
  job: BackgroundJob,
  settings: Extract<LoadedTools, { ok: true }>,
  terminal: Terminal,
): Promise<Begun | undefined> {
  const only = entriesFor(settings, job.name)
  if (!hasSources(settings) || only?.length === 0) return undefined
  const { backgroundInGateway } = await import('../socket/background-in-gateway.js')
  return backgroundInGateway(job, settings, { only, terminal })
}

function howToFollow(invocationId: string): string {
  const id = shortId(invocationId)
  return `Runs in the background; "${ownCommand(`progress ${id} --follow`)}" shows how far it is, "${ownCommand(`cancel ${id}`)}" stops it.`
}

async function inputOf(
  {
    pairs,
    given,
    schema,
  }: { pairs: readonly string[]; given: unknown; schema: Parameters<typeof parsePairs>[1] },
  terminal: Terminal,
): Promise<unknown> {
  if (typeof given !== 'string') return parsePairs(pairs, schema)
  if (pairs.length > 0) throw usageProblem('Give the input either as key=value or with --input, not both.')
  return readInput(given, terminal)
}

function leaveWaiting(approval: ToolcribApproval, terminal: Terminal, asJson: boolean): void {
  if (asJson) return terminal.printJson(approval, 2)
  terminal.print(approval.approval_id)
  terminal.explain(howToAnswer(approval))
}
