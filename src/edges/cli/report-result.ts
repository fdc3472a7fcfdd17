import type { ToolResult } from '../../foundation/contract/objects/tool-result.js'
import type { ExitCode } from './command.js'
import { contentText } from './content-text.js'
import { durationText } from './duration-text.js'
import { printable } from './printable.js'
import type { Terminal } from './terminal.js'

/** The result of a call for whoever sits there; into a pipe goes only what the tool gave. */
export function reportResult(result: ToolResult, tookMs: number, terminal: Terminal): void {
  const { sayStyle } = terminal
  if (!result.is_error) terminal.printRaw(contentText(result))
  // A command that failed has said something all the same.
  else if (result.error?.error_code === 'toolcrib.exit_code')
    terminal.printRaw(contentText({ ...result, model_facing_content: result.content }))
  const hint = 'Use --yes to approve it, or --detach to leave it waiting.'
  if (result.error) terminal.explain(printable(errorSentence(result, hint)), sayStyle.bad)
  const footer = `${result.status} in ${durationText(tookMs)}, ${result.invocation_id}`
  if (terminal.hasReader) terminal.say(sayStyle.dim(footer))
}

/** What went wrong; where nobody could be asked, `hint` says what helps. */
export function errorSentence({ error }: ToolResult, hint: string): string {
  const isUnasked = error?.error_code === 'toolcrib.nobody_to_ask'
  return `${error?.message ?? 'The call failed.'}${isUnasked ? ` ${hint}` : ''}`
}

export function exitCodeOf({ is_error: isError, error }: ToolResult): ExitCode {
  if (!isError) return 0
  return error?.error_class === 'unknown_tool' ? 2 : 1
}
