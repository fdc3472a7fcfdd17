import { oneLine } from '../../platform/text/printable.js'
import { ownCommand, shellWord } from '../../platform/text/own-command.js'

/** Why a server failed, with a hint for a system error code, and the last output of the server. */
export function reasonText(reason: string, said?: string): string {
  const why = oneLine(reason).replace(/\(ENOENT\)\.?$/, '(ENOENT): is it installed and on the PATH?')
  return said === undefined ? why : `${asSentence(why)} ${oneLine(said)}`
}

/** The command that shows more about the server. */
export function showServerHint(server: string): string {
  return `More about it: ${ownCommand(`servers show ${shellWord(server)}`)}`
}

export function asSentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`
}
