import { callLine, layoutFor } from './call-line.js'
import { openNumbers, type CallView } from './call-view.js'
import { cutText } from '../terminal/fit-text.js'
import { countWords, isAtWork } from '../terminal/status-words.js'
import type { Styles } from '../terminal/styles.js'

/** A line for each call. If there are too many, a line for each running call, and the number of the others. */
export function batchLines(
  views: readonly CallView[],
  {
    room,
    tick,
    now,
    style,
  }: { room: { columns: number; rows: number }; tick: number; now: number; style: Styles },
): string[] {
  const layout = layoutFor(views, room.columns)
  const open = openNumbers(views)
  const lineOf = (view: CallView): string => callLine(view, { layout, tick, now, style, open })
  if (views.length <= room.rows) return views.map(lineOf)
  const shown = new Set(views.filter(isAtWork).slice(0, Math.max(0, room.rows - 1)))
  const others = views.filter((view) => !shown.has(view))
  return [...[...shown].map(lineOf), style.dim(cutText(`and ${countWords(others)}`, room.columns))]
}
