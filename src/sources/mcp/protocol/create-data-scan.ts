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
 * Looks at the shape of what an event holds, as its bytes come. Only its data counts: a quote in a comment or in the name of an
 * event would make a text of the data behind it.
 */
export function createDataScan(limits: ShapeLimits): DataScan {
  const scan = createShapeScan(limits)
  /** The first bytes of the line that is being read: its field. */
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
