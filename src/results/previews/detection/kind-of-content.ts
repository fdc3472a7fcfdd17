import type { ContentKind } from '../content-kind.js'
import { readOutline } from '../json/read-outline.js'
import { isContainer } from '../json/json-node.js'
import { looksAligned, looksDelimited } from './looks-tabular.js'

const LOOKED_AT_LINES = 200

const logSign =
  /^\s*[[(<]?(?:\d{4}[-/]\d\d[-/]\d\d|\d\d:\d\d:\d\d|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d)|\b(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|FATAL)\b|^(?:npm|ok|not ok|PASS|FAIL|=== RUN|---) |^\s*(?:✓|✔|✗|×|❯)|^\s+at .*[:(]\d/
const codeSign =
  /^\s*(?:import\s|export\s|from\s+\S+\s+import|const\s|let\s|var\s|function\s|class\s|def\s|fn\s|pub\s|func\s|package\s|use\s+\w+::|#include|#!\/|return\b|if\s*\(|for\s*\(|while\s*\(|public\s|private\s|@\w+|\/\/|\/\*|\*\s|\*\/)|[;{}]\s*$/
const pathLike =
  /^(?:[bcdlps-][rwxsStT-]{9}|\.{0,2}\/?[\w@+~.,=#%-]+(?:\/[\w@+~.,=#% -]*)*\/?:?$|[^\s:]+:\d+[:-])/

/** What the text looks like. `undefined` where it looks like nothing in particular. */
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
  // A log line may begin with a bracket too; what JSON is broken near its start is none.
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

/** Without the last one of a text that goes on: it may be cut. */
function firstLines(head: string, isWhole: boolean): string[] {
  const start = head.slice(0, 200_000)
  const lines = start.split('\n', LOOKED_AT_LINES + 1)
  if (lines.length > 1 && (!isWhole || start.length < head.length || lines.at(-1) === '')) lines.pop()
  return lines.slice(0, LOOKED_AT_LINES)
}

function share(lines: readonly string[], sign: RegExp): number {
  return lines.filter((line) => sign.test(line.slice(0, 500))).length / Math.max(1, lines.length)
}
