import type { InputAnswer, InputRequest } from '../../../catalog/execute-context.js'
import { askPerson } from '../terminal/ask-person.js'
import { parsePairs } from '../input/parse-pairs.js'
import { oneLine } from '../../../platform/text/printable.js'
import { isUsageProblem } from '../program/usage-problem.js'
import type { Terminal } from '../terminal/terminal.js'

/** A tool asks while it runs: a line for its question, or one for each field that it wants. */
export function responderFor(
  terminal: Terminal,
): ((request: InputRequest) => Promise<InputAnswer>) | undefined {
  if (!terminal.isInteractive) return undefined
  return async ({ message, schema }) => {
    terminal.say(terminal.sayStyle.bold(oneLine(message)))
    const fields = Object.keys((schema?.['properties'] ?? {}) as object)
    if (fields.length === 0) {
      const answer = await askPerson('> ', { terminal })
      return answer === undefined ? { action: 'cancel' } : { action: 'accept', content: answer }
    }
    const pairs: string[] = []
    for (const field of fields) {
      const answer = await askPerson(`${oneLine(field)}: `, { terminal })
      if (answer === undefined) return { action: 'cancel' }
      if (answer !== '') pairs.push(`${field}=${answer}`)
    }
    try {
      return { action: 'accept', content: parsePairs(pairs, schema ?? {}) }
    } catch (error) {
      if (!isUsageProblem(error)) throw error
      terminal.say(error.message)
      return { action: 'decline' }
    }
  }
}
