import { ownCommand } from '../../platform/text/own-command.js'
import { homedir } from 'node:os'
import { resolve } from 'node:path'
import { shortPath, type ConfigProblem } from '../../platform/config/describe-problem.js'
import { expandReferences, type ReferenceWorld } from '../../platform/config/expand-references.js'
import { nearestWord } from '../../platform/config/nearest-word.js'
import { serverSchema } from '../../platform/config/servers-schema.js'
import { secretsOfSettings, type TakenVariable } from '../../sources/mcp/secrets-of-settings.js'
import type { McpServerSettings } from '../../sources/mcp/server-settings.js'
import type { CribSettings } from '../crib-settings.js'
import { isOwnConfig } from '../../platform/trust/own-config.js'
import { takesLogin } from './takes-login.js'
import type { ConfigTrust } from '../../platform/trust/config-trust.js'
import { projectFolder } from '../../platform/trust/named-files.js'

type Untrusted = Exclude<ConfigTrust, { isTrusted: true }>

export interface ServerProblem extends ConfigProblem {
  server: string
  /** It is not among the servers because of this; otherwise something of its entry is not used. */
  isLeftOut: boolean
  /** Only because the project that it is of is not trusted as it is: why. */
  untrusted?: Untrusted | undefined
}

export interface LoadedServers {
  servers: Record<string, McpServerSettings>
  problems: ServerProblem[]
  /** What must not show anywhere: credentials, and what came from variables. */
  secrets: string[]
}

type Entry = NonNullable<CribSettings['config']['mcpServers']>[string]

/** The servers that a config names, ready to be connected to; and what is wrong with the others. */
export function serverSettingsOf(settings: CribSettings, env: NodeJS.ProcessEnv): LoadedServers {
  const loaded: LoadedServers = { servers: {}, problems: [], secrets: [] }
  const entries = Object.entries(settings.config.mcpServers ?? {})
  if (entries.length === 0) return loaded
  const file = settings.configPath ?? 'toolcrib.yaml'
  const problem = (server: string, message: string, isLeftOut: boolean, untrusted?: Untrusted): void =>
    void loaded.problems.push({ file, server, message, isLeftOut, ...(untrusted && { untrusted }) })
  const secrets = new Set<string>()
  for (const [name, entry] of entries) {
    const unused = unusedSentence(name, entry)
    if (unused !== undefined) problem(name, unused, false)
    if (!settings.trust.isTrusted) {
      problem(
        name,
        `the server "${name}" is not started; ${whyNotStarted(file, settings.trust)}: ${ownCommand('trust')}`,
        true,
        settings.trust,
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

/** Why servers of a config are not started. */
function whyNotStarted(configPath: string, trust: Untrusted): string {
  switch (trust.why) {
    case 'unknown':
      return 'it is of a project that you have not trusted'
    case 'changed':
      return trust.file === configPath
        ? 'its config has changed since you trusted it'
        : `${shortPath(trust.file)} has changed since you trusted it`
    case 'added':
      return `its config names ${shortPath(trust.file)}, which was not there when you trusted it`
  }
}

/** Where relative paths of servers start: the project, also where its file lies in a folder of an editor. */
function worldOf({ configPath }: CribSettings, env: NodeJS.ProcessEnv): ReferenceWorld {
  const home = homedir()
  if (configPath === undefined || isOwnConfig(configPath)) return { env, home, folder: process.cwd() }
  return { env, home, folder: projectFolder(configPath) }
}

type ReadEntry =
  { ok: true; settings: McpServerSettings; taken: TakenVariable[] } | { ok: false; why: string }

function readEntry(entry: Entry, world: ReferenceWorld): ReadEntry {
  const taken: TakenVariable[] = []
  let why: string | undefined
  const expand = <Value>(value: Value): Value => {
    if (typeof value === 'string') {
      const expanded = expandReferences(value, world)
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
      ...(rest.command !== undefined && { cwd: resolve(world.folder, cwd ?? '.') }),
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
