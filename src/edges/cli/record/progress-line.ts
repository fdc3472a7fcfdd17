import type { ToolProgress } from '../../../contract/objects/tool-progress.js'
import { durationText } from '../terminal/duration-text.js'
import { cutText } from '../terminal/fit-text.js'
import { progressStatusText } from './progress-text.js'
import type { Styles } from '../terminal/styles.js'

const SEQUENCE_COLUMNS = 5
const TIME_COLUMNS = 10

/** One record in one line: its sequence, its time, and its text. */
export function progressLine(
  progress: ToolProgress,
  { style, columns }: { style: Styles; columns: number },
): string {
  const { sequence, elapsed_ms: elapsed } = progress
  const place = String(sequence).padStart(SEQUENCE_COLUMNS)
  const time = (elapsed === undefined ? '' : `+${durationText(elapsed)}`).padStart(TIME_COLUMNS)
  const words = cutText(progressStatusText(progress), columns - place.length - time.length - 4)
  return `${style.dim(place)}  ${style.dim(time)}  ${words}`
}
