import { createHash } from 'node:crypto'
import { readFileSync, realpathSync } from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'
import { filesOfWords, isScriptName, isShellScript } from './files-of-words.js'
import { pythonComputed, pythonImports } from './python-imports.js'
import { isOwnCode, resolveImport } from './resolve-import.js'
import { runWords } from './run-words.js'
import { scanCode } from './scan-code.js'
import { shellWords, withVariables } from './shell-words.js'

/** Where a program computes what it imports, so that its text does not tell. */
export interface ComputedImport {
  readonly file: string
  readonly line: number
}

export interface FollowedFiles {
  /** The hash of each file, by its path. */
  readonly files: ReadonlyMap<string, string>
  readonly computed: readonly ComputedImport[]
  /** Scripts in languages whose imports are not read for sure. */
  readonly guessed: readonly string[]
}

const CODE = /\.[cm]?[jt]sx?$/
const PYTHON = /\.pyw?$/
const BINARY_LOOK = 8192
/** A file that is not there or cannot be read has no hash that a file could have. */
const UNREADABLE = 'unreadable'

/** The files, and all that their texts name in turn. Nothing of them is run. */
export function followFiles(starts: Iterable<string>, folder: string): FollowedFiles {
  const files = new Map<string, string>()
  const computed: ComputedImport[] = []
  const guessed: string[] = []
  const waiting = [...starts]
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (files.has(file) || isOwnCode(file) || isOfMachine(file)) continue
    const bytes = readBytes(file)
    files.set(file, bytes ? hashOf(bytes) : UNREADABLE)
    if (!bytes) continue
    // What is linked is imported under its own name, and its neighbours are those of that place.
    const real = realpathSync(file)
    if (real !== file) waiting.push(real)
    const { names, lines, isGuessed = false } = namesIn(file, bytes, folder)
    waiting.push(...names)
    if (isGuessed) guessed.push(file)
    // A package computes much; what is installed was chosen by name.
    if (!isInstalled(file)) for (const line of lines) computed.push({ file, line })
  }
  return { files, computed, guessed }
}

/** Where a system keeps its programs. They are the machine's word, and an update of one is no change of the folder. */
const PROGRAM_FOLDER = /^\/(?:usr\/(?:local\/)?)?s?bin\/[^/]+$|^\/opt\/homebrew\/bin\/[^/]+$/

function isOfMachine(file: string): boolean {
  return file === process.execPath || PROGRAM_FOLDER.test(file)
}

interface NamedInText {
  readonly names: readonly string[]
  /** Lines that import what cannot be told. */
  readonly lines: readonly number[]
  /** Whether it is in a language whose imports are only guessed. */
  readonly isGuessed?: boolean
}

/** The files that the text of one names. */
function namesIn(file: string, bytes: Buffer, folder: string): NamedInText {
  // To read a program of many megabytes as text takes longer than to start it.
  if (bytes.subarray(0, BINARY_LOOK).includes(0)) return { names: [], lines: [] }
  const text = bytes.toString('utf8')
  if (CODE.test(file) || startsWithNode(bytes)) return namesInCode(file, text)
  if (PYTHON.test(file) || /^#!.*\bpython/.test(text)) return namesInPython(file, text, folder)
  if (isShellScript(file, text)) return { names: namesInShell(file, text, folder), lines: [] }
  // Which scripts of a package are run, the command says that names them.
  if (isInstalled(file) || bytes.includes(0) || basename(file) === 'package.json')
    return { names: [], lines: [] }
  // Whoever runs it decides its language: each reading counts.
  const strings = stringsOfJson(text)
  if (strings !== undefined) return { names: namesInShell(file, strings, folder), lines: [] }
  const { imported } = scanCode(text)
  return {
    names: [
      ...namesInShell(file, text, folder),
      ...[...imported].flatMap((specifier) => resolveImport(specifier, file)).filter(isScriptName),
      ...namesInPython(file, text, folder).names,
      ...namesInPerl(file, text, folder),
    ],
    lines: [],
    isGuessed: isScriptName(file) || text.startsWith('#!'),
  }
}

function namesInShell(file: string, text: string, folder: string): string[] {
  const variables = { TOOLCRIB_PROJECT: folder, CLAUDE_PROJECT_DIR: folder }
  return filesOfWords(shellWords(text, variables), {
    folder,
    bases: [...new Set([dirname(file), folder])],
    runs: runWords(withVariables(text, variables)),
    isScriptsOnly: true,
  })
}

function namesInPython(file: string, text: string, folder: string): NamedInText {
  const { texts } = scanCode(text)
  const started = filesOfWords(
    [...texts].flatMap((each) => [each, ...shellWords(each)]),
    {
      folder,
      bases: [...new Set([dirname(file), folder])],
      isScriptsOnly: true,
    },
  )
  return { names: [...pythonImports(text, { file, folder }), ...started], lines: pythonComputed(text) }
}

/** `use Foo::Bar` is `Foo/Bar.pm` of a folder that the file names, or of one of the usual. */
function namesInPerl(file: string, text: string, folder: string): string[] {
  const modules = [...text.matchAll(/\b(?:use|require|no)\s+([\w:]+)/g)].map(
    ([, name = '']) => `${name.replaceAll('::', '/')}.pm`,
  )
  const bases = [dirname(file), folder].flatMap((base) => [
    base,
    join(base, 'lib'),
    join(dirname(base), 'lib'),
  ])
  return filesOfWords([...modules, ...shellWords(text)], {
    folder,
    bases: [...new Set(bases)],
    isScriptsOnly: true,
  })
}

/** Every text of a JSON file, each on a line of its own: tasks are among them. */
function stringsOfJson(text: string): string | undefined {
  const strings: string[] = []
  try {
    JSON.parse(text, (_key, value: unknown) => {
      if (typeof value === 'string') strings.push(value)
      return value
    })
  } catch {
    return undefined
  }
  return strings.join('\n')
}

function namesInCode(file: string, code: string): NamedInText {
  const { texts, imported, computedAt, isAliased } = scanCode(code)
  const names = [...imported].flatMap((specifier) => resolveImport(specifier, file))
  const others = [...texts].filter((text) => !imported.has(text) && !/[\n\r]/.test(text))
  if (isInstalled(file)) {
    const relative = others.filter((text) => isAliased && text.startsWith('.'))
    return { names: [...names, ...relative.flatMap((text) => resolveImport(text, file))], lines: [] }
  }
  // Workers, children and whatever else is started by name: `./worker.js`, or only `worker.js`.
  for (const text of others) {
    const isPath = /^(?:\.{0,2}\/|file:|#)/i.test(text)
    const found = [
      ...resolveImport(text, file),
      ...(isPath || !/[./]/.test(text) ? [] : resolveImport(`./${text}`, file).filter(isScriptName)),
    ]
    names.push(...(isAliased ? found : found.filter(isScriptName)))
  }
  return { names, lines: computedAt }
}

function startsWithNode(bytes: Buffer): boolean {
  return /^#!.*\b(?:node|deno|bun|tsx)\b/.test(bytes.subarray(0, 200).toString('latin1').split('\n')[0] ?? '')
}

const isInstalled = (file: string): boolean => file.includes(`${sep}node_modules${sep}`)

function readBytes(path: string): Buffer | undefined {
  try {
    return readFileSync(path)
  } catch {
    return undefined
  }
}

export function hashOf(content: string | Buffer): string {
  return `sha256:${createHash('sha256').update(content).digest('hex')}`
}

/** The hash that a file has now. */
export function hashOfFile(path: string): string {
  const bytes = readBytes(path)
  return bytes ? hashOf(bytes) : UNREADABLE
}
