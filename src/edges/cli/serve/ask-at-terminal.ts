import type { Crib } from '../../../crib/crib.js'
import { oneLine, printable } from '../../../platform/text/printable.js'
import { startLiveLines, type LiveLines } from '../terminal/live-lines.js'
import { createQuestionPanel, type PanelChoice } from '../approvals/question-panel.js'
import { isInsideCall } from '../calls/refuse-inside-call.js'
import { timeOfDay } from '../terminal/short-time.js'
import { tellApproval } from '../approvals/tell-approval.js'
import type { Terminal } from '../terminal/terminal.js'
import { personName } from '../terminal/user-name.js'

/**
 * Whether the terminal of the gateway can answer: a person sits at it, and no tool started it. A terminal that cannot
 * redraw would lose the question among the lines of the log.
 */
export function canAskAt(terminal: Terminal): boolean {
  return terminal.isInteractive && terminal.canRedraw && !isInsideCall()
}

/**
 * Shows each question that waits at the foot of the terminal, and takes the keys that answer it. The lines of the log go on
 * above. A question that was answered elsewhere disappears. What it returns ends it.
 */
export function askAtTerminal(crib: Crib, terminal: Terminal): () => void {
  const panel = createQuestionPanel({ terminal, mayLeave: false })
  /** Answered here, and not gone from the list yet. */
  const answered = new Set<string>()
  let live: LiveLines | undefined
  let isOver = false

  async function look(): Promise<void> {
    const waiting = await crib.approvals.list({ status: 'pending' })
    if (isOver) return
    panel.show(waiting.filter(({ approval_id: id }) => !answered.has(id)))
    if (panel.size > 0) live ??= startLiveLines(terminal, () => panel.lines(), takeKey)
    else hide()
  }

  function hide(): void {
    live?.end()
    live = undefined
  }

  function takeKey(key: string): void {
    const choice = panel.take(key)
    switch (choice?.kind) {
      case 'whole':
        for (const line of tellApproval(choice.approval, terminal)) terminal.say(line)
        return
      case 'approve':
      case 'reject':
        return void answer(choice)
      case 'leave':
      case undefined:
        return
    }
  }

  async function answer(choice: Extract<PanelChoice, { kind: 'approve' | 'reject' }>): Promise<void> {
    const { approval_id: id, invocation_id: invocationId, input_digest: inputDigest } = choice.approval
    answered.add(id)
    const scope = choice.kind === 'approve' && choice.scope !== 'once' ? { scope: choice.scope } : {}
    const given = {
      approved: choice.kind === 'approve',
      ...scope,
      by: personName(),
      invocationId,
      inputDigest,
    }
    await look().catch(tellProblem)
    try {
      const outcome = await crib.approvals.answer(id, given)
      if (outcome.ok) terminal.say(terminal.sayStyle.dim(sentenceOf(choice)))
      else terminal.explain(printable(outcome.error.message), terminal.sayStyle.bad)
    } catch (error) {
      tellProblem(error)
    }
    // One that could not be answered is asked about again.
    answered.delete(id)
    await look().catch(tellProblem)
  }

  function tellProblem(error: unknown): void {
    if (!isOver) terminal.explain(printable(error instanceof Error ? error.message : String(error)))
  }

  const stopWatching = crib.approvals.watch(() => void look().catch(tellProblem))
  return () => {
    isOver = true
    stopWatching()
    hide()
  }
}

function sentenceOf(choice: Extract<PanelChoice, { kind: 'approve' | 'reject' }>): string {
  const how = choice.kind === 'reject' ? 'denied' : `approved${HOW_LONG[choice.scope]}`
  return `${timeOfDay(new Date())}  you  ${oneLine(choice.approval.tool_id)}  ${how}`
}

const HOW_LONG = { once: ' once', session: ' for the session', always: ' always' } as const
