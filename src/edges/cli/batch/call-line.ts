import { isTerminal } from '../../../contract/status-table.js'
import { tookMs, type CallView } from './call-view.js'
import { durationText } from '../terminal/duration-text.js'
import { cutText, fitText, widthOf } from '../terminal/fit-text.js'
import { oneLine } from '../../../platform/text/printable.js'
import { progressText, progressWords } from '../record/progress-text.js'
import { paintStatus, statusMark } from '../terminal/status-mark.js'
import { STATUS_COLUMNS, statusWord } from '../terminal/status-words.js'
import type { Styles } from '../terminal/styles.js'

/** Shared values of all lines of a batch, so that the columns align. */
export interface LineLayout {
  columns: number
  numberColumns: number
  nameColumns: number
  detailColumns: number
}

const TOOK_COLUMNS = 10
const MAX_NAME_COLUMNS = 24
/** Below this width, only the most needed parts are shown. */
const MIN_COLUMNS = 40
/** The mark, and the gaps between mark, number, name, status, detail and time. */
const GAPS = 1 + 1 + 1 + 2 + 2 + 2

export function layoutFor(views: readonly CallView[], columns: number): LineLayout {
  const numberColumns = String(views.length).length
  const left = columns - GAPS - numberColumns - STATUS_COLUMNS - TOOK_COLUMNS
  const longest = Math.max(0, ...views.map(({ name }) => widthOf(oneLine(name))))
  const nameColumns = Math.max(1, Math.min(longest, MAX_NAME_COLUMNS, Math.floor(left / 2)))
  return { columns, numberColumns, nameColumns, detailColumns: Math.max(0, left - nameColumns) }
}

const SPINNER = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']

/** One call in one line: mark or spinner, number, tool, status, progress or reason to wait, time. */
export function callLine(
  view: CallView,
  {
    layout,
    tick,
    now,
    style,
    open,
  }: { layout: LineLayout; tick: number; now: number; style: Styles; open: ReadonlySet<number> },
): string {
  const { status } = view
  const isMoving = !isTerminal(status) && !STILL.has(status)
  const mark = isMoving ? SPINNER[tick % SPINNER.length]! : statusMark(status)
  if (layout.columns < MIN_COLUMNS)
    return cutText(`${mark} ${view.number} ${statusWord(view)} ${oneLine(view.name)}`, layout.columns)
  const took = tookMs(view, now)
  const detail = detailOf(view, { columns: layout.detailColumns, open })
  return [
    `${paintStatus(status, mark, style)} ${style.dim(String(view.number).padStart(layout.numberColumns))} `,
    fitText(oneLine(view.name), layout.nameColumns),
    `  ${paintStatus(status, fitText(statusWord(view), STATUS_COLUMNS), style)}  `,
    style.dim(fitText(detail, layout.detailColumns)),
    `  ${(took === undefined ? '' : durationText(took)).padStart(TOOK_COLUMNS)}`,
  ].join('')
}

/** Statuses without a spinner. */
const STILL: ReadonlySet<string> = new Set<CallView['status']>(['queued', 'awaiting_approval', 'needs_input'])

function detailOf(
  { status, after, progress, problem }: CallView,
  { columns, open }: { columns: number; open: ReadonlySet<number> },
): string {
  if (isTerminal(status)) return oneLine(problem ?? '')
  switch (status) {
    case 'awaiting_approval':
      return 'for approval'
    case 'needs_input':
      return 'for an answer'
    case 'queued': {
      const first = after.filter((number) => open.has(number))
      return first.length === 0 ? '' : `after ${first.join(', ')}`
    }
    default:
      if (!progress) return ''
      return progress.percent === undefined
        ? progressWords(progress)
        : barText(progress.percent, progressWords(progress), columns)
  }
}

const MAX_BAR_COLUMNS = 12
const PERCENT_COLUMNS = 6
/** A shorter part of a message has no use. */
const MIN_WORDS_COLUMNS = 8

/** `██████░░░░░░  50 %  counted 5 of 10`; shorter where there is little width. */
export function barText(percent: number, words: string, columns: number): string {
  const bar = Math.min(MAX_BAR_COLUMNS, columns - PERCENT_COLUMNS)
  const percentText = `${Math.round(percent)} %`.padStart(PERCENT_COLUMNS)
  if (bar < 4) return percentText.trimStart()
  // Full only at 100 %: 99.9 % is not the end.
  const full = percent >= 100 ? bar : Math.min(bar - 1, Math.round((bar * percent) / 100))
  const drawn = `${'█'.repeat(full)}${'░'.repeat(bar - full)}${percentText}`
  const rest = columns - widthOf(drawn) - 2
  return words === '' || rest < MIN_WORDS_COLUMNS ? drawn : `${drawn}  ${cutText(words, rest)}`
}

/** A change of a call as a line of a log; undefined where the change is not worth one. */
export function verboseLine(before: CallView, view: CallView, open: ReadonlySet<number>): string | undefined {
  const start = `${view.number} ${oneLine(view.name)}: `
  if (view.progress && view.progress !== before.progress) return `${start}${progressText(view.progress)}`
  const word = statusWord(view)
  if (word === statusWord(before)) return undefined
  const detail = detailOf(view, { columns: 0, open })
  return `${start}${word}${detail === '' || view.progress ? '' : ` ${detail}`}`
}
