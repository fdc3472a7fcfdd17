import type { InputAnswer, InputRequest } from '../../../catalog/execute-context.js'
import { fillForm } from '../forms/fill-form.js'
import { askPerson } from '../terminal/ask-person.js'
import { oneLine } from '../../../platform/text/printable.js'
import type { Terminal } from '../terminal/terminal.js'

/** Answers a tool that asks for input while it runs: one line for its question, or one for each field. */
export function responderFor(
  terminal: Terminal,
): ((request: InputRequest) => Promise<InputAnswer>) | undefined {
  if (!terminal.isInteractive) return undefined
  return async ({ message, schema }) => {
    terminal.say(terminal.sayStyle.bold(oneLine(message)))
    if (Object.keys((schema?.['properties'] ?? {}) as object).length === 0) {
      const answer = await askPerson('> ', { terminal })
      return answer === undefined ? { action: 'cancel' } : { action: 'accept', content: answer }
    }
    const filled = await fillForm(schema!, { terminal })
    return filled ? { action: 'accept', content: filled.content } : { action: 'cancel' }
  }
}
