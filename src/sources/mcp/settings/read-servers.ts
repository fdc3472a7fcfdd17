import { homedir } from 'node:os'
import { resolve } from 'node:path'
import { expandReferences, type ReferenceContext } from '../../../platform/config/expand-references.js'
import { nearestWord } from '../../../platform/config/nearest-word.js'
import { serverSchema } from '../../../platform/config/servers-schema.js'
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
  /** What must not show anywhere: credentials, and what came from variables. */
  secrets: string[]
}

type Entry = NonNullable<SourceConfig['config']['mcpServers']>[string]

/** The servers that a config names, ready to be connected to; and what is wrong with the others. */
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
    const read = readEntry(entry, worldOf(settings, env))
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

/** Where relative paths of servers start: the project, also where its file lies in a folder of an editor. */
function worldOf({ configPath }: SourceConfig, env: NodeJS.ProcessEnv): ReferenceContext {
  const home = homedir()
  if (configPath === undefined || isOwnConfig(configPath)) return { env, home, folder: process.cwd() }
  return { env, home, folder: projectFolder(configPath) }
}

type ReadEntry =
  { ok: true; settings: McpServerSettings; taken: TakenVariable[] } | { ok: false; why: string }

function readEntry(entry: Entry, context: ReferenceContext): ReadEntry {
  const taken: TakenVariable[] = []
  let why: string | undefined
  const expand = <Value>(value: Value): Value => {
    if (typeof value === 'string') {
      const expanded = expandReferences(value, context)
      if (!expanded.ok) {
        why ??= expanded.missing
        return value
      }
      taken.push(...expanded.taken)
      return expanded.text as Value
    }
    if (Array.isArray(value)) return value.map(expand) as Value
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [key, expand(member as unknown)]),
    ) as Value
  }
  const known = expand(Object.fromEntries(Object.entries(entry).filter(([key]) => isKnown(key))) as Entry)
  why ??= contradictionIn(known)
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
  if (type !== undefined && transport === undefined)
    return `its type "${type}" is none of stdio, http and sse`
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

/** As the clients spell them. */
function transportOf(type: string): McpServerSettings['type'] {
  switch (type.toLowerCase().replaceAll(/[-_]/g, '')) {
    case 'stdio':
      return 'stdio'
    case 'http':
    case 'streamablehttp':
      return 'http'
    case 'sse':
      return 'sse'
    default: // the word of a stranger; whoever asks has a sentence for it
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
