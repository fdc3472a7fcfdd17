import { createHash } from 'node:crypto'
import { readFileSync, realpathSync } from 'node:fs'
import { dirname, sep } from 'node:path'
import { filesOfWords, isScriptName, isShellScript, pythonImports } from './files-of-words.js'
import { isOwnCode, resolveImport } from './resolve-import.js'
import { scanCode } from './scan-code.js'
import { shellWords } from './shell-words.js'

/** Where a program computes what it imports, so that its text does not tell. */
export interface ComputedImport {
  readonly file: string
  readonly line: number
}

export interface FollowedFiles {
  /** The hash of each file, by its path. */
  readonly files: ReadonlyMap<string, string>
  readonly computed: readonly ComputedImport[]
}

const CODE = /\.[cm]?[jt]sx?$/
const PYTHON = /\.pyw?$/
/** A file that is not there or cannot be read has no hash that a file could have. */
const UNREADABLE = 'unreadable'

/** The files, and all that their texts name in turn. Nothing of them is run. */
export function followFiles(starts: Iterable<string>, folder: string): FollowedFiles {
  const files = new Map<string, string>()
  const computed: ComputedImport[] = []
  const waiting = [...starts]
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (files.has(file) || isOwnCode(file)) continue
    const bytes = readBytes(file)
    files.set(file, bytes ? hashOf(bytes) : UNREADABLE)
    if (!bytes) continue
    // What is linked is imported under its own name, and its neighbours are those of that place.
    const real = realpathSync(file)
    if (real !== file) waiting.push(real)
    const { names, lines } = namesIn(file, bytes, folder)
    waiting.push(...names)
    // A package computes much; what is installed was chosen by name.
    if (!isInstalled(file)) for (const line of lines) computed.push({ file, line })
  }
  return { files, computed }
}

/** The files that the text of one names. */
function namesIn(file: string, bytes: Buffer, folder: string): { names: string[]; lines: readonly number[] } {
  if (CODE.test(file) || startsWithNode(bytes)) return namesInCode(file, bytes.toString('utf8'))
  if (PYTHON.test(file)) return { names: pythonImports(bytes.toString('utf8'), file), lines: [] }
  const text =
    bytes.subarray(0, 2).toString('latin1') === '#!' || isScriptName(file) ? bytes.toString('utf8') : ''
  if (!isShellScript(file, text)) return { names: [], lines: [] }
  const words = shellWords(text, { TOOLCRIB_PROJECT: folder, CLAUDE_PROJECT_DIR: folder })
  return {
    names: filesOfWords(words, { folder, bases: [dirname(file), folder] }).filter(isScriptFile),
    lines: [],
  }
}

const isScriptFile = (path: string): boolean => isScriptName(path)

function namesInCode(file: string, code: string): { names: string[]; lines: readonly number[] } {
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
