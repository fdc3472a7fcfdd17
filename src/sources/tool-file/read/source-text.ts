import type { Span } from './file-node.js'

/** Where an editor shows a problem. Lines and columns count from 1. */
export interface Location extends Span {
  readonly line: number
  readonly column: number
  readonly endLine: number
  readonly endColumn: number
}

export interface SourceText {
  /** Relative to the folder. */
  readonly file: string
  readonly text: string
  readonly newline: '\n' | '\r\n'
  locate(span: Span): Location
}

export function createSourceText(file: string, text: string): SourceText {
  let starts: number[] | undefined
  const positionAt = (offset: number): { line: number; column: number } => {
    starts ??= lineStarts(text)
    let low = 0
    let high = starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (starts[middle]! <= offset) low = middle
      else high = middle - 1
    }
    return { line: low + 1, column: offset - starts[low]! + 1 }
  }
  return {
    file,
    text,
    newline: text.includes('\r\n') ? '\r\n' : '\n',
    locate({ start, end }) {
      const from = positionAt(start)
      const to = positionAt(Math.max(start, end))
      return { start, end, ...from, endLine: to.line, endColumn: to.column }
    },
  }
}

function lineStarts(text: string): number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}
