import { homedir } from 'node:os'
import { resolve } from 'node:path'
import type { ReferenceContext } from '../../../platform/config/expand-references.js'
import { expandSettings } from '../../../platform/config/expand-settings.js'
import { nearestWord } from '../../../platform/config/nearest-word.js'
import { serverSchema } from '../../../platform/config/schema/servers-schema.js'
import { secretsOfSettings, type TakenVariable } from '../secrets-of-settings.js'
import type { McpServerSettings } from '../server-settings.js'
import { mcpSection } from '../../../platform/config/source-sections.js'
import type { SourceConfig, SourceProblem } from '../../kind.js'
import { notStarted } from '../../not-started.js'
import { isOwnConfig } from '../../../platform/trust/own-config.js'
import { takesLogin } from './takes-login.js'
import { projectFolder } from '../../../platform/trust/named-files.js'

export interface LoadedServers {
  servers: Record<string, McpServerSettings>
  problems: SourceProblem[]
  /** Values that must not be shown anywhere: credentials, and values from variables. */
  secrets: string[]
}

type Entry = NonNullable<SourceConfig['config']['mcpServers']>[string]

/** The servers of a config, with resolved settings; and the problems of the others. */
export function serverSettingsOf(settings: SourceConfig, env: NodeJS.ProcessEnv): LoadedServers {
  const loaded: LoadedServers = { servers: {}, problems: [], secrets: [] }
  const entries = Object.entries(settings.config.mcpServers ?? {})
  if (entries.length === 0) return loaded
  const file = settings.configPath ?? 'toolcrib.yaml'
  const problem = (entry: string, message: string, isLeftOut: boolean): void =>
    void loaded.problems.push({ file, entry, message, isLeftOut })
  const secrets = new Set<string>()
  for (const [name, entry] of entries) {
    const unused = unusedSentence(name, entry)
    if (unused !== undefined) problem(name, unused, false)
    if (!settings.trust.isTrusted) {
      loaded.problems.push(
        notStarted({ noun: mcpSection.noun, entry: name }, { file, trust: settings.trust }),
      )
      continue
    }
    const read = readEntry(entry, referenceContextOf(settings, env))
    if (!read.ok) {
      problem(name, `the server "${name}" is left out: ${read.why}`, true)
      continue
    }
    loaded.servers[name] = read.settings
    for (const secret of secretsOfSettings(read.settings, read.taken)) secrets.add(secret)
  }
  loaded.secrets = [...secrets].sort((a, b) => b.length - a.length)
  return loaded
}

/** The base of a server's relative paths: the project, also where the file is in an editor's folder. */
function referenceContextOf({ configPath }: SourceConfig, env: NodeJS.ProcessEnv): ReferenceContext {
  const home = homedir()
  if (configPath === undefined || isOwnConfig(configPath)) return { env, home, folder: process.cwd() }
  return { env, home, folder: projectFolder(configPath) }
}

type ReadEntry =
  { ok: true; settings: McpServerSettings; taken: readonly TakenVariable[] } | { ok: false; why: string }

function readEntry(entry: Entry, context: ReferenceContext): ReadEntry {
  const used = Object.fromEntries(Object.entries(entry).filter(([key]) => isKnown(key))) as Entry
  const { settings: known, taken, missing } = expandSettings(used, context)
  const why = missing ?? contradictionIn(known)
  if (why !== undefined) return { ok: false, why }
  const { type, cwd, trusted = true, ...rest } = known
  return {
    ok: true,
    taken,
    settings: {
      ...rest,
      trusted,
      ...(type !== undefined && { type: transportOf(type)! }),
      ...(rest.command !== undefined && { cwd: resolve(context.folder, cwd ?? '.') }),
    },
  }
}

function contradictionIn({ command, url, type, headers, args, oauth }: Entry): string | undefined {
  if (command === undefined && url === undefined) return 'it needs either a "command" or a "url"'
  if (command !== undefined && url !== undefined) return 'it has a "command" and a "url"; keep one of them'
  const transport = type === undefined ? undefined : transportOf(type)
  if (type !== undefined && transport === undefined) return `its type "${type}" is not stdio, http or sse`
  if (transport !== undefined && (transport === 'stdio') !== (command !== undefined))
    return `its type "${type}" does not go with a ${command === undefined ? '"url"' : '"command"'}`
  if (headers && command !== undefined) return 'it has "headers", which only a "url" takes'
  if (args && url !== undefined) return 'it has "args", which only a "command" takes'
  if (oauth?.perUser === true) {
    if (url === undefined) return 'its "oauth.perUser" needs a "url"'
    if (!takesLogin({ url, ...(headers && { headers }) }))
      return 'it has an Authorization header for everybody, and "oauth.perUser"; keep one of them'
    if (oauth.grant === 'client_credentials')
      return 'its "oauth.grant" is for the client itself, and "oauth.perUser" for each; keep one of them'
  }
  if (url !== undefined && !/^https?:$/.test(protocolOf(url))) return 'its "url" is no http or https address'
  return undefined
}

function protocolOf(url: string): string {
  return URL.canParse(url) ? new URL(url).protocol : ''
}

/** The spellings that clients use. */
function transportOf(type: string): McpServerSettings['type'] {
  switch (type.toLowerCase().replaceAll(/[-_]/g, '')) {
    case 'stdio':
      return 'stdio'
    case 'http':
    case 'streamablehttp':
      return 'http'
    case 'sse':
      return 'sse'
    default: // an unknown type; the caller reports it
      return undefined
  }
}

const known = Object.keys(serverSchema.properties)
const isKnown = (key: string): boolean => known.includes(key)

function unusedSentence(name: string, entry: object): string | undefined {
  const unused = Object.keys(entry).filter((key) => !isKnown(key))
  if (unused.length === 0) return undefined
  const [first = ''] = unused
  const near = unused.length === 1 ? nearestWord(first, known) : undefined
  const hint = near === undefined ? '' : `; did you mean "${near}"?`
  return `the server "${name}" has ${unused.map((key) => `"${key}"`).join(', ')}, which ${unused.length === 1 ? 'is' : 'are'} not used here${hint}`
}
