import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { CribConfig } from '../platform/config/schema/config-schema.js'
import { firstProblems } from '../platform/config/first-problems.js'
import type { ConfigFinding } from '../platform/config/check-config.js'
import type { ConfigProblem } from '../platform/config/describe-problem.js'
import { expandPaths } from '../platform/config/expand-paths.js'
import { findConfig } from '../platform/config/find-config.js'
import { importModule } from '../platform/modules/import-module.js'
import { runsTools } from '../platform/processes/started-processes.js'
import { loadConfig } from '../platform/config/load-config.js'
import type { HookDefinition } from '../hooks/hook.js'
import { createCatalog, type Catalog } from '../catalog/catalog.js'
import type { ToolDraft } from '../catalog/tool-draft.js'
import type { SurfaceRequest } from '../surfaces/surface-request.js'
import {
  readConfigFile,
  trustOf,
  TRUSTED,
  type ConfigTrust,
  type ReadConfigFile,
} from '../platform/trust/config-trust.js'
import { isProgram } from '../platform/trust/named-files.js'
import { findOwnConfig } from '../platform/trust/own-config.js'
import { programSentence } from './untrusted-sentence.js'
import { placeFindings } from './settings/locate-findings.js'
import { loosens } from '../policy/files/without-loosening.js'
import type { CribSettings, LoadToolsOptions } from './crib-settings.js'

export type LoadedSettings = ({ ok: true } & CribSettings) | { ok: false; problems: ConfigProblem[] }

export type LoadedTools =
  | ({ ok: true; drafts: readonly ToolDraft[]; catalog: Catalog } & CribSettings)
  | { ok: false; problems: ConfigProblem[] }

/** What the config file says. No tool module is imported, and a config that is a program is run once it is trusted. */
export async function loadSettings({
  configPath,
  cwd = process.cwd(),
}: LoadToolsOptions): Promise<LoadedSettings> {
  const isNamed = configPath !== undefined
  const path = isNamed ? resolve(cwd, configPath) : (findConfig(cwd) ?? findOwnConfig())
  if (path === undefined) return { ok: true, configPath: undefined, trust: TRUSTED, config: {}, hooks: [] }
  const loaded = await loadTrusted(path)
  if (!loaded.ok) return loaded
  const { path: file, config, trust } = loaded
  const { hooks, findings } = await findSettingProblems({ configPath: file, config, trust })
  if (findings.length === 0) return { ok: true, configPath: file, isNamed, trust, config, hooks }
  return { ok: false, problems: await locateFindings(file, findings) }
}

/** What is wrong with the settings of a config that has the right shape. Nothing is imported or run. */
export async function findSettingProblems({
  configPath,
  config,
  trust,
}: Pick<CribSettings, 'config' | 'trust'> & { configPath: string }): Promise<{
  hooks: readonly HookDefinition[]
  findings: ConfigFinding[]
}> {
  const findings: ConfigFinding[] = []
  let hooks: readonly HookDefinition[] = []
  // Loaded only where the config has hooks, limits, retries or a bucket.
  if (config.hooks?.length) {
    const { loadHooks } = await import('./hooks/load-hooks.js')
    const made = loadHooks(config.hooks, configPath)
    hooks = made.hooks
    findings.push(...made.findings)
  }
  if (config.limits?.length) {
    const { limitFindings } = await import('./settings/check-limits.js')
    findings.push(...limitFindings(config.limits))
  }
  if (config.retries !== undefined) {
    const { retryFindings } = await import('./settings/check-retries.js')
    findings.push(...retryFindings(config.retries))
  }
  const isProtected = config.redaction?.way === 'protect' || config.surface?.redaction === 'protect'
  if (isProtected || config.blobs?.kind === 's3') {
    const { keepingFindings } = await import('./settings/check-storage.js')
    findings.push(...keepingFindings(config))
  }
  if (config.search?.sentences) {
    const { findSentencePackages } = await import('../search/meaning/sentence-model.js')
    try {
      findSentencePackages()
    } catch (error) {
      findings.push({ path: ['search', 'sentences'], message: (error as Error).message.replace(/\.$/, '') })
    }
  }
  findings.push(...placeFindings({ configPath, config, trust }))
  return { hooks, findings }
}

type TrustedConfig =
  | { ok: true; path: string; config: CribConfig; trust: ConfigTrust }
  | { ok: false; problems: ConfigProblem[] }

async function loadTrusted(path: string): Promise<TrustedConfig> {
  const program = isProgram(path) ? readOrNothing(path) : undefined
  if (program) {
    const before = trustOf(program)
    if (!before.isTrusted)
      return { ok: false, problems: [{ file: path, message: programSentence(path, before) }] }
    // Processes that it starts while it is imported must not decide what tools may do.
    runsTools()
  }
  const loaded = await loadConfig(path)
  if (!loaded.ok) return loaded
  const { path: file, config } = loaded
  // A program is read again: it must still be the one that was trusted, and so must the files that its value names.
  const read =
    loaded.text === undefined ? readConfigFile(file, config) : { path: file, text: loaded.text, config }
  return { ok: true, path: file, config, trust: trustOf(read) }
}

/** Undefined where the file is missing or unreadable: the loader reports that. */
function readOrNothing(path: string): ReadConfigFile | undefined {
  try {
    return readConfigFile(path)
  } catch {
    return undefined
  }
}

/** The config file and the tools that it names, without a store. */
export async function loadTools(options: LoadToolsOptions): Promise<LoadedTools> {
  const settings = await loadSettings(options)
  if (!settings.ok) return settings
  const { configPath, config } = settings
  const catalog = createCatalog({ retries: config.retries, persistence: config.results?.persistence })
  if (configPath === undefined) return { ...settings, drafts: [], catalog }

  const { paths, missing } = expandPaths(config.tools ?? [], dirname(configPath))
  const problems = await locateFindings(configPath, missingFindings(config, missing))
  if (!settings.trust.isTrusted) {
    return problems.length > 0 ? { ok: false, problems } : { ...settings, drafts: [], catalog }
  }
  const drafts: ToolDraft[] = []
  // Processes that a module starts while it is imported belong to its tools as well.
  if (paths.length > 0) runsTools()
  // In parallel: a slow module must not delay the others. The order of the paths is kept.
  for (const file of await Promise.all(paths.map(readToolModule))) {
    problems.push(...file.problems)
    const added = catalog.add('function', file.drafts)
    drafts.push(...added.tools.map((tool) => tool.draft))
    problems.push(...added.problems.map(({ message }) => ({ file: file.path, message })))
  }
  if (paths.length > 0) problems.push(...changedMeanwhile(configPath, config))
  return problems.length > 0 ? { ok: false, problems } : { ...settings, drafts, catalog }
}

/** The imported files must be the trusted ones: a file that differs now may have differed when it was imported. */
function changedMeanwhile(configPath: string, config: CribConfig): ConfigProblem[] {
  const trust = trustOf(readConfigFile(configPath, config))
  if (trust.isTrusted) return []
  const file = trust.why === 'unknown' ? configPath : trust.file
  return [{ file, message: 'it was changed while it was loaded, so nothing of it is used; try again' }]
}

/** The surface of a caller that requests nothing else. A mode that loosens counts once the config is trusted. */
export function surfaceRequestOf({ trust, config }: CribSettings): SurfaceRequest {
  const { mode, ...surface } = config.surface ?? {}
  const counts = !loosens(mode) || trust.isTrusted
  return { scope: 'session', ...surface, ...(mode !== undefined && counts && { mode }) }
}

/** The settings of a caller that asks for the surface of an agent: what the config says of a surface tightens it. */
export function settingsForAgent<Settings extends CribSettings>(settings: Settings, agent: string): Settings {
  const { config } = settings
  return { ...settings, config: { ...config, surface: { ...config.surface, agent } } }
}

/** The same for a person who calls tools by name: nothing is deferred, because there is no prompt. */
export function callRequestOf(settings: CribSettings): SurfaceRequest {
  const { deferral: _, ...request } = surfaceRequestOf(settings)
  return request
}

interface ToolModule {
  path: string
  drafts: readonly ToolDraft[]
  problems: ConfigProblem[]
}

async function readToolModule(path: string): Promise<ToolModule> {
  const imported = await importModule(path)
  if (!imported.ok) return { path, drafts: [], problems: [imported.problem] }
  // The same tool under two names, or by name and as default, is one tool.
  const drafts = new Set<ToolDraft>()
  const problems: ConfigProblem[] = []
  for (const [name, exported] of Object.entries(imported.exports)) {
    for (const value of Array.isArray(exported) ? (exported as unknown[]) : [exported]) {
      if (isToolDraft(value)) drafts.add(value)
      else if (isAlmostTool(value)) {
        problems.push({
          file: path,
          message: `its export "${name}" is not a tool yet; wrap it in defineTool({ … })`,
        })
      }
    }
  }
  if (drafts.size === 0 && problems.length === 0)
    problems.push({ file: path, message: 'it exports no tool; write `export default defineTool({ … })`' })
  return { path, drafts: [...drafts], problems }
}

function isToolDraft(value: unknown): value is ToolDraft {
  return isAlmostTool(value) && 'namespace' in value && 'facts' in value
}

function isAlmostTool(value: unknown): value is object {
  return (
    typeof value === 'object' &&
    value !== null &&
    'name' in value &&
    typeof Reflect.get(value, 'execute') === 'function'
  )
}

/** Tool modules that are not there. */
export function missingFindings({ tools = [] }: CribConfig, missing: readonly string[]): ConfigFinding[] {
  return missing.map((pattern) => ({
    path: ['tools', tools.indexOf(pattern)],
    message: `"${pattern}" in tools matches no file; paths start at the folder of this config`,
  }))
}

async function locateFindings(file: string, findings: readonly ConfigFinding[]): Promise<ConfigProblem[]> {
  if (findings.length === 0) return []
  const locate = await locatorOf(file)
  const { shown, left } = firstProblems(findings)
  const problems = shown.map(({ path, message }): ConfigProblem => ({ file, ...locate?.(path), message }))
  return left === undefined ? problems : [...problems, { file, message: left }]
}

/** Lines are looked up only for a problem. */
export async function locatorOf(file: string) {
  if (!/\.(ya?ml|json)$/.test(file)) return undefined
  const { parseConfigText } = await import('../platform/config/parse-config-text.js')
  return (await parseConfigText(await readFile(file, 'utf8'), file)).locate
}
