import { createReport, type Report } from './report.js'
import { createSourceText } from './source-text.js'

/** A file as it was read. */
export interface ReadFile {
  /** Relative to the folder. */
  readonly file: string
  readonly bytes: Uint8Array
}

/** Larger files are not read. */
export const MAX_FILE_BYTES = 1_048_576
const BOM = '\uFEFF'

/** The text of a file, with the problems that it has as a text; a report with errors has a text that is not complete. */
export function decode({ file, bytes }: ReadFile): Report {
  if (bytes.length > MAX_FILE_BYTES) {
    const report = createReport(createSourceText(file, ''))
    report.add('aml/file-too-large', { start: 0, end: 0 }, 'The file must be smaller than 1 MB.')
    return report
  }
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
  const report = createReport(createSourceText(file, text))
  if (!isUtf8(bytes)) {
    const start = Math.max(0, text.indexOf('\uFFFD'))
    report.add('aml/encoding', { start, end: start + 1 }, 'The file must be saved as UTF-8.')
  }
  if (text.startsWith(BOM))
    report.add(
      'aml/byte-order-mark',
      { start: 0, end: 1 },
      'The file begins with a byte order mark; save it as UTF-8 without one.',
      { title: 'Remove the byte order mark', start: 0, end: 1, text: '' },
    )
  return report
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}
