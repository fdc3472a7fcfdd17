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
 * The result of a call for whoever sits there; into a pipe or file goes only what the tool gave, and all of it.
 * `from` reads what was kept by reference.
 */
export async function reportResult(
  result: ToolResult,
  { tookMs, from }: { tookMs: number; from?: Pick<Crib, 'read'> | undefined },
  terminal: Terminal,
): Promise<void> {
  const { sayStyle } = terminal
  if (!result.is_error) await printOutput(result, from, terminal)
  // A command that failed has said something all the same.
  else if (result.error?.error_code === 'toolcrib.exit_code')
    await printOutput({ ...result, model_facing_content: result.content ?? [] }, from, terminal)
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

/** What was too long for a model is printed whole where no person reads it, and begun where one does. */
async function printOutput(
  result: ToolResult,
  from: Pick<Crib, 'read'> | undefined,
  terminal: Terminal,
): Promise<void> {
  const { persisted_payload_ref: kept } = result
  if (kept?.uri === undefined) return terminal.printRaw(contentText(result))
  if (!terminal.isShown && from && (await printWhole(kept.uri, from, terminal))) {
    // What is no text stands beside it, and is named as ever.
    const media = (result.model_facing_content ?? []).filter(mediaOf)
    if (media.length > 0) terminal.printRaw(contentText({ ...result, model_facing_content: media }))
    return
  }
  terminal.printRaw(forPerson(contentText(result), kept.uri))
}

/** False where it is no text, or may not be read, which is said; then there is the preview. */
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
    terminal.explain(printable(`Only a preview: ${error instanceof Error ? error.message : String(error)}`))
    return false
  }
}

/** A preview tells a model which tool reads on; a person has a command. */
function forPerson(text: string, ref: string): string {
  const { source } = new RegExp(ref.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
  const hint = new RegExp(String.raw`Read on with \S+ and \{"ref":"${source}"\}\.|All of it: ${source}`, 'g')
  return text.replaceAll(hint, () => `All of it: ${ownCommand('read last')}`)
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
