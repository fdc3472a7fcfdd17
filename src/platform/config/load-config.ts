import { readFileSync } from 'node:fs'
import { extname, resolve } from 'node:path'
import { errorMessage } from '../text/error-message.js'
import { firstProblems } from './first-problems.js'
import { checkConfig, type ConfigPath } from './check-config.js'
import type { CribConfig } from './schema/config-schema.js'
import type { ConfigProblem } from './describe-problem.js'
import { withoutComments } from '../json/without-comments.js'
import { fromMcpJson, isMcpJson } from './from-mcp-json.js'
import { importModule } from '../modules/import-module.js'
import { parseConfigText, type Position } from './parse-config-text.js'
import { parsePlainJson } from './parse-plain-json.js'

export type { ConfigProblem } from './describe-problem.js'

export type LoadedConfig =
  | {
      ok: true
      config: CribConfig
      path: string
      /** The file as it was read; absent for a program, which was run. */
      text?: string | undefined
    }
  | { ok: false; problems: ConfigProblem[] }

/** The content of a file before it is checked; `locate` is absent where lines are not known. */
interface ReadConfig {
  value: unknown
  text?: string
  problems: ConfigProblem[]
  locate?(path: ConfigPath): Position | undefined
}

/**
 * Reads and checks one config file, and returns all its problems together. Defaults are not filled in. Danger: a config
 * that is a program is run. The caller must first check that it is trusted.
 */
export async function loadConfig(path: string): Promise<LoadedConfig> {
  const file = resolve(path)
  return checked(await readConfig(file), file)
}

/** The same for a text that is not in its file yet. It must be YAML or JSON, as the name of the file says. */
export async function parseConfig(text: string, file: string): Promise<LoadedConfig> {
  return checked(await parseText(text, file), file)
}

function checked({ value: read, text, problems, locate }: ReadConfig, file: string): LoadedConfig {
  const value = fromMcpJson(read)
  const findings = value === undefined ? [] : checkConfig(value)
  if (problems.length === 0 && findings.length === 0 && value !== undefined)
    return { ok: true, config: value as CribConfig, path: file, text }
  const { shown, left } = firstProblems([...problems, ...findings])
  const located = shown.map((each): ConfigProblem =>
    'path' in each ? { file, ...locate?.(each.path), message: each.message } : each,
  )
  const sorted = located.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0))
  return { ok: false, problems: left === undefined ? sorted : [...sorted, { file, message: left }] }
}

async function readConfig(file: string): Promise<ReadConfig> {
  switch (extname(file)) {
    case '.yaml':
    case '.yml':
    case '.json':
      return readText(file)
    case '.ts':
    case '.mts':
    case '.cts':
    case '.js':
    case '.mjs':
    case '.cjs':
      return readModule(file)
    default:
      return unreadable(file, 'is no config file; it must end in .yaml, .yml, .json, .ts, .mts, .js or .mjs')
  }
}

async function readText(file: string): Promise<ReadConfig> {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    return unreadable(file, code === 'ENOENT' ? 'there is no such file' : `cannot be read: ${message}`)
  }
  return parseText(text, file)
}

async function parseText(text: string, file: string): Promise<ReadConfig> {
  if (extname(file) !== '.json') return { ...(await parseConfigText(text, file)), text }
  const plain = parsePlainJson(text)
  if (plain !== undefined && checkConfig(fromMcpJson(plain)).length === 0)
    return { value: plain, text, problems: [] }
  // Files of editors may have comments and commas at the end; ours are YAML, where comments start otherwise.
  const clean = withoutComments(text)
  return { ...(await parseConfigText(isMcpJson(parsePlainJson(clean)) ? clean : text, file)), text }
}

async function readModule(file: string): Promise<ReadConfig> {
  const imported = await importModule(file)
  if (!imported.ok) return { value: undefined, problems: [imported.problem] }
  const exported = imported.exports.default
  if (exported === undefined)
    return unreadable(file, 'it has no default export; write `export default { … }`')
  try {
    const value: unknown = await (typeof exported === 'function' ? exported() : exported)
    return value === undefined ? unreadable(file, 'its function returned nothing') : { value, problems: [] }
  } catch (error) {
    return unreadable(file, `its function failed: ${errorMessage(error)}`)
  }
}

const unreadable = (file: string, message: string): ReadConfig => ({
  value: undefined,
  problems: [{ file, message }],
})
