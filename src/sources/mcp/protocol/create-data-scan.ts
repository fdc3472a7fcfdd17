import { createShapeScan, type ShapeScan } from './create-shape-scan.js'
import { findLineEnds } from './line-ends.js'
import type { ShapeLimits } from './shape-limits.js'

const DATA = 'data:'

export interface DataScan {
  readonly scan: ShapeScan
  /** Takes the next bytes of an event, with all of its lines. */
  push(bytes: Buffer): void
}

/**
 * Scans the shape of an event's data while its bytes arrive. Only data lines count: a quote in a comment or event name
 * would turn the following data into a string.
 */
export function createDataScan(limits: ShapeLimits): DataScan {
  const scan = createShapeScan(limits)
  /** The first bytes of the current line: its field. */
  let head = ''

  const pushPart = (part: Buffer): void => {
    if (head.length < DATA.length) head += part.toString('latin1', 0, DATA.length - head.length)
    if (DATA.startsWith(head)) scan.push(part)
  }

  return {
    scan,
    push(bytes) {
      const lineEnd = findLineEnds(bytes)
      let start = 0
      for (let end = lineEnd(0); end !== -1; end = lineEnd(start)) {
        pushPart(bytes.subarray(start, end))
        head = ''
        start = end + 1
      }
      if (start < bytes.length) pushPart(bytes.subarray(start))
    },
  }
}
