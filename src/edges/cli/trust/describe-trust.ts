import { dirname, sep } from 'node:path'
import { shortPath } from '../../../platform/config/describe-problem.js'
import { oneLine } from '../../../platform/text/printable.js'
import { wrapText } from '../terminal/fit-text.js'
import type { Terminal } from '../terminal/terminal.js'
import type { TrustRequest } from './trust-request.js'

/** Enough of a hash to compare two by eye; all of it is in the list. */
const HASH_LETTERS = 'sha256:'.length + 16

/** Everything that a yes would be about. In full: a line that was cut would be trusted unread. */
export function describeTrust({ read, loosening, runs, named }: TrustRequest, terminal: Terminal): void {
  const file = oneLine(shortPath(read.path))
  const section = (title: string, entries: readonly string[]): void => {
    if (entries.length === 0) return
    terminal.explain(title, terminal.sayStyle.bold)
    for (const entry of entries) for (const line of indented(entry, terminal)) terminal.say(line)
  }
  section(`${file} wants to loosen:`, loosening)
  section(`${file} wants to run or reach:`, runs)
  section(`${file} names these files, shown as they are now:`, fileLines(named.files))
  section(
    'These lines compute what they import, so that it cannot be followed:',
    named.computed.map(({ file: from, line }) => `${shortPath(from)}:${line}`),
  )
  section(
    'What these files load is guessed from their texts, so that not all of it may be among the above:',
    named.guessed.map((path) => shortPath(path)),
  )
}

/** Files of the project each by itself; those of an installed package together. */
function fileLines(files: ReadonlyMap<string, string>): string[] {
  const lines: string[] = []
  const packages = new Map<string, number>()
  for (const [path, hash] of [...files].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const root = packageRoot(path)
    if (root === undefined) lines.push(`${shortPath(path)} ${hash.slice(0, HASH_LETTERS)}`)
    else packages.set(root, (packages.get(root) ?? 0) + 1)
  }
  for (const [root, count] of packages)
    lines.push(`${shortPath(root)} (${count} ${count === 1 ? 'file' : 'files'})`)
  return lines
}

function packageRoot(path: string): string | undefined {
  const marker = `${sep}node_modules${sep}`
  const at = path.lastIndexOf(marker)
  if (at === -1) return undefined
  const [scope = '', name = ''] = path.slice(at + marker.length).split(sep)
  const root = path.slice(0, at + marker.length) + (scope.startsWith('@') ? `${scope}${sep}${name}` : scope)
  return root === path ? dirname(path) : root
}

function indented(text: string, { sayColumns }: Terminal): string[] {
  return text.split('\n').flatMap((part, at) => {
    const start = at === 0 ? '  ' : '    '
    return wrapText(oneLine(part), sayColumns - 4).map(
      (line, index) => `${index === 0 ? start : '    '}${line}`,
    )
  })
}
