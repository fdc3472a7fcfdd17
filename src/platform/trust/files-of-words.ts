import { homedir } from 'node:os'
import { basename, extname, isAbsolute, join, relative, resolve } from 'node:path'
import { expandPaths } from '../config/expand-paths.js'
import type { CachedFileSystem } from './cached-file-system.js'
import { filesAt } from './resolve-import.js'
import { runWords } from './run-words.js'
import { shellWords } from './shell-words.js'

export interface WordContext {
  readonly fileSystem: CachedFileSystem
  /** The project: any file of it that is named may be run. */
  readonly folder: string
  /** The folders that relative names may start from. */
  readonly bases: readonly string[]
  /** The words are those of a command and not of any text: `*` then means files of every name. */
  readonly isCommand?: boolean
  /** The words that are run, under any name. */
  readonly runs?: ReadonlySet<string> | undefined
  /** Only files that are run, or are scripts by their name: for texts that name much else. */
  readonly isScriptsOnly?: boolean
}

/** Names that say what a file is for. */
const SCRIPT =
  /\.(?:[cm]?[jt]sx?|sh|bash|zsh|ksh|fish|py|pyw|rb|pl|pm|php|lua|tcl|r|jl|ps1|psm1|bat|cmd|exe|so|dylib|dll|node|wasm|jar)$/i
/** Files that programs write as they work: they would need trust anew after each run. */
const DATA = /\.(?:db|sqlite3?|log|jsonl|ndjson|csv|tsv|txt|md|parquet|pid|sock|lock|bak|tmp)(?:-\w+)?$/i

/** Files that a program runs although no word names them. */
const IMPLIED: readonly (readonly [RegExp, readonly string[]])[] = [
  [
    /^(?:npm|npx|pnpm|pnpx|yarn|bun|bunx|corepack)$/,
    ['package.json', '.npmrc', '.yarnrc', '.yarnrc.yml', '.pnpmfile.cjs', 'bunfig.toml'],
  ],
  [/^g?make$/, ['GNUmakefile', 'makefile', 'Makefile']],
  [/^just$/, ['justfile', 'Justfile', '.justfile']],
  [/^task$/, ['Taskfile.yml', 'Taskfile.yaml']],
  [/^deno$/, ['deno.json', 'deno.jsonc']],
  [/^(?:uv|uvx|poetry|pipx|hatch)$/, ['pyproject.toml', 'uv.toml']],
  [
    /^(?:docker|docker-compose|podman)$/,
    ['compose.yaml', 'compose.yml', 'docker-compose.yml', 'docker-compose.yaml'],
  ],
  [/^(?:rake|bundle)$/, ['Rakefile', 'Gemfile']],
  [/^cargo$/, ['Cargo.toml', 'build.rs']],
]

/** Programs that accept a folder, or a name without its extension, as a program. */
const INTERPRETER = /^(?:node|nodejs|deno|bun|tsx|ts-node|python[\d.]*|pypy3?|py|uv|uvx)$/

/** The files that the words of a command name and that may run with it. */
export function filesOfWords(words: readonly string[], places: WordContext): string[] {
  const { folder, bases, isScriptsOnly = false, fileSystem } = places
  const run = new Set([...(places.runs ?? [])].flatMap(spellings).filter((word) => word !== ''))
  const all = [...new Set([...words.flatMap(spellings), ...run])].filter((word) => word.length <= 1024)
  // `cd hooks && ./run.sh` means a file of that folder.
  const folders = all
    .flatMap((word) => bases.map((base) => resolve(base, word)))
    .filter((path) => isBelow(path, folder) && fileSystem.kindOf(path) === 'folder')
  const starts = [...new Set([...bases, ...folders])]
  const isLoose = all.some((word) => INTERPRETER.test(basename(word)))
  const found = new Set<string>()
  for (const word of all) {
    for (const start of isAbsolute(word) ? ['/'] : starts) {
      const named = word.includes('*')
        ? expanded(word, start, places)
        : filesFrom(resolve(start, word), isLoose, fileSystem)
      const isRun = run.has(word)
      for (const path of named)
        if (isScriptsOnly ? isRun || isScriptName(path) : isRun || mayRun(path, places)) found.add(path)
    }
    const program = IMPLIED.find(([name]) => name.test(basename(word)))
    for (const path of starts.flatMap((start) => (program?.[1] ?? []).map((name) => join(start, name))))
      if (fileSystem.kindOf(path) === 'file') found.add(path)
    if (program?.[1].includes('package.json'))
      for (const start of starts) for (const path of filesOfScripts(start, all, places)) found.add(path)
    // Installed packages were chosen by name, and a list of scripts names half of them.
    for (const start of isScriptsOnly || !/^[\w@.-]+$/.test(word) ? [] : starts) {
      const path = join(start, 'node_modules', '.bin', word)
      if (fileSystem.kindOf(path) === 'file') found.add(path)
    }
  }
  return [...found]
}

/** What the scripts of a package run, of those that a command names. */
function filesOfScripts(
  start: string,
  words: readonly string[],
  { folder, fileSystem }: WordContext,
): string[] {
  const lines = packageScripts(fileSystem.readManifest(join(start, 'package.json')), words)
  // Each script was read with those that it names: a script that runs npm again adds nothing.
  const named = lines
    .flatMap((line) => shellWords(line))
    .filter((word) => !IMPLIED[0]![0].test(basename(word)))
  const runs = new Set(lines.flatMap((line) => [...runWords(line)]))
  return lines.length === 0
    ? []
    : filesOfWords(named, { folder, bases: [start], runs, isScriptsOnly: true, fileSystem })
}

/** As written, and as it may be meant: from the home folder, after a variable, as a Python module. */
function spellings(word: string): string[] {
  const home = word.startsWith('~/') ? [join(homedir(), word.slice(2))] : []
  const afterVariable = /^\$\{?\w+\}?\/(.+)$/s.exec(word)?.[1] ?? /^\/([^/].*)$/s.exec(word)?.[1]
  const asModule = /^\w+(?:\.\w+)+$/.test(word) ? [word.replaceAll('.', '/')] : []
  return [word, ...home, ...(afterVariable === undefined ? [] : [afterVariable]), ...asModule]
}

/** A pattern of rules looks the same, and may match a whole project. */
function expanded(word: string, start: string, { isCommand = false, fileSystem }: WordContext): string[] {
  const isMeant = SCRIPT.test(word) || (isCommand && !word.includes('**'))
  return isMeant ? expandPaths([word], start, fileSystem).paths : []
}

function filesFrom(path: string, isLoose: boolean, fileSystem: CachedFileSystem): string[] {
  const isFile = (each: string): boolean => fileSystem.kindOf(each) === 'file'
  if (!isLoose) return isFile(path) ? [path] : []
  return [...filesAt(path, fileSystem), ...(isFile(`${path}.py`) ? [`${path}.py`] : [])]
}

/** Below the project everything but data; elsewhere files that are scripts by their name or mode. */
function mayRun(path: string, { folder, fileSystem }: WordContext): boolean {
  if (SCRIPT.test(path)) return true
  return isBelow(path, folder) && (!DATA.test(path) || fileSystem.isExecutable(path))
}

function isBelow(path: string, folder: string): boolean {
  const from = relative(folder, path)
  return from !== '..' && !from.startsWith('../') && !isAbsolute(from)
}

export function isScriptName(path: string): boolean {
  return SCRIPT.test(path)
}

export function isShellScript(path: string, text: string): boolean {
  return /^\.(?:sh|bash|zsh|ksh)$/.test(extname(path)) || /^#!.*\b(?:ba|z|k|da)?sh\b/.test(text)
}

/** Short names, and files that are run without being named. */
const MEANT: Readonly<Record<string, readonly string[]>> = {
  t: ['test'],
  tst: ['test'],
  i: ['install', 'prepare'],
  ci: ['install', 'prepare'],
  install: ['install', 'prepare'],
}

/** The lines of a package.json that the words of a command name, and those that these lines name in turn. */
function packageScripts(
  manifest: Readonly<Record<string, unknown>> | undefined,
  words: Iterable<string>,
): string[] {
  const scripts = manifest?.['scripts']
  if (typeof scripts !== 'object' || scripts === null) return []
  const lines = new Map(Object.entries(scripts))
  const found = new Set<string>()
  const waiting = [...words]
  for (let word = waiting.pop(); word !== undefined; word = waiting.pop()) {
    for (const name of [word, ...(MEANT[word] ?? [])].flatMap((each) => [
      each,
      `pre${each}`,
      `post${each}`,
    ])) {
      const line: unknown = lines.get(name)
      lines.delete(name)
      if (typeof line !== 'string') continue
      found.add(line)
      waiting.push(...shellWords(line))
    }
  }
  return [...found]
}
