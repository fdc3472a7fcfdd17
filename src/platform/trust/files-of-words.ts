import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, extname, isAbsolute, join, relative, resolve } from 'node:path'
import { expandPaths } from '../config/expand-paths.js'
import { packageScripts } from './package-scripts.js'
import { filesAt, kindOf } from './resolve-import.js'
import { runWords } from './run-words.js'
import { shellWords } from './shell-words.js'

export interface WordPlaces {
  /** The project: any file of it that is named may be run. */
  readonly folder: string
  /** Where relative names may start. */
  readonly bases: readonly string[]
  /** The words are of a command and not of any text: `*` then stands for files of every name. */
  readonly isCommand?: boolean
  /** Those of the words that are run whatever their names are. */
  readonly runs?: ReadonlySet<string> | undefined
  /** Only what is run, or is a script by its name: for texts that name much else. */
  readonly isScriptsOnly?: boolean
}

/** Names that say what a file is for. */
const SCRIPT =
  /\.(?:[cm]?[jt]sx?|sh|bash|zsh|ksh|fish|py|pyw|rb|pl|pm|php|lua|tcl|r|jl|ps1|psm1|bat|cmd|exe|so|dylib|dll|node|wasm|jar)$/i
/** What programs write as they work: it would ask for trust anew after each run. */
const DATA = /\.(?:db|sqlite3?|log|jsonl|ndjson|csv|tsv|txt|md|parquet|pid|sock|lock|bak|tmp)(?:-\w+)?$/i

/** Files that a program runs by without being told their names. */
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

/** Those that take a folder, or a name without its ending, for a program. */
const INTERPRETER = /^(?:node|nodejs|deno|bun|tsx|ts-node|python[\d.]*|pypy3?|py|uv|uvx)$/

/** The files that the words of a command name and that may run with it. */
export function filesOfWords(words: readonly string[], places: WordPlaces): string[] {
  const { folder, bases, isCommand, isScriptsOnly = false } = places
  const run = new Set([...(places.runs ?? [])].flatMap(spellings).filter((word) => word !== ''))
  const all = [...new Set([...words.flatMap(spellings), ...run])].filter((word) => word.length <= 1024)
  // `cd hooks && ./run.sh` means a file of that folder.
  const folders = all
    .flatMap((word) => bases.map((base) => resolve(base, word)))
    .filter((path) => isBelow(path, folder) && kindOf(path) === 'folder')
  const starts = [...new Set([...bases, ...folders])]
  const isLoose = all.some((word) => INTERPRETER.test(basename(word)))
  const found = new Set<string>()
  for (const word of all) {
    for (const start of isAbsolute(word) ? ['/'] : starts) {
      const named = word.includes('*')
        ? expanded(start, word, isCommand)
        : filesFrom(resolve(start, word), isLoose)
      const isRun = run.has(word)
      for (const path of named)
        if (isScriptsOnly ? isRun || isScriptName(path) : isRun || mayRun(path, folder)) found.add(path)
    }
    const program = IMPLIED.find(([name]) => name.test(basename(word)))
    if (program) for (const name of program[1]) for (const start of starts) addFile(join(start, name), found)
    if (program?.[1].includes('package.json'))
      for (const start of starts) for (const path of filesOfScripts(start, all, folder)) found.add(path)
    // What is installed was chosen by name, and a list of scripts names half of it.
    for (const start of isScriptsOnly ? [] : starts)
      if (/^[\w@.-]+$/.test(word)) addFile(join(start, 'node_modules', '.bin', word), found)
  }
  return [...found]
}

/** What the scripts of a package run, of those that a command names. */
function filesOfScripts(start: string, words: readonly string[], folder: string): string[] {
  const lines = packageScripts(join(start, 'package.json'), words)
  // Each script was taken with those that it names: a script that runs npm again adds nothing.
  const named = lines
    .flatMap((line) => shellWords(line))
    .filter((word) => !IMPLIED[0]![0].test(basename(word)))
  const runs = new Set(lines.flatMap((line) => [...runWords(line)]))
  return lines.length === 0 ? [] : filesOfWords(named, { folder, bases: [start], runs, isScriptsOnly: true })
}

/** As it stands, and as it may be meant: from the home folder, after a variable, as a Python module. */
function spellings(word: string): string[] {
  const home = word.startsWith('~/') ? [join(homedir(), word.slice(2))] : []
  const afterVariable = /^\$\{?\w+\}?\/(.+)$/s.exec(word)?.[1] ?? /^\/([^/].*)$/s.exec(word)?.[1]
  const asModule = /^\w+(?:\.\w+)+$/.test(word) ? [word.replaceAll('.', '/')] : []
  return [word, ...home, ...(afterVariable === undefined ? [] : [afterVariable]), ...asModule]
}

/** A pattern of rules looks the same, and may mean a whole project. */
function expanded(start: string, word: string, isCommand: boolean | undefined): string[] {
  const isMeant = SCRIPT.test(word) || (isCommand === true && !word.includes('**'))
  return isMeant ? expandPaths([word], start).paths : []
}

function filesFrom(path: string, isLoose: boolean): string[] {
  if (!isLoose) return kindOf(path) === 'file' ? [path] : []
  return [...filesAt(path), ...(kindOf(`${path}.py`) === 'file' ? [`${path}.py`] : [])]
}

/** Below the project everything but data; elsewhere what its name or its mode calls a script. */
function mayRun(path: string, folder: string): boolean {
  if (SCRIPT.test(path)) return true
  return isBelow(path, folder) && (!DATA.test(path) || isProgram(path))
}

function isBelow(path: string, folder: string): boolean {
  const from = relative(folder, path)
  return from !== '..' && !from.startsWith('../') && !isAbsolute(from)
}

export function isScriptName(path: string): boolean {
  return SCRIPT.test(path)
}

function isProgram(path: string): boolean {
  return (statSync(path).mode & 0o111) !== 0 || firstBytes(path) === '#!'
}

function firstBytes(path: string): string {
  try {
    const file = openSync(path, 'r')
    try {
      const bytes = Buffer.alloc(2)
      return bytes.toString('latin1', 0, readSync(file, bytes, 0, 2, 0))
    } finally {
      closeSync(file)
    }
  } catch {
    return ''
  }
}

export function isShellScript(path: string, text: string): boolean {
  return /^\.(?:sh|bash|zsh|ksh)$/.test(extname(path)) || /^#!.*\b(?:ba|z|k|da)?sh\b/.test(text)
}

function addFile(path: string, found: Set<string>): void {
  if (kindOf(path) === 'file') found.add(path)
}
