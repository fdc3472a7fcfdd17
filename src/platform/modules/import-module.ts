import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, extname, isAbsolute, join, posix, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Jiti } from 'jiti'
import { ownPackage } from '../files/own-package.js'
import { type ConfigProblem, shortPath } from '../config/describe-problem.js'
import { findSyntaxError, placeIn, type SyntaxPosition } from './find-syntax-error.js'
import { stateFolder } from '../config/state-folder.js'

export type ImportedModule =
  { ok: true; exports: Record<string, unknown> } | { ok: false; problem: ConfigProblem; cause?: unknown }

const typescriptExtensions = new Set(['.ts', '.mts', '.cts'])

/** Modules that are loading or loaded. A TypeScript module that two callers import at once must not run twice. */
const imports = new Map<string, Promise<ImportedModule>>()

/** Imports a user's module; a failure is a sentence about it, not an exception. */
export function importModule(path: string): Promise<ImportedModule> {
  const file = resolve(path)
  const known = imports.get(file)
  if (known) return known
  const started = importFile(file).then((imported) => {
    if (!imported.ok) imports.delete(file) // so that it can be imported again once it is repaired
    return imported
  })
  imports.set(file, started)
  return started
}

async function importFile(file: string): Promise<ImportedModule> {
  if (!existsSync(file)) return { ok: false, problem: { file, message: 'there is no such file' } }
  try {
    const exports = typescriptExtensions.has(extname(file))
      ? await importTypescript(file)
      : await importNative(file)
    return { ok: true, exports }
  } catch (cause) {
    return { ok: false, problem: { file, ...explain(cause, file) }, cause }
  }
}

async function importNative(file: string): Promise<Record<string, unknown>> {
  const { 'module.exports': _, ...exports } = (await import(pathToFileURL(file).href)) as Record<
    string,
    unknown
  >
  return exports
}

let jiti: Promise<Jiti> | undefined

async function importTypescript(file: string): Promise<Record<string, unknown>> {
  jiti ??= import('jiti').then(({ createJiti }) =>
    createJiti(import.meta.url, {
      alias: ownModules(),
      // Not jiti's default in the shared temporary folder, where another user could place code.
      fsCache: join(
        stateFolder({ env: process.env, platform: process.platform, home: homedir() }),
        'cache',
        'jiti',
      ),
    }),
  )
  const loaded = await (await jiti).import<Record<string, unknown>>(file)
  // A copy, because jiti's proxy answers `default` with the module itself when there is no default export.
  const exports: Record<string, unknown> = { ...loaded }
  const isCommonJs = !('__esModule' in loaded) && Object.keys(exports).length > 0
  return isCommonJs ? { ...exports, default: loaded.default } : exports
}

/**
 * The entries of the running package by the names that users import. A tool file outside our package would otherwise
 * find no toolcrib, or a second copy.
 */
function ownModules(): Record<string, string> {
  const root = ownPackage()
  const manifest = readManifest(join(root, 'package.json'))
  if (manifest?.name !== 'toolcrib') return {} // we were bundled; the surrounding package is not ours
  const entries = Object.entries(manifest.exports).flatMap(([entry, target]) => {
    const file = join(root, typeof target === 'string' ? target : target.default)
    return existsSync(file) ? [[posix.join(manifest.name, entry), file] as const] : []
  })
  return Object.fromEntries(entries)
}

interface Manifest {
  name: string
  exports: Record<string, string | { default: string }>
}

function readManifest(path: string): Manifest | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Manifest
  } catch {
    return undefined
  }
}

function explain(cause: unknown, file: string): Partial<SyntaxPosition> & { message: string } {
  if (!(cause instanceof Error)) return { message: `it threw ${String(cause)}` }
  const sentence = cause.message.split('\n')[0]!.trim()
  const missing = /^Cannot find (?:package|module) '([^']+)'/.exec(sentence)?.[1]
  if (missing !== undefined) return { message: missingSentence(missing, file) }
  if (/^Cannot use import statement|^Unexpected token 'export'/.test(sentence)) {
    return { message: 'it uses import or export; rename it to .mjs or set "type": "module" in package.json' }
  }
  const line = lineOf(cause, file)
  const message = cause.name === 'Error' ? sentence : `${cause.name}: ${sentence}`
  if (line !== undefined) return { line, message }
  // The message of a parser may name the kind of error.
  const isSyntax = /^(?:Error: )?(?:Syntax|Parse)Error\b/.test(`${cause.name}: ${sentence}`)
  const place = isSyntax ? syntaxPlaceOf(cause, file) : undefined
  if (!place) return { message }
  return place.file === file
    ? { ...place, message }
    : { ...place, message: `${message} (${shortPath(file)} imports it)` }
}

/** Also of a file that this one imports. */
function syntaxPlaceOf({ message, stack = '' }: Error, file: string): SyntaxPosition | undefined {
  const isTypescript = typescriptExtensions.has(extname(file))
  // Node puts the position, where it has one, above the error; below it is the caller's stack.
  const said = isTypescript ? message : stack.slice(0, Math.max(0, stack.indexOf(message)))
  return placeIn(said) ?? (isTypescript ? undefined : findSyntaxError(file))
}

function missingSentence(missing: string, file: string): string {
  const isPath = missing.startsWith('.') || isAbsolute(missing)
  if (isPath) return `it imports ${isAbsolute(missing) ? shortPath(missing) : missing}, which does not exist`
  const name = missing.split('/', missing.startsWith('@') ? 2 : 1).join('/')
  const folder = shortPath(dirname(file))
  // Only for our own name: for any other, a typo would suggest installing an unknown package.
  if (name === 'toolcrib') return `it imports "toolcrib"; run \`npm install toolcrib\` in ${folder}`
  return `it imports "${name}", which is not installed in ${folder}`
}

function lineOf(error: Error, file: string): number | undefined {
  // jiti names the position of a syntax error on the message's second line; Node in the stack. The stack of an error
  // thrown by TypeScript counts lines of the compiled code, which would mislead.
  const text = typescriptExtensions.has(extname(file)) ? error.message : (error.stack ?? '')
  for (const name of [file, pathToFileURL(file).href]) {
    const at = text.indexOf(`${name}:`)
    const digits = at === -1 ? undefined : /^\d+/.exec(text.slice(at + name.length + 1))?.[0]
    if (digits !== undefined) return Number(digits)
  }
  return undefined
}
