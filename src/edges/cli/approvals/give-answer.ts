import type { ToolcribApproval } from '../../../contract/objects/toolcrib-approval.js'
import type { ToolResult } from '../../../contract/objects/tool-result.js'
import type { AnswerOptions, AnswerOutcome } from '../../../crib/approvals/answer-approval.js'
import { APPROVAL_NEWS } from '../../../crib/approvals/approval-documents.js'
import type { Crib } from '../../../crib/crib.js'
import { loadCrib } from '../../../host/load-crib.js'
import { answerAs } from './answer-as.js'
import type { GivenOptions } from '../program/command.js'
import { findApproval } from './find-approval.js'
import { loadOutsideOrStop, loadToolsOrStop } from '../program/load-or-stop.js'
import { printable } from '../../../platform/text/printable.js'
import { responderFor } from './responder-for.js'
import type { Terminal } from '../terminal/terminal.js'

export interface Answered {
  crib: Crib
  /** Who answered. */
  by: string
  approval: ToolcribApproval
  outcome: AnswerOutcome
}

/** Opens the crib with its tools, for the call may have to run here, and answers. The caller closes the crib. */
export async function giveAnswer(
  given: string,
  options: GivenOptions,
  terminal: Terminal,
  answer: Omit<AnswerOptions, 'by'>,
): Promise<Answered> {
  const settings = await loadToolsOrStop(options, { terminal })
  const by = answerAs(options['as'], { config: settings.config, terminal })
  const responder = responderFor(terminal)
  const crib = await loadCrib({
    settings,
    outside: await loadOutsideOrStop(settings),
    tools: settings.drafts,
    store: options.store,
    more: {
      reviewers: [...new Set([...(settings.config.approvals?.reviewers ?? []), by])],
      approvals: { claim: false },
      ...(responder && { responder }),
    },
  })
  try {
    const approval = await findApproval(crib, given)
    // What was shown is what is answered: an input that was exchanged meanwhile is refused.
    const { approval_id: id, invocation_id: invocationId, input_digest: inputDigest } = approval
    const outcome = await crib.approvals.answer(id, { ...answer, by, invocationId, inputDigest })
    if (!outcome.ok) {
      if (options.json) terminal.printJson(outcome.error, 2)
      else terminal.explain(printable(outcome.error.message), terminal.sayStyle.bad)
    }
    return { crib, by, approval, outcome }
  } catch (error) {
    await crib.close()
    throw error
  }
}

export type AfterAnswer = { result: ToolResult } | { askedAnew: ToolcribApproval }

/** Waits until an answered call has its result, in whichever process, or asks again; nothing when the wait was ended. */
export async function waitAfterAnswer(
  crib: Crib,
  { approval_id: answered, invocation_id: invocationId, tenant }: ToolcribApproval,
  ended: AbortSignal,
): Promise<AfterAnswer | undefined> {
  let wake: (() => void) | undefined
  const ring = (): void => wake?.()
  const stopWatching = crib.store.watch([{ of: 'call', tenant, invocationId }, APPROVAL_NEWS], ring)
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
