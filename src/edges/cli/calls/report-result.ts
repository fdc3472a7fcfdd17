import { ownCommand } from '../../../platform/text/own-command.js'
import type { ToolError } from '../../../contract/objects/tool-error.js'
import type { ToolResult } from '../../../contract/objects/tool-result.js'
import type { ExitCode } from '../program/command.js'
import { contentText } from '../terminal/content-text.js'
import { durationText } from '../terminal/duration-text.js'
import { printable } from '../../../platform/text/printable.js'
import { saveHints } from './save-hint.js'
import { endWord } from '../terminal/status-words.js'
import type { Terminal } from '../terminal/terminal.js'

/** The result of a call for whoever sits there; into a pipe goes only what the tool gave. */
export function reportResult(result: ToolResult, tookMs: number, terminal: Terminal): void {
  const { sayStyle } = terminal
  if (!result.is_error) terminal.printRaw(contentText(result))
  // A command that failed has said something all the same.
  else if (result.error?.error_code === 'toolcrib.exit_code')
    terminal.printRaw(contentText({ ...result, model_facing_content: result.content }))
  const hint = 'Use --yes to approve it, or --detach to leave it waiting.'
  if (result.error) {
    // Of a name that is wrong there is nothing more to tell than what is near it.
    if (result.error.error_class === 'unknown_tool')
      terminal.explain(printable(unknownSentence(result.error)), sayStyle.bad)
    else {
      terminal.explain(printable(personSentence(result, hint)), sayStyle.bad)
      terminal.explain(printable(technicalLine(result.error)))
    }
  }
  if (terminal.hasReader && !result.is_error)
    for (const hint of saveHints(result)) terminal.explain(printable(hint))
  const footer = `${endWord(result)} in ${durationText(tookMs)}, ${result.invocation_id}`
  if (terminal.hasReader) terminal.say(sayStyle.dim(footer))
}

function unknownSentence({ message }: ToolError): string {
  return message.replace('see which tools there are.', `"${ownCommand('tools')}" lists what is there.`)
}

/** What happened, for whoever sits there. */
function personSentence(result: ToolResult, hint: string): string {
  const { ui_facing_summary: words } = result
  if (words === undefined) return errorSentence(result, hint)
  return `${words}${isUnasked(result) ? ` ${hint}` : ''}`
}

/** The same for whoever has to find the reason: the stable code, what the tool or the rule said, the foreign name. */
function technicalLine({ error_code: code, error_class: errorClass, message, ...more }: ToolError): string {
  // That it was an error is said already, and so is the code.
  const isSaid = more.native_error_ref === 'Error' || more.native_error_ref === code
  const native = isSaid ? undefined : more.native_error_ref
  return `${code ?? errorClass}: ${message}${native === undefined ? '' : ` [${native}]`}`
}

/** What went wrong; where nobody could be asked, `hint` says what helps. */
export function errorSentence(result: ToolResult, hint: string): string {
  return `${result.error?.message ?? 'The call failed.'}${isUnasked(result) ? ` ${hint}` : ''}`
}

function isUnasked({ error }: ToolResult): boolean {
  return error?.error_code === 'toolcrib.nobody_to_ask'
}

export function exitCodeOf({ is_error: isError, error }: ToolResult): ExitCode {
  if (!isError) return 0
  return error?.error_class === 'unknown_tool' ? 2 : 1
}
