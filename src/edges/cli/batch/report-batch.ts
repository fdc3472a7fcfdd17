import type { ToolResult } from '../../../contract/objects/tool-result.js'
import { tookMs, type CallView } from './call-view.js'
import { contentText } from '../terminal/content-text.js'
import { durationText } from '../terminal/duration-text.js'
import { cutText } from '../terminal/fit-text.js'
import { oneLine, printable } from '../../../platform/text/printable.js'
import { errorSentence } from '../calls/report-result.js'
import { paintStatus, statusMark } from '../terminal/status-mark.js'
import { countWords, statusWord } from '../terminal/status-words.js'
import type { Terminal } from '../terminal/terminal.js'

/** One result of a batch below a line with its call. All of it goes to stdout: an error is a result too. */
export function reportBatchResult(view: CallView, result: ToolResult, terminal: Terminal): void {
  terminal.print(headingOf(view, result, terminal))
  const content = result.is_error ? '' : contentText(result)
  if (content !== '') terminal.printRaw(content)
  if (result.error)
    terminal.printText(printable(errorSentence(result, 'Use --yes to approve it.')), terminal.style.bad)
}

const MIN_NAME_COLUMNS = 12

function headingOf(view: CallView, result: ToolResult, { style, columns, hasReader }: Terminal): string {
  const start = `${statusMark(view.status)} ${view.number}`
  const word = statusWord(view)
  const room = columns - start.length - word.length - 3
  // Into a pipe goes only what is the same in every run.
  const known = hasReader ? factsOf(view, result) : ''
  const facts = room - known.length < MIN_NAME_COLUMNS ? '' : known
  const name = cutText(oneLine(view.name), room - facts.length)
  const paint = (text: string): string => paintStatus(view.status, text, style)
  return `${paint(start)} ${style.bold(name)}  ${paint(word)}${style.dim(facts)}`
}

function factsOf(view: CallView, { invocation_id: id }: ToolResult): string {
  const took = tookMs(view, 0)
  return `${took === undefined ? '' : ` in ${durationText(took)}`}, ${id}`
}

/** `5 succeeded, 1 failed, 1 canceled · 2.3 s` */
export function batchSummary(views: readonly CallView[], tookMs: number): string {
  return `${countWords(views) || 'no calls'} · ${durationText(tookMs)}`
}
