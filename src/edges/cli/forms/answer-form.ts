import type { JsonSchema } from '../../../contract/json-schema.js'
import type { AnswerOutcome } from '../../../crib/approvals/answer-approval.js'
import { printable } from '../../../platform/text/printable.js'
import type { Terminal } from '../terminal/terminal.js'
import { fillForm } from './fill-form.js'

/**
 * Lets a person fill in a form, and correct it, until `give` takes the content. Undefined if the person leaves; the
 * question stays open then.
 */
export async function answerForm<Taken>(
  form: JsonSchema,
  {
    terminal,
    signal,
    give,
  }: {
    terminal: Terminal
    signal?: AbortSignal | undefined
    /** A text is the problem of the content. */
    give(content: unknown): Promise<Taken | string>
  },
): Promise<Taken | undefined> {
  const lines = new Map<string, string>()
  for (;;) {
    const filled = await fillForm(form, { terminal, signal, lines })
    if (!filled) return undefined
    const taken = await give(filled.content)
    if (typeof taken !== 'string') return taken
    terminal.say(terminal.sayStyle.bad(printable(taken)))
  }
}

/** The problem of a content that does not fit the form; otherwise the outcome. */
export async function correctable(answering: Promise<AnswerOutcome>): Promise<AnswerOutcome | string> {
  const outcome = await answering
  const isWrong = !outcome.ok && outcome.error.error_code === 'toolcrib.answer_invalid'
  return isWrong ? outcome.error.message : outcome
}
