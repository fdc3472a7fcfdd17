import type { ToolProgress } from '../../../contract/objects/tool-progress.js'
import { oneLine } from '../../../platform/text/printable.js'

/** One progress record in one line. */
export function progressText(progress: ToolProgress): string {
  return amountText(progress) || 'at work'
}

/** The status and the progress of a call. */
export function progressStatusText(progress: ToolProgress): string {
  const status = progress.status.replaceAll('_', ' ')
  const amount = amountText(progress)
  return amount === '' ? status : `${status}  ${amount}`
}

function amountText(progress: ToolProgress): string {
  const { percent } = progress
  const parts = [percent === undefined ? '' : `${Math.round(percent)} %`, progressWords(progress)]
  return parts.filter((part) => part !== '').join(' ')
}

/** The text of a progress record besides the amount. */
export function progressWords(progress: ToolProgress): string {
  const { current_step: step, total_steps: steps, message } = progress
  const { bytes_read: read, bytes_written: written, line_count: lines, toolcrib = {} } = progress
  const { exit_code: code } = toolcrib
  const parts = [
    step === undefined ? '' : steps === undefined ? step : `${step} of ${steps}`,
    message ?? '',
    read === undefined ? '' : `${bytesText(read)} read`,
    written === undefined ? '' : `${bytesText(written)} written`,
    lines === undefined ? '' : `${lines} ${lines === 1 ? 'line' : 'lines'}`,
    typeof code === 'number' ? `exit code ${code}` : '',
  ]
  return oneLine(parts.filter((part) => part !== '').join(', '))
}

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB']

/** `12 B`, `3.4 kB`, `120 MB`. */
export function bytesText(bytes: number): string {
  let [value, unit] = [bytes, 0]
  // Rounded up, it would read 1000.
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1_000
    unit++
  }
  return `${unit === 0 || value >= 99.95 ? Math.round(value) : value.toFixed(1)} ${UNITS[unit]}`
}
