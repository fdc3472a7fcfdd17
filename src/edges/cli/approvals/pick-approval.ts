import type { ApprovalsQuery } from '../../../crib/approvals/crib-approvals.js'
import type { Crib } from '../../../crib/crib.js'
import { startLiveLines } from '../terminal/live-lines.js'
import { createQuestionPanel, type PanelChoice } from './question-panel.js'
import { approvalLines } from './approval-lines.js'
import type { Terminal } from '../terminal/terminal.js'

/** Lets the person choose an approval and an answer. Undefined if they leave, or none is pending any more. */
export async function pickApproval(
  crib: Crib,
  terminal: Terminal,
  query: Pick<ApprovalsQuery, 'queue'> = {},
): Promise<Extract<PanelChoice, { kind: 'approve' | 'reject' }> | undefined> {
  const panel = createQuestionPanel({ terminal, mayLeave: true })
  let end!: (choice: Extract<PanelChoice, { kind: 'approve' | 'reject' }> | undefined) => void
  const chosen = new Promise<Awaited<ReturnType<typeof pickApproval>>>((resolve) => (end = resolve))
  const look = async (): Promise<void> => {
    panel.show(await crib.approvals.list({ status: 'pending', ...query }))
    if (panel.size === 0) end(undefined)
  }
  await look()
  const stopWatching = crib.approvals.watch(() => void look().catch(() => end(undefined)))
  const takeKey = (key: string): void => {
    const choice = panel.take(key)
    switch (choice?.kind) {
      case 'whole':
        for (const line of approvalLines(choice.approval, terminal)) terminal.say(line)
        return
      case 'leave':
        return end(undefined)
      case 'approve':
      case 'reject':
        return end(choice)
      case undefined:
        return
    }
  }
  const leave = (): void => end(undefined)
  process.once('SIGINT', leave)
  const live = startLiveLines(terminal, () => panel.lines(), takeKey)
  try {
    return await chosen
  } finally {
    live.end()
    process.off('SIGINT', leave)
    stopWatching()
  }
}
