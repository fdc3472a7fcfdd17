import { askPerson } from './ask-person.js'
import type { Terminal } from './terminal.js'

/** Asks the person at the keyboard for a yes. Every other answer is a no. */
export async function askYesOrNo(question: string, terminal: Terminal): Promise<boolean> {
  const answer = await askPerson(`${question} [y/N] `, { terminal })
  return /^\s*y(es)?\s*$/i.test(answer ?? '')
}
