import { dirname, sep } from 'node:path'
import { shortPath } from '../../../platform/config/describe-problem.js'
import { oneLine } from '../../../platform/text/printable.js'
import { wrapText } from '../terminal/fit-text.js'
import type { Terminal } from '../terminal/terminal.js'
import type { TrustRequest } from './trust-request.js'

/** Enough of a hash to compare two by eye; the list has all of it. */
const HASH_LETTERS = 'sha256:'.length + 16

/** Everything that a yes covers, in full: a truncated line would be trusted unread. */
export function describeTrust(
  { read, loosening, runs, named }: TrustRequest,
  terminal: Terminal,
  { isAll }: { isAll: boolean },
): void {
  const file = oneLine(shortPath(read.path))
  const section = (title: string, entries: readonly string[]): void => {
    if (entries.length === 0) return
    terminal.explain(title, terminal.sayStyle.bold)
    for (const entry of entries) for (const line of indented(entry, terminal)) terminal.say(line)
  }
  section(`${file} wants to loosen:`, loosening)
  section(`${file} wants to run or reach:`, runs)
  section(
    `${file} names these files, shown as they are now:`,
    listed(
      [...named.files].map(([path, hash]) => ({ path, text: hash.slice(0, HASH_LETTERS) })),
      'file',
      isAll,
    ),
  )
  section(
    'These lines compute what they import, so that it cannot be followed:',
    listed(
      named.computed.map(({ file: path, line }) => ({ path, text: `line ${line}` })),
      'line',
      isAll,
    ),
  )
  section(
    'What these files load is guessed from their texts, so that not all of it may be among the above:',
    listed(
      named.guessed.map((path) => ({ path, text: '' })),
      'file',
      isAll,
    ),
  )
}

interface Named {
  readonly path: string
  /** The facts of the file. */
  readonly text: string
}

/** Packages of one folder that are named one by one. */
const FEW_PACKAGES = 5

/**
 * Each file of the project; the files of an installed package together. Many packages of one folder are one line with
 * their number: a hundred names are not read. --all names all of them.
 */
function listed(named: readonly Named[], unit: 'file' | 'line', isAll: boolean): string[] {
  const own: string[] = []
  const folders = new Map<string, Map<string, number>>()
  for (const { path, text } of named.toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))) {
    const at = packageAt(path)
    if (at === undefined) {
      own.push(`${shortPath(path)} ${text}`.trimEnd())
      continue
    }
    const packages = folders.get(at.folder) ?? new Map<string, number>()
    folders.set(at.folder, packages.set(at.root, (packages.get(at.root) ?? 0) + 1))
  }
  const counted = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`
  const ofPackages = [...folders].flatMap(([folder, packages]) => {
    if (isAll || packages.size <= FEW_PACKAGES)
      return [...packages].map(([root, count]) => `${shortPath(root)} (${counted(count, unit)})`)
    const sum = [...packages.values()].reduce((all, count) => all + count, 0)
    return [
      `${shortPath(folder)} (${counted(sum, unit)} of ${counted(packages.size, 'package')}; --all names each)`,
    ]
  })
  return [...own, ...ofPackages]
}

/** The package of a file, and the outermost folder of packages that contains it. */
function packageAt(path: string): { folder: string; root: string } | undefined {
  const marker = `${sep}node_modules${sep}`
  const at = path.lastIndexOf(marker)
  if (at === -1) return undefined
  const [scope = '', name = ''] = path.slice(at + marker.length).split(sep)
  const root = path.slice(0, at + marker.length) + (scope.startsWith('@') ? `${scope}${sep}${name}` : scope)
  const folder = path.slice(0, path.indexOf(marker) + marker.length - 1)
  return { folder, root: root === path ? dirname(path) : root }
}

function indented(text: string, { sayColumns }: Terminal): string[] {
  return text.split('\n').flatMap((part, at) => {
    const start = at === 0 ? '  ' : '    '
    return wrapText(oneLine(part), sayColumns - 4).map(
      (line, index) => `${index === 0 ? start : '    '}${line}`,
    )
  })
}
