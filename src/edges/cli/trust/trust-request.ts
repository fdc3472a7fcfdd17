import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { CribConfig } from '../../../platform/config/schema/config-schema.js'
import { findConfig } from '../../../platform/config/find-config.js'
import { loadConfig } from '../../../platform/config/load-config.js'
import { loadLayers } from '../../../host/load-layers.js'
import type { LoadedRules } from '../../../policy/files/loaded-rules.js'
import { placeFindings } from '../../../host/settings/locate-findings.js'
import { LOCAL_RULES } from '../../../policy/files/rule-files.js'
import {
  filesOf,
  readConfigFile,
  trustOf,
  type ReadConfigFile,
} from '../../../platform/trust/config-trust.js'
import type { FollowedFiles } from '../../../platform/trust/follow-files.js'
import { isProgram } from '../../../platform/trust/named-files.js'
import { findOwnConfig } from '../../../platform/trust/own-config.js'
import { entriesIn, type SectionEntry } from '../../../platform/config/source-sections.js'
import { oneLine } from '../../../platform/text/printable.js'
import type { GivenOptions } from '../program/command.js'
import { sourceKinds } from '../../../sources/kinds.js'
import { describeServer } from '../servers/describe-server.js'
import { configProblem, placeOf } from '../program/load-or-stop.js'
import { usageProblem } from '../program/usage-problem.js'

/** One file that needs trust, as it was read: a yes covers this content, and not a later one. */
export interface TrustRequest {
  readonly read: ReadConfigFile
  /** What it would allow, as sentences. */
  readonly loosening: readonly string[]
  /** What it would run or contact, as sentences. */
  readonly runs: readonly string[]
  readonly named: FollowedFiles
}

const NAMES_NOTHING: FollowedFiles = { files: new Map(), computed: [], guessed: [] }

/** The files of a project that need trust. They are read as text: nothing of them is imported or run. */
export async function trustRequests(
  options: GivenOptions,
): Promise<{ configPath: string; waiting: TrustRequest[] }> {
  const configPath = findOrStop(options)
  const read = await readAsText(configPath)
  const trust = trustOf(read)
  const config = read.config ?? {}
  const layers = await loadLayers({ configPath, config, trust, hooks: [] })
  const own = layers.find(({ path }) => path === configPath)
  if (own?.text !== undefined && own.text !== read.text)
    throw usageProblem('The config was changed while it was read; nothing was trusted. Try again.')
  const waiting: TrustRequest[] = trust.isTrusted
    ? []
    : [{ read, loosening: own?.untrusted ?? [], runs: await runsOf(read, trust), named: filesOf(read) }]
  const local = layers.filter(({ path }) => path?.endsWith(LOCAL_RULES)).flatMap(localRequest)
  return { configPath, waiting: [...waiting, ...local].filter(asksSomething) }
}

function findOrStop(options: GivenOptions): string {
  const { configPath, cwd = process.cwd() } = placeOf(options)
  const path = configPath === undefined ? (findConfig(cwd) ?? findOwnConfig()) : resolve(cwd, configPath)
  if (path === undefined) throw usageProblem('There is no config file here, so there is nothing to trust.')
  if (!existsSync(path)) throw configProblem([{ file: path, message: 'there is no such file' }])
  return path
}

async function readAsText(path: string): Promise<ReadConfigFile> {
  if (isProgram(path)) return readConfigFile(path)
  const loaded = await loadConfig(path)
  if (!loaded.ok) throw configProblem(loaded.problems)
  return { path, text: loaded.text ?? '', config: loaded.config }
}

function localRequest({ path, text, untrusted }: LoadedRules): TrustRequest[] {
  if (path === undefined || text === undefined) return []
  return [{ read: { path, text }, loosening: untrusted, runs: [], named: NAMES_NOTHING }]
}

async function runsOf(
  { path, config = {} }: ReadConfigFile,
  trust: ReturnType<typeof trustOf>,
): Promise<string[]> {
  if (isProgram(path)) return ['itself: it is a program, and what it sets only shows when it runs']
  const entries = entriesIn(config).map(async ({ section, entry }) => {
    const kind = sourceKinds().find(({ key }) => key === section.key)
    const contacts = (await kind?.contacts?.({ config, configPath: path }, entry.name)) ?? []
    return [`the ${section.title} "${entry.name}" ${entryLines(entry)}`, ...contacts].join('\n')
  })
  return [
    ...(config.hooks ?? []).map(describeHook),
    ...(await Promise.all(entries)),
    ...placeFindings({ configPath: path, config, trust }).map(({ message }) => message.split(',')[0]!),
  ]
}

function entryLines({ files = [], tools, offers, ...entry }: SectionEntry): string {
  if (offers !== undefined) return `offers: ${offers}`
  const isRun = entry.command !== undefined || entry.url !== undefined
  const isNamed = files.length > 0 || tools !== undefined
  return [
    ...(isRun || !isNamed ? describeServer({ ...entry }) : []),
    ...(tools === undefined ? [] : [`takes its tools from ${oneLine(tools)}`]),
    ...(files.length > 0 ? [`reads ${files.map(oneLine).join(', ')}`] : []),
  ].join('\n')
}

/** In full, as it would run or be requested. */
function describeHook({
  id,
  command,
  args,
  env,
  url,
  headers,
}: NonNullable<CribConfig['hooks']>[number]): string {
  const described = describeServer({ command, args, url, env, headers })
  return `the hook "${id}" ${described.join('\n')}`
}

function asksSomething({ loosening, runs, named }: TrustRequest): boolean {
  return loosening.length > 0 || runs.length > 0 || named.files.size > 0
}
