import { printable } from '../../../platform/text/printable.js'
import type { Crib } from '../../../crib/crib.js'
import type { LoadedTools } from '../../../host/load-settings.js'
import { approverFor } from '../approvals/approver-for.js'
import type { BackgroundJob, Begun } from '../calls/background-job.js'
import type { Terminal } from '../terminal/terminal.js'
import { textOption } from '../program/command.js'
import { usageProblem } from '../program/usage-problem.js'
import { answerInStore } from './answer-in-store.js'
import { linkToServers } from './link-to-servers.js'
import { openToAnswers } from './open-gateway-crib.js'

/**
 * Makes a call in a running gateway, where it continues without the command. Undefined if no gateway can make it. With
 * --yes, the first question of the call is answered.
 */
export async function backgroundInGateway(
  { name, input, options }: BackgroundJob,
  settings: Extract<LoadedTools, { ok: true }>,
  { only, terminal }: { only: readonly string[] | undefined; terminal: Terminal },
): Promise<Begun | undefined> {
  const approver = options['yes'] === true ? approverFor(terminal, { yes: true }) : undefined
  const found = await linkToServers(settings, options, only)
  if (!found) return undefined
  const { link } = found
  try {
    const hasReviewers = (settings.config.approvals?.reviewers ?? []).length > 0
    const place = {
      command: 'call',
      workspace: process.cwd(),
      session: textOption(options, 'session'),
      approvals: approver || hasReviewers ? 'ask' : 'none',
    } as const
    link.send({ kind: 'background', place, call: { name, input } })
    const message = await link.next()
    if (message?.kind === 'begun') {
      const { first, pending } = message
      if (!pending || !approver) return { first, pending }
      const open = (by: string): Promise<Crib> => openToAnswers(settings, options, by)
      await answerInStore(pending, { approver, terminal, signal: new AbortController().signal, open })
      return { first }
    }
    throw usageProblem(
      message?.kind === 'failed'
        ? printable(message.message)
        : 'The gateway ended before the call began; try again.',
    )
  } finally {
    link.close()
  }
}
