import type { ContentKind } from '../content-kind.js'
import { readOutline } from '../json/read-outline.js'
import { isContainer } from '../json/json-node.js'
import { countCells, delimiterOf } from '../kinds/read-table.js'

const LOOKED_AT_LINES = 200

const logSign =
  /^\s*[[(<]?(?:\d{4}[-/]\d\d[-/]\d\d|\d\d:\d\d:\d\d|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d)|\b(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|FATAL)\b|^(?:npm|ok|not ok|PASS|FAIL|=== RUN|---) |^\s*(?:✓|✔|✗|×|❯)|^\s+at .*[:(]\d/
const codeSign =
  /^\s*(?:import\s|export\s|from\s+\S+\s+import|const\s|let\s|var\s|function\s|class\s|def\s|fn\s|pub\s|func\s|package\s|use\s+\w+::|#include|#!\/|return\b|if\s*\(|for\s*\(|while\s*\(|public\s|private\s|@\w+|\/\/|\/\*|\*\s|\*\/)|[;{}]\s*$/
const pathLike =
  /^(?:[bcdlps-][rwxsStT-]{9}|\.{0,2}\/?[\w@+~.,=#%-]+(?:\/[\w@+~.,=#% -]*)*\/?:?$|[^\s:]+:\d+[:-])/

/** The kind that the text looks like. `undefined` where no kind is recognized. */
export function kindOfContent(head: string, isWhole: boolean): ContentKind | undefined {
  const start = head.trimStart().slice(0, 2000)
  const lines = firstLines(head, isWhole)
  const json = kindOfJson(head, start, lines)
  if (json !== undefined) return json
  if (looksLikeDiff(lines)) return 'diff'
  if (/^<(?:!doctype|html|\?xml|svg|[a-z][\w:-]*(?:\s[^<>]*)?>)/i.test(start)) return 'markup'
  const filled = lines.filter((line) => line.trim() !== '')
  if (filled.length < 3) return undefined
  if (looksDelimited(filled)) return 'table'
  if (share(filled, codeSign) > 0.45 && share(filled, logSign) < 0.3) return 'code'
  if (share(filled, logSign) >= 0.25) return 'log'
  if (looksAligned(filled)) return 'table'
  return filled.length >= 5 && share(filled, pathLike) >= 0.8 ? 'listing' : undefined
}

function kindOfJson(head: string, start: string, lines: readonly string[]): ContentKind | undefined {
  if (start[0] !== '{' && start[0] !== '[') return undefined
  const filled = lines.filter((line) => line.trim() !== '').slice(0, 5)
  const isRecord = (line: string): boolean => {
    const root = line.startsWith('{') ? readOutline(line) : undefined
    return root !== undefined && isContainer(root) && !root.isCut
  }
  if (filled.length > 1 && filled.every(isRecord)) return 'json_lines'
  // A log line may begin with a bracket too; text that is broken JSON near its start is no JSON.
  return readOutline(head.length > 20_000 ? head.slice(0, 20_000) : head) === undefined ? undefined : 'json'
}

function looksLikeDiff(lines: readonly string[]): boolean {
  return lines.some(
    (line, index) =>
      /^diff --git \S/.test(line) ||
      (line.startsWith('--- ') &&
        lines[index + 1]?.startsWith('+++ ') === true &&
        lines[index + 2]?.startsWith('@@ -') === true),
  )
}

/** Without the last line of an incomplete text: it may be cut. */
function firstLines(head: string, isWhole: boolean): string[] {
  const start = head.slice(0, 200_000)
  const lines = start.split('\n', LOOKED_AT_LINES + 1)
  if (lines.length > 1 && (!isWhole || start.length < head.length || lines.at(-1) === '')) lines.pop()
  return lines.slice(0, LOOKED_AT_LINES)
}

function share(lines: readonly string[], sign: RegExp): number {
  return lines.filter((line) => sign.test(line.slice(0, 500))).length / Math.max(1, lines.length)
}

const LOOKED_AT = 12

/**
 * Columns separated by a character: every row has as many as the header. Quoted cells may span lines, so a few rows may
 * differ.
 */
function looksDelimited(lines: readonly string[]): boolean {
  if (/^\s*\|.*\|\s*$/.test(lines[0]!) && /^\s*\|[\s:|-]+\|\s*$/.test(lines[1]!)) return true
  const delimiter = delimiterOf(lines[0]!)
  if (delimiter === undefined) return false
  const cells = lines.slice(0, LOOKED_AT).map((line) => countCells(line, delimiter))
  const alike = cells.filter((count) => count === cells[0]).length
  // Prose has commas as well, but not equally many in each line, and longer text between them.
  const longest = Math.max(...lines[0]!.split(delimiter).map((cell) => cell.trim().length))
  return (
    cells[0]! >= 2 &&
    longest <= 60 &&
    alike >= Math.max(3, cells.length * 0.75) &&
    !/[.;{}(]\s*$/.test(lines[0]!)
  )
}

/** Columns under a header in capitals, as ps, df or kubectl print them, or above a rule of dashes. */
function looksAligned(lines: readonly string[]): boolean {
  const header = lines[0]!.trim()
  const names = header.split(/\s+/)
  if (names.length < 3) return false
  if (/^[-=+| ]{8,}$/.test(lines[1]!)) return true
  const capitals = names.filter((name) => /^[%A-Z][A-Z0-9%()/_+-]*$/.test(name)).length
  if (capitals < names.length * 0.7) return false
  const rows = lines.slice(1, LOOKED_AT)
  return rows.filter((row) => row.trim().split(/\s+/).length >= names.length - 1).length >= rows.length * 0.7
}
