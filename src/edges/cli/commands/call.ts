import type { ToolcribApproval } from '../../../foundation/contract/objects/toolcrib-approval.js'
import type { Call } from '../../../runtime/call-handle.js'
import { loadCrib } from '../../../runtime/load-crib.js'
import { surfaceRequestOf } from '../../../runtime/load-tools.js'
import { responderFor } from '../responder-for.js'
import { approverFor } from '../approver-for.js'
import type { ExitCode, Given } from '../command.js'
import { HOW_TO_BEGIN, loadOutsideOrStop, loadToolsOrStop } from '../load-or-stop.js'
import { parsePairs } from '../parse-pairs.js'
import { usageProblem } from '../usage-problem.js'
import { loadLayersOrStop } from '../load-layers-or-stop.js'
import { sayRuleProblems } from '../say-rule-problems.js'
import { refuseInsideCall } from '../refuse-inside-call.js'
import { readInput } from '../read-input.js'
import { exitCodeOf, reportResult } from '../report-result.js'
import { dateAndTime } from '../short-time.js'
import type { Terminal } from '../terminal.js'
import { personName, userName } from '../user-name.js'
import { watchCall } from '../watch-call.js'

export async function run(given: Given, terminal: Terminal): Promise<ExitCode> {
  const { options } = given
  const [name = '', ...pairs] = given.arguments
  const settings = await loadToolsOrStop(options)
  if (settings.configPath === undefined) throw usageProblem(HOW_TO_BEGIN)
  const resolved = settings.catalog.resolve(name)
  const tool = resolved && 'found' in resolved ? resolved.found : undefined
  const schema = tool?.draft.input.modelSchema ?? {}
  const input = await inputOf({ pairs, given: options['input'], schema }, terminal)

  const { catalog } = settings
  const isDetached = options['detach'] === true
  const letsThrough = ['yes', 'allow', 'mode', 'rules'].some((name) => options[name] !== undefined)
  if (letsThrough) refuseInsideCall()
  if (options['yes'] === true) checkYes(settings.config.approvals?.reviewers ?? [])
  const approver = isDetached
    ? undefined
    : approverFor(terminal, {
        yes: options['yes'] === true,
        findTool: (toolId) => catalog.get(toolId),
      })
  const layers = await loadLayersOrStop(settings, options)
  const outside = await loadOutsideOrStop(settings)
  sayRuleProblems(layers, terminal)
  const responder = responderFor(terminal)
  const crib = await loadCrib({
    settings,
    tools: settings.drafts,
    store: options.store,
    layers,
    outside,
    more: {
      actor: settings.config.actor ?? userName(),
      ...(approver && { approver }),
      ...(responder && { responder }),
      // Whoever leaves a call waiting can come back to it, whatever the config says of others.
      ...(isDetached && { reviewers: [...(settings.config.approvals?.reviewers ?? []), personName()] }),
      // Over as soon as this one call is: what others left is for a process that stays.
      approvals: { claim: false },
    },
  })
  try {
    const surface = await crib.surface(surfaceRequestOf(settings))
    const startedAt = performance.now()
    const call = crib.call(surface, { name, input })
    const pending = isDetached ? await call.pending() : undefined
    if (pending) {
      leaveWaiting(pending, terminal, options.json === true)
      return 0
    }
    if (!approver && !isDetached) void sayWhatItWaitsFor(call, terminal)
    const result = await watchCall(call, { terminal, isVerbose: options['verbose'] === true })
    if (options.json) terminal.printJson(result, 2)
    else reportResult(result, performance.now() - startedAt, terminal)
    return exitCodeOf(result)
  } finally {
    await crib.close()
  }
}

/** Where reviewers are named, only they say yes. */
function checkYes(reviewers: readonly unknown[]): void {
  if (reviewers.length === 0) return
  throw usageProblem(
    'The config names reviewers, so --yes is not heard; use --detach and let one of them answer.',
  )
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

/** Nothing waits without saying what for. */
async function sayWhatItWaitsFor(call: Call, terminal: Terminal): Promise<void> {
  const pending = await call.pending()
  if (pending) terminal.explain(howToAnswer(pending))
}

function howToAnswer({ approval_id: id, expires_at: until }: ToolcribApproval): string {
  return `Waits for approval until ${dateAndTime(until)}; answer with: toolcrib approvals approve ${id}`
}
