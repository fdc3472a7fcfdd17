import type { KnownLine } from './known-lines.js'

export interface Table {
  /** One entry per row, with the lines of its quoted cells. */
  rows: KnownLine[]
  headerRows: number
  columns: number
}

// On longer lines of blanks the pattern would be slow.
const RULE_CHARS = 1000
const markdownRule = /^\s*\|?\s*:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)*\|?\s*$/

/** The rows of a table with any column separator. */
export function readTable(lines: readonly KnownLine[]): Table {
  const [first, second] = [lines[0]?.text ?? '', lines[1]?.text ?? '']
  if (second.includes('|') && second.length < RULE_CHARS && markdownRule.test(second))
    return { rows: [...lines], headerRows: 2, columns: first.replace(/^\s*\||\|\s*$/g, '').split('|').length }
  const delimiter = delimiterOf(first)
  if (delimiter === undefined) {
    const hasRule = /^[-=+| ]{3,}$/.test(second)
    return { rows: [...lines], headerRows: hasRule ? 2 : 1, columns: first.trim().split(/\s+/).length }
  }
  return { rows: joinQuoted(lines), headerRows: 1, columns: countCells(first, delimiter) }
}

/** The separator of the header's columns, unless it is spaces. */
export function delimiterOf(header: string): string | undefined {
  const bare = header.replace(/"[^"]*"/g, '')
  const [best] = [',', '\t', ';', '|']
    .map((sign) => ({ sign, count: bare.split(sign).length - 1 }))
    .toSorted((a, b) => b.count - a.count)
  return best !== undefined && best.count > 0 ? best.sign : undefined
}

export function countCells(row: string, delimiter: string): number {
  return row.replace(/"[^"]*"/g, '').split(delimiter).length
}

/** An open quote continues in the next line. */
function joinQuoted(lines: readonly KnownLine[]): KnownLine[] {
  const rows: KnownLine[] = []
  let open: { first: KnownLine; texts: string[]; lastLine: number } | undefined
  for (const line of lines) {
    const isOdd = countQuotes(line.text) % 2 === 1
    if (open !== undefined && line.line === open.lastLine + 1) {
      open.texts.push(line.text)
      open.lastLine = line.lastLine
      if (isOdd) {
        rows.push({ line: open.first.line, lastLine: open.lastLine, text: open.texts.join('\n') })
        open = undefined
      }
    } else if (isOdd) open = { first: line, texts: [line.text], lastLine: line.lastLine }
    else rows.push(line)
  }
  // A quote that never ends does not count.
  if (open !== undefined) rows.push(...lines.filter(({ line }) => line >= open.first.line))
  return rows
}

function countQuotes(text: string): number {
  let quotes = 0
  for (let at = text.indexOf('"'); at !== -1; at = text.indexOf('"', at + 1)) quotes++
  return quotes
}
