import { basename, dirname, join, sep } from 'node:path'
import type { CachedFileSystem } from './cached-file-system.js'
import { filesOfWords, isScriptName, isShellScript } from './files-of-words.js'
import { pythonComputed, pythonImports } from './python-imports.js'
import { isOwnCode, resolveImport } from './resolve-import.js'
import { runWords } from './run-words.js'
import { scanCode } from './scan-code.js'
import { shellWords, withVariables } from './shell-words.js'
import { UNREADABLE } from './snapshot.js'

/** Where a program computes what it imports, so that its text does not show it. */
export interface ComputedImport {
  readonly file: string
  readonly line: number
}

export interface FollowedFiles {
  /** The hash of each file, by its path. */
  readonly files: ReadonlyMap<string, string>
  readonly computed: readonly ComputedImport[]
  /** Scripts in languages whose imports cannot be read reliably. */
  readonly guessed: readonly string[]
}

const CODE = /\.[cm]?[jt]sx?$/
const PYTHON = /\.pyw?$/
const BINARY_LOOK = 8192

export interface FollowOptions {
  /** The project. */
  readonly folder: string
  readonly fileSystem: CachedFileSystem
}

/** The files, and everything that their texts name in turn. None of them is run. */
export function followFiles(starts: Iterable<string>, options: FollowOptions): FollowedFiles {
  const { fileSystem } = options
  const files = new Map<string, string>()
  const computed: ComputedImport[] = []
  const guessed: string[] = []
  const waiting = [...starts]
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (files.has(file) || isOwnCode(file) || isOfMachine(file)) continue
    const content = fileSystem.readFile(file)
    files.set(file, content?.hash ?? UNREADABLE)
    if (!content) continue
    // A linked file is imported under its own name, and relative to its own folder.
    const real = fileSystem.realPath(file)
    if (real !== file) waiting.push(real)
    const { names, lines, isGuessed = false } = namesIn(content.bytes, { ...options, file })
    waiting.push(...names)
    if (isGuessed) guessed.push(file)
    // A package computes many imports; installed packages were chosen by name.
    if (!isInstalled(file)) for (const line of lines) computed.push({ file, line })
  }
  return { files, computed, guessed }
}

/** Where a system has its programs. They belong to the machine, and their updates are no change of the folder. */
const PROGRAM_FOLDER = /^\/(?:usr\/(?:local\/)?)?s?bin\/[^/]+$|^\/opt\/homebrew\/bin\/[^/]+$/

function isOfMachine(file: string): boolean {
  return file === process.execPath || PROGRAM_FOLDER.test(file)
}

interface NamedInText {
  readonly names: readonly string[]
  /** Lines whose imports cannot be determined. */
  readonly lines: readonly number[]
  /** Whether it is in a language whose imports are only guessed. */
  readonly isGuessed?: boolean
}

/** A file whose text names others. */
interface NamingFile extends FollowOptions {
  readonly file: string
}

/** The files that the text of one names. */
function namesIn(bytes: Buffer, naming: NamingFile): NamedInText {
  const { file } = naming
  // To read a program of many megabytes as text takes longer than to start it.
  if (bytes.subarray(0, BINARY_LOOK).includes(0)) return { names: [], lines: [] }
  const text = bytes.toString('utf8')
  if (CODE.test(file) || startsWithNode(bytes)) return namesInCode(text, naming)
  if (PYTHON.test(file) || /^#!.*\bpython/.test(text)) return namesInPython(text, naming)
  if (isShellScript(file, text)) return { names: namesInShell(text, naming), lines: [] }
  // The command that names a package determines which of its scripts are run.
  if (isInstalled(file) || bytes.includes(0) || basename(file) === 'package.json')
    return { names: [], lines: [] }
  // The program that runs it determines its language: each reading counts.
  const strings = stringsOfJson(text)
  if (strings !== undefined) return { names: namesInShell(strings, naming), lines: [] }
  const { imported } = scanCode(text)
  return {
    names: [
      ...namesInShell(text, naming),
      ...[...imported].flatMap((specifier) => resolveImport(specifier, naming)).filter(isScriptName),
      ...namesInPython(text, naming).names,
      ...namesInPerl(text, naming),
    ],
    lines: [],
    isGuessed: isScriptName(file) || text.startsWith('#!'),
  }
}

function namesInShell(text: string, { file, folder, fileSystem }: NamingFile): string[] {
  const variables = { TOOLCRIB_PROJECT: folder, CLAUDE_PROJECT_DIR: folder }
  return filesOfWords(shellWords(text, variables), {
    folder,
    bases: [...new Set([dirname(file), folder])],
    runs: runWords(withVariables(text, variables)),
    isScriptsOnly: true,
    fileSystem,
  })
}

function namesInPython(text: string, naming: NamingFile): NamedInText {
  const { file, folder, fileSystem } = naming
  const { texts } = scanCode(text)
  const started = filesOfWords(
    [...texts].flatMap((each) => [each, ...shellWords(each)]),
    {
      folder,
      bases: [...new Set([dirname(file), folder])],
      isScriptsOnly: true,
      fileSystem,
    },
  )
  return { names: [...pythonImports(text, naming), ...started], lines: pythonComputed(text) }
}

/** `use Foo::Bar` is `Foo/Bar.pm` in a folder that the file names, or in one of the usual ones. */
function namesInPerl(text: string, { file, folder, fileSystem }: NamingFile): string[] {
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
    fileSystem,
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

function namesInCode(code: string, naming: NamingFile): NamedInText {
  const { texts, imported, computedAt, isAliased } = scanCode(code)
  const names = [...imported].flatMap((specifier) => resolveImport(specifier, naming))
  const others = [...texts].filter((text) => !imported.has(text) && !/[\n\r]/.test(text))
  if (isInstalled(naming.file)) {
    const relative = others.filter((text) => isAliased && text.startsWith('.'))
    return { names: [...names, ...relative.flatMap((text) => resolveImport(text, naming))], lines: [] }
  }
  // Workers, children and everything else that is started by name: `./worker.js`, or only `worker.js`.
  for (const text of others) {
    const isPath = /^(?:\.{0,2}\/|file:|#)/i.test(text)
    const found = [
      ...resolveImport(text, naming),
      ...(isPath || !/[./]/.test(text) ? [] : resolveImport(`./${text}`, naming).filter(isScriptName)),
    ]
    names.push(...(isAliased ? found : found.filter(isScriptName)))
  }
  return { names, lines: computedAt }
}

function startsWithNode(bytes: Buffer): boolean {
  return /^#!.*\b(?:node|deno|bun|tsx)\b/.test(bytes.subarray(0, 200).toString('latin1').split('\n')[0] ?? '')
}

const isInstalled = (file: string): boolean => file.includes(`${sep}node_modules${sep}`)
