import type { JsonSchema } from '../../../contract/json-schema.js'
import type { ToolcribApproval } from '../../../contract/objects/toolcrib-approval.js'
import type { Crib } from '../../../crib/crib.js'
import { errorMessage } from '../../../platform/text/error-message.js'
import { oneLine, printable } from '../../../platform/text/printable.js'
import { startLiveLines, type LiveLines } from '../terminal/live-lines.js'
import { createQuestionPanel, type PanelChoice } from '../approvals/question-panel.js'
import { answerForm, correctable } from '../forms/answer-form.js'
import { isInsideCall } from '../../../host/is-inside-call.js'
import { timeOfDay } from '../terminal/short-time.js'
import { approvalLines } from '../approvals/approval-lines.js'
import type { Terminal } from '../terminal/terminal.js'
import { personName } from '../../../host/actor-of.js'

/**
 * Whether the terminal of the gateway can answer: a person uses it, and no tool started it. On a terminal that cannot
 * redraw, the question would be lost among the lines of the log.
 */
export function canAskAt(terminal: Terminal): boolean {
  return terminal.isInteractive && terminal.canRedraw && !isInsideCall()
}

/**
 * Shows pending questions at the bottom of the terminal, and reads the keys that answer them. The log continues above.
 * A question that was answered elsewhere disappears. Returns a function that stops it.
 */
export function askAtTerminal(crib: Crib, terminal: Terminal): () => void {
  const panel = createQuestionPanel({ terminal, mayLeave: false })
  /** Answered here, and still in the list. */
  const answered = new Set<string>()
  let live: LiveLines | undefined
  let isOver = false
  /** The keyboard belongs to a form. */
  let isFilling = false

  async function look(): Promise<void> {
    const waiting = await crib.approvals.list({ status: 'pending' })
    if (isOver || isFilling) return
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
        for (const line of approvalLines(choice.approval, terminal)) terminal.say(line)
        return
      case 'approve':
        return void (choice.approval.form ? fillIn(choice.approval, choice.approval.form) : answer(choice))
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
    await look().catch(printProblem)
    try {
      const outcome = await crib.approvals.answer(id, given)
      if (outcome.ok) terminal.say(terminal.sayStyle.dim(sentenceOf(choice)))
      else terminal.explain(printable(outcome.error.message), terminal.sayStyle.bad)
    } catch (error) {
      printProblem(error)
    }
    // If the answer failed, the question is shown again.
    answered.delete(id)
    await look().catch(printProblem)
  }

  /** The log continues between the lines of the form. */
  async function fillIn(approval: ToolcribApproval, form: JsonSchema): Promise<void> {
    const { approval_id: id, invocation_id: invocationId, input_digest: inputDigest } = approval
    isFilling = true
    hide()
    terminal.say(
      terminal.sayStyle.bold(`${oneLine(approval.tool_id)} needs an answer; Ctrl-D leaves it open.`),
    )
    try {
      const outcome = await answerForm(form, {
        terminal,
        give(content) {
          const given = { approved: true, content, by: personName(), invocationId, inputDigest }
          return correctable(crib.approvals.answer(id, given))
        },
      })
      if (outcome?.ok) terminal.say(terminal.sayStyle.dim(youLine(approval, 'answered')))
      else if (outcome) terminal.explain(printable(outcome.error.message), terminal.sayStyle.bad)
    } catch (error) {
      printProblem(error)
    }
    isFilling = false
    await look().catch(printProblem)
  }

  function printProblem(error: unknown): void {
    if (!isOver) terminal.explain(printable(errorMessage(error)))
  }

  const stopWatching = crib.approvals.watch(() => void look().catch(printProblem))
  return () => {
    isOver = true
    stopWatching()
    hide()
  }
}

function sentenceOf(choice: Extract<PanelChoice, { kind: 'approve' | 'reject' }>): string {
  return youLine(choice.approval, choice.kind === 'reject' ? 'denied' : `approved${HOW_LONG[choice.scope]}`)
}

function youLine({ tool_id: toolId }: ToolcribApproval, how: string): string {
  return `${timeOfDay(new Date())}  you  ${oneLine(toolId)}  ${how}`
}

const HOW_LONG = { once: ' once', session: ' for the session', always: ' always' } as const
