import { errorMessage } from '../../../platform/text/error-message.js'
import { ownCommand } from '../../../platform/text/own-command.js'
import type { ToolError } from '../../../contract/objects/tool-error.js'
import type { ToolResult } from '../../../contract/objects/tool-result.js'
import type { Crib } from '../../../crib/crib.js'
import { readPages } from '../record/read-pages.js'
import type { ExitCode } from '../program/command.js'
import { contentText, mediaOf } from '../terminal/content-text.js'
import { durationText } from '../terminal/duration-text.js'
import { printable } from '../../../platform/text/printable.js'
import { saveHints } from './save-hint.js'
import { endWord } from '../terminal/status-words.js'
import type { Terminal } from '../terminal/terminal.js'

/**
 * Prints the result of a call. A pipe or file gets only the output of the tool, and all of it. `from` reads stored
 * output by reference.
 */
export async function reportResult(
  result: ToolResult,
  { tookMs, from }: { tookMs: number; from?: Pick<Crib, 'read'> | undefined },
  terminal: Terminal,
): Promise<void> {
  const { sayStyle } = terminal
  if (!result.is_error) await printOutput(result, from, terminal)
  // A command that failed has output all the same.
  else if (result.error?.error_code === 'toolcrib.exit_code')
    await printOutput({ ...result, model_facing_content: result.content ?? [] }, from, terminal)
  const hint = 'Use --yes to approve it, or --detach to leave it waiting.'
  if (result.error) {
    // For an unknown tool, the nearest name is all there is to report.
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

/** Output that was too long for a model is printed in full into a pipe or file, and its beginning on a terminal. */
async function printOutput(
  result: ToolResult,
  from: Pick<Crib, 'read'> | undefined,
  terminal: Terminal,
): Promise<void> {
  const { persisted_payload_ref: kept } = result
  if (kept?.uri === undefined) return terminal.printRaw(contentText(result))
  if (!terminal.isShown && from && (await printWhole(kept.uri, from, terminal))) {
    // Blocks that are no text are named, as always.
    const media = (result.model_facing_content ?? []).filter(mediaOf)
    if (media.length > 0) terminal.printRaw(contentText({ ...result, model_facing_content: media }))
    return
  }
  terminal.printRaw(forPerson(contentText(result), kept.uri))
}

/** False if the stored output is no text, or may not be read, which is printed; the preview is then used. */
async function printWhole(ref: string, from: Pick<Crib, 'read'>, terminal: Terminal): Promise<boolean> {
  let last: string | undefined
  try {
    for await (const part of readPages(from, ref)) {
      if (terminal.unread.aborted) return true
      if (typeof part !== 'string' && last === undefined) return false
      last = String(part)
      await terminal.write(part)
    }
    if (last?.endsWith('\n') !== true) await terminal.write('\n')
    return true
  } catch (error) {
    if (last !== undefined) throw error
    terminal.explain(printable(`Only a preview: ${errorMessage(error)}`))
    return false
  }
}

/** A preview names the tool that reads on; a person gets a command instead. */
function forPerson(text: string, ref: string): string {
  const { source } = new RegExp(ref.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
  const hint = new RegExp(String.raw`Read on with \S+ and \{"ref":"${source}"\}\.|All of it: ${source}`, 'g')
  return text.replaceAll(hint, () => `All of it: ${ownCommand('read last')}`)
}

function unknownSentence({ message }: ToolError): string {
  return message.replace('see which tools there are.', `"${ownCommand('tools')}" lists what is there.`)
}

/** What happened, for a person. */
function personSentence(result: ToolResult, hint: string): string {
  const { ui_facing_summary: words } = result
  if (words === undefined) return errorSentence(result, hint)
  return `${words}${isUnasked(result) ? ` ${hint}` : ''}`
}

/** The technical reason: the stable code, the message of the tool or rule, the foreign name. */
function technicalLine({ error_code: code, error_class: errorClass, message, ...more }: ToolError): string {
  // The status and the code are printed already.
  const isSaid = more.native_error_ref === 'Error' || more.native_error_ref === code
  const native = isSaid ? undefined : more.native_error_ref
  return `${code ?? errorClass}: ${message}${native === undefined ? '' : ` [${native}]`}`
}

/** What went wrong; if no approval was possible, `hint` has the next step. */
export function errorSentence(result: ToolResult, hint: string): string {
  return `${result.error?.message ?? 'The call failed.'}${isUnasked(result) ? ` ${hint}` : ''}`
}

function isUnasked({ error }: ToolResult): boolean {
  const { error_code: code } = error ?? {}
  return code === 'toolcrib.nobody_to_ask' || code === 'toolcrib.nobody_to_ask_each_time'
}

export function exitCodeOf({ is_error: isError, error }: ToolResult): ExitCode {
  if (!isError) return 0
  return error?.error_class === 'unknown_tool' ? 2 : 1
}
