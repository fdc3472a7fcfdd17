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
  if (result.error) terminal.explain(printable(errorSentence(result)), sayStyle.bad)
  const footer = `${result.status} in ${durationText(tookMs)}, ${result.invocation_id}`
  if (terminal.hasReader) terminal.say(sayStyle.dim(footer))
}

function errorSentence({ error }: ToolResult): string {
  const isUnasked = error?.error_code === 'toolcrib.nobody_to_ask'
  const hint = isUnasked ? ' Use --yes to approve it, or --detach to leave it waiting.' : ''
  return `${error?.message ?? 'The call failed.'}${hint}`
}

export function exitCodeOf({ is_error: isError, error }: ToolResult): ExitCode {
  if (!isError) return 0
  return error?.error_class === 'unknown_tool' ? 2 : 1
}
