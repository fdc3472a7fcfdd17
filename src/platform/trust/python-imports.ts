import { dirname, join, relative, resolve } from 'node:path'
import type { CachedFileSystem } from './cached-file-system.js'

const IMPORT = /(?:^|[\n\r;:])\s*import\s+([^\n\r;#]+)/g
const FROM =
  /(?:^|[\n\r;:])\s*from\s*(\.[\s.]*[\p{L}\p{N}_.]*|\s[\p{L}\p{N}_.]+)\s*import\b\s*(\([^)]*\)|[^\n\r;#]+)/gu
const QUOTED = /"([^"\n]{1,1024})"|'([^'\n]{1,1024})'/g
const COMPUTED = /\b(?:__import__|import_module|run_path|run_module|exec|eval|execfile)\s*\(\s*(?!['")\s])/

/** The files that a Python file imports: of its own folder, of those above it up to the project, and of folders that it names. */
export function pythonImports(
  code: string,
  { file, folder, fileSystem }: { file: string; folder: string; fileSystem: CachedFileSystem },
): string[] {
  // Python treats letters that look alike as the same in names.
  const text = code.normalize('NFKC').replaceAll(/\\\r?\n/g, ' ')
  const quoted = [...text.matchAll(QUOTED)].map(([, double, single]) => double ?? single ?? '')
  const bases = [...foldersBetween(dirname(file), folder)]
  const folders = quoted
    .flatMap((word) => bases.map((base) => resolve(base, word.replace(/^\//, ''))))
    .filter((path) => fileSystem.kindOf(path) === 'folder')
  const found = new Set<string>()
  for (const name of modulesIn(text, quoted)) {
    const dots = /^\.*/.exec(name)![0].length
    const starts = dots === 0 ? [...bases, ...folders] : [resolve(dirname(file), '../'.repeat(dots - 1))]
    const named = starts.flatMap((start) => filesOfModule(name.slice(dots), start))
    for (const path of named) if (fileSystem.kindOf(path) === 'file') found.add(path)
  }
  return [...found]
}

/** Lines of a Python file whose imports or calls are known only when it runs. */
export function pythonComputed(code: string): number[] {
  return code.split('\n').flatMap((line, index) => (COMPUTED.test(line) ? [index + 1] : []))
}

function modulesIn(text: string, quoted: readonly string[]): Set<string> {
  const names = new Set(quoted.filter((word) => /^[\p{L}\p{N}_.]+$/u.test(word)))
  for (const [, list = ''] of text.matchAll(IMPORT)) for (const name of namesOf(list)) names.add(name)
  for (const [, from = '', list = ''] of text.matchAll(FROM)) {
    const start = from.replaceAll(/\s/g, '')
    names.add(start)
    for (const name of namesOf(list)) names.add(start.endsWith('.') ? `${start}${name}` : `${start}.${name}`)
  }
  return names
}

/** `a, b as c`, also in brackets and over several lines. */
function namesOf(list: string): string[] {
  return list
    .replaceAll(/#.*/g, '')
    .split(/[,()]/)
    .map((entry) => entry.trim().split(/\s/)[0]!)
    .filter((name) => /^[\p{L}\p{N}_.]+$/u.test(name))
}

/** Where a module may be, and the packages that it is part of, each of which is run as well. */
function filesOfModule(name: string, start: string): string[] {
  const words = name.split('.').filter((word) => word !== '')
  const paths = words.map((_, at) => resolve(start, ...words.slice(0, at + 1)))
  return [
    join(start, '__init__.py'),
    ...paths.flatMap((path) => [`${path}.py`, `${path}.pyc`, `${path}.so`, join(path, '__init__.py')]),
  ]
}

function* foldersBetween(from: string, top: string): Iterable<string> {
  yield from
  const way = relative(top, from)
  if (way.startsWith('..') || way === '') return
  for (let folder = dirname(from); folder.length >= top.length; folder = dirname(folder)) {
    yield folder
    if (dirname(folder) === folder) return
  }
}
