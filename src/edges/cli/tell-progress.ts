import type { ToolProgress } from '../../foundation/contract/objects/tool-progress.js'
import { durationText } from './duration-text.js'
import { cutText } from './fit-text.js'
import { oneLine } from './printable.js'
import type { Styles } from './styles.js'

const SEQUENCE_COLUMNS = 5
const TIME_COLUMNS = 10

/** One record in one line: its sequence, when it was, and what it says. */
export function tellProgress(
  progress: ToolProgress,
  { style, columns }: { style: Styles; columns: number },
): string {
  const { sequence, elapsed_ms: elapsed } = progress
  const place = String(sequence).padStart(SEQUENCE_COLUMNS)
  const time = (elapsed === undefined ? '' : `+${durationText(elapsed)}`).padStart(TIME_COLUMNS)
  const words = cutText(progressWords(progress), columns - place.length - time.length - 4)
  return `${style.dim(place)}  ${style.dim(time)}  ${words}`
}

/** How far it is, in words. */
export function progressWords(progress: ToolProgress): string {
  const { status, percent, current_step: step, total_steps: steps, message } = progress
  const parts = [
    status.replaceAll('_', ' '),
    percent === undefined ? '' : `${Math.round(percent)} %`,
    step === undefined ? '' : steps === undefined ? step : `${step} of ${steps}`,
    message ?? '',
    countWords(progress),
  ]
  return parts
    .filter((part) => part !== '')
    .map(oneLine)
    .join('  ')
}

function countWords({
  bytes_read: read,
  bytes_written: written,
  line_count: lines,
  toolcrib = {},
}: ToolProgress): string {
  const { exit_code: code } = toolcrib
  const counts = [
    read === undefined ? '' : `${read} bytes read`,
    written === undefined ? '' : `${written} bytes written`,
    lines === undefined ? '' : `${lines} lines`,
    typeof code === 'number' ? `exit code ${code}` : '',
  ].filter((part) => part !== '')
  return counts.length === 0 ? '' : `(${counts.join(', ')})`
}
