import { provesReviewer, reviewerNames } from '../../../approvals/reviewers.js'
import type { ToolcribApproval } from '../../../contract/objects/toolcrib-approval.js'
import type { ToolResult } from '../../../contract/objects/tool-result.js'
import type { AnswerOptions, AnswerOutcome } from '../../../crib/approvals/answer-approval.js'
import { APPROVAL_CHANGES } from '../../../crib/approvals/approval-documents.js'
import type { Crib } from '../../../crib/crib.js'
import type { CribSettings } from '../../../host/crib-settings.js'
import { loadCrib, type LoadCribOptions } from '../../../host/load-crib.js'
import { configEntries } from '../../../host/sources/config-entries.js'
import { entryOfTool } from '../../../host/sources/entry-of-tool.js'
import { openConfiguredSources } from '../../../host/sources/open-configured-sources.js'
import type { CribConfig } from '../../../platform/config/schema/config-schema.js'
import type { GivenOptions } from '../program/command.js'
import { openRecord } from '../record/open-record.js'
import { findApproval } from './find-approval.js'
import { loadDecidersOrStop, loadToolsOrStop } from '../program/load-or-stop.js'
import { printable } from '../../../platform/text/printable.js'
import { usageProblem } from '../program/usage-problem.js'
import { responderFor } from './responder-for.js'
import type { Terminal } from '../terminal/terminal.js'
import { personName } from '../../../host/actor-of.js'

export interface Answered {
  crib: Crib
  /** The reviewer. */
  by: string
  approval: ToolcribApproval
  /** Undefined if the reviewer did not answer. */
  outcome: AnswerOutcome | undefined
}

/** Decides on an answer and gives it; an answer that was refused may be given again. */
export type Decide = (
  approval: ToolcribApproval,
  give: (answer: Omit<AnswerOptions, 'by'>) => Promise<AnswerOutcome>,
) => Promise<AnswerOutcome | undefined>

/** Opens the crib with its tools, because the call may have to run here, and answers. The caller closes the crib. */
export async function giveAnswer(
  given: string,
  options: GivenOptions,
  terminal: Terminal,
  decide: Decide,
): Promise<Answered> {
  const settings = await loadToolsOrStop(options, { terminal })
  const sources = await sourcesOf(given, { settings, options })
  const by = answerAs(options['as'], { config: settings.config, terminal })
  const responder = responderFor(terminal)
  const crib = await loadCrib({
    settings,
    outside: await loadDecidersOrStop(settings),
    tools: settings.drafts,
    store: options.store,
    ...(sources && { sources }),
    more: {
      reviewers: [...new Set([...(settings.config.approvals?.reviewers ?? []), by])],
      approvals: { claim: false },
      ...(responder && { responder }),
    },
  })
  try {
    const approval = await findApproval(crib, given)
    // The answer covers what was shown: an input that changed meanwhile is refused.
    const { approval_id: id, invocation_id: invocationId, input_digest: inputDigest } = approval
    const outcome = await decide(approval, (answer) =>
      crib.approvals.answer(id, { ...answer, by, invocationId, inputDigest }),
    )
    if (outcome && !outcome.ok) {
      if (options.json) terminal.printJson(outcome.error, 2)
      else terminal.explain(printable(outcome.error.message), terminal.sayStyle.bad)
    }
    return { crib, by, approval, outcome }
  } catch (error) {
    await crib.close()
    throw error
  }
}

/** The source of the tool that is asked about, if this process can open it: the process that asked may be gone. */
async function sourcesOf(
  given: string,
  { settings, options }: { settings: CribSettings; options: GivenOptions },
): Promise<LoadCribOptions['sources']> {
  if (!configEntries(settings).some(({ kind }) => kind.isLight)) return undefined
  const record = await openRecord(options)
  if ('missing' in record) return undefined
  const { tool_id: toolId } = await findApproval(record.crib, given).finally(() => record.crib.close())
  const found = entryOfTool(settings, toolId)
  if (!found?.kind.isLight) return undefined
  const opened = await openConfiguredSources(settings, { only: [found.entry] })
  // Another kind may have an entry of the same name.
  return { sources: opened.of(found.kind)?.sources ?? [], secrets: opened.secrets, live: opened.live }
}

export type AfterAnswer = { result: ToolResult } | { askedAnew: ToolcribApproval }

/**
 * Waits until an answered call has its result, in any process, or needs another approval; undefined if the wait was
 * aborted.
 */
export async function waitAfterAnswer(
  crib: Crib,
  { approval_id: answered, invocation_id: invocationId, tenant }: ToolcribApproval,
  ended: AbortSignal,
): Promise<AfterAnswer | undefined> {
  let wake: (() => void) | undefined
  const ring = (): void => wake?.()
  const stopWatching = crib.store.watch([{ of: 'call', tenant, invocationId }, APPROVAL_CHANGES], ring)
  ended.addEventListener('abort', ring)
  try {
    while (!ended.aborted) {
      const changed = new Promise<void>((resolve) => (wake = resolve))
      const result = await crib.result(invocationId)
      if (result) return { result }
      const open = await crib.approvals.list({ status: 'pending' })
      const askedAnew = open.find(
        ({ invocation_id: call, approval_id: id }) => call === invocationId && id !== answered,
      )
      if (askedAnew) return { askedAnew }
      await changed
    }
    return undefined
  } finally {
    stopWatching()
    ended.removeEventListener('abort', ring)
  }
}

const TOKEN = 'TOOLCRIB_REVIEWER_TOKEN'

/** The reviewer of a command: the person at the terminal, or a reviewer of the config with its proof. */
function answerAs(name: unknown, { config, terminal }: { config: CribConfig; terminal: Terminal }): string {
  const reviewers = [...(config.approvals?.reviewers ?? []), ...toolReviewers(config)]
  if (typeof name !== 'string') {
    if (terminal.hasPerson) return personName()
    throw usageProblem(
      `Only a person at a terminal, or a reviewer with a secret, can answer; use --as <reviewer> with ${TOKEN} set.`,
    )
  }
  if (!reviewerNames(reviewers).includes(name)) {
    const known = reviewerNames(reviewers).join(', ') || 'none'
    throw usageProblem(`The config names no reviewer "${name}" (there is: ${known}).`)
  }
  const token = process.env[TOKEN]
  if (token !== undefined && provesReviewer(reviewers, name, token)) return name
  if (terminal.hasPerson && reviewers.includes(name)) return name
  const hasSecret = reviewers.some((each) => typeof each === 'object' && each.name === name)
  throw usageProblem(
    hasSecret
      ? `"${name}" must prove it: set ${TOKEN} to the secret whose SHA-256 is in the config.`
      : `"${name}" has no token_sha256 in the config, so that name can answer only at a terminal or through the library.`,
  )
}

/** Names in the settings of human tools. Like names without a secret, they answer at a terminal. */
function toolReviewers({ toolFiles = {} }: CribConfig): string[] {
  const settings = Object.values(toolFiles).flatMap(({ tools = {} }) => Object.values(tools))
  return settings.flatMap(({ reviewers = [] }) => reviewers)
}
