import { countCells, delimiterOf } from '../kinds/read-table.js'

const LOOKED_AT = 12

/** Columns divided by a sign: every row has as many as the header. Quoted cells may run over lines, so that a few may differ. */
export function looksDelimited(lines: readonly string[]): boolean {
  if (/^\s*\|.*\|\s*$/.test(lines[0]!) && /^\s*\|[\s:|-]+\|\s*$/.test(lines[1]!)) return true
  const delimiter = delimiterOf(lines[0]!)
  if (delimiter === undefined) return false
  const cells = lines.slice(0, LOOKED_AT).map((line) => countCells(line, delimiter))
  const alike = cells.filter((count) => count === cells[0]).length
  // Prose has commas as well, but not as many in each line, and longer words between them.
  const longest = Math.max(...lines[0]!.split(delimiter).map((cell) => cell.trim().length))
  return (
    cells[0]! >= 2 &&
    longest <= 60 &&
    alike >= Math.max(3, cells.length * 0.75) &&
    !/[.;{}(]\s*$/.test(lines[0]!)
  )
}

/** Columns under a header in capitals, as ps, df or kubectl write them, or above a rule of dashes. */
export function looksAligned(lines: readonly string[]): boolean {
  const header = lines[0]!.trim()
  const names = header.split(/\s+/)
  if (names.length < 3) return false
  if (/^[-=+| ]{8,}$/.test(lines[1]!)) return true
  const capitals = names.filter((name) => /^[%A-Z][A-Z0-9%()/_+-]*$/.test(name)).length
  if (capitals < names.length * 0.7) return false
  const rows = lines.slice(1, LOOKED_AT)
  return rows.filter((row) => row.trim().split(/\s+/).length >= names.length - 1).length >= rows.length * 0.7
}
