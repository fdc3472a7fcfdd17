import { oneLine } from '../../../platform/text/printable.js'
import { ownCommand, shellWord } from '../../../platform/text/own-command.js'

/** Why a server failed, what to look for where the system only has a code for it, and what the server said itself. */
export function reasonText(reason: string, said?: string): string {
  const why = oneLine(reason).replace(/\(ENOENT\)\.?$/, '(ENOENT): is it installed and on the PATH?')
  return said === undefined ? why : `${asSentence(why)} ${oneLine(said)}`
}

/** What to type to learn more about it. */
export function showServerHint(server: string): string {
  return `More about it: ${ownCommand(`servers show ${shellWord(server)}`)}`
}

export function asSentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`
}
