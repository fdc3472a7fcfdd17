import type { ErrorCode } from '../../contract/error-codes.js'
import { ownCommand, shellWord } from '../../platform/text/own-command.js'

/** The error of a call where the tool differs from the accepted definition. */
export function toolChanged(message: string): Error {
  return Object.assign(new Error(message), {
    errorClass: 'setup_required' as const,
    code: 'toolcrib.tool_changed' satisfies ErrorCode,
    nothingHappened: true,
  })
}

/** Why a changed tool is blocked, and what a person does about it. */
export function changeSentence({
  noun,
  changed,
  toolId,
}: {
  /** What the entry of the tool is called: `server`. */
  readonly noun: string
  /** Names of the changed members. */
  readonly changed: readonly string[]
  readonly toolId: string
}): string {
  const what = changed.length > 0 ? `changed the ${changed.join(', ')} of` : 'changed'
  return `The ${noun} ${what} this tool since it was accepted; ${howToAccept(toolId)}`
}

/** What a person does about a tool that is blocked until it is accepted. */
export function howToAccept(toolId: string): string {
  const name = shellWord(toolId)
  return `look first: "${ownCommand(`tools diff ${name}`)}", then accept it: "${ownCommand(`tools accept ${name}`)}".`
}
