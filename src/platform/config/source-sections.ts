import type { FromSchema } from '../../contract/json-schema.js'
import { isObject } from '../json/is-object.js'
import { withoutUndefined } from '../json/without-undefined.js'
import { builtinsSchema, describeBuiltin, type BuiltinName } from './schema/builtins-schema.js'
import type { CheckedSchema } from './schema/checked-schema.js'
import { apisSchema } from './schema/openapi-schema.js'
import { serversSchema } from './schema/servers-schema.js'
import { toolFoldersSchema } from './schema/tool-files-schema.js'

/** One thing that a section of the config sets up: its name, and what it starts, reaches or reads. */
export interface SectionEntry {
  readonly name: string
  readonly command?: string | undefined
  readonly args?: readonly string[] | undefined
  readonly env?: Readonly<Record<string, string>> | undefined
  /** Names of variables of this process that are passed to the command. */
  readonly inheritEnv?: readonly string[] | undefined
  /** The working folder of the command, relative to the project. */
  readonly cwd?: string | undefined
  readonly url?: string | undefined
  /** How it is reached, where the kind has several ways: `stdio`. */
  readonly transport?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Files that it reads: paths or globs, relative to the config file. */
  readonly files?: readonly string[] | undefined
  /** What its tools do, in one sentence, where they are Toolcrib's own. */
  readonly offers?: string | undefined
  /** The file or folder that describes its tools, where changes of it are accepted tool by tool. */
  readonly tools?: string | undefined
}

/**
 * The key of the config under which one kind of source has its settings: the facts about the kind that are known
 * without its code.
 */
export interface SourceSection {
  readonly key: string
  /** What one of its entries is called in sentences: `server`. */
  readonly noun: string
  /** The same where several kinds are named together: `MCP server`. */
  readonly title: string
  readonly schema: CheckedSchema
  /** Whether entries without settings can be a list of names. */
  readonly takesList?: boolean
  /** Also accepts settings that were not checked: values that are no entry are skipped. */
  entries(settings: unknown): readonly SectionEntry[]
}

export const mcpSection = {
  key: 'mcpServers',
  noun: 'server',
  title: 'MCP server',
  schema: serversSchema,
  entries: (settings) => (isObject(settings) ? Object.entries(settings).map(toServerEntry) : []),
} as const satisfies SourceSection

type ServerSettings = FromSchema<typeof serversSchema>[string]

/** Servers may have members of other clients, which are ignored here. */
function toServerEntry([name, entry]: [string, unknown]): SectionEntry {
  if (!isObject(entry)) return { name }
  const { command, args, env, inheritEnv, cwd, url, headers, type } = entry as ServerSettings
  const transport = type ?? (command === undefined ? 'http' : 'stdio')
  return withoutUndefined({ name, command, args, env, inheritEnv, cwd, url, transport, headers })
}

export const openapiSection = {
  key: 'openapi',
  noun: 'API',
  title: 'API',
  schema: apisSchema,
  entries: (settings) => (isObject(settings) ? Object.entries(settings).map(toApiEntry) : []),
} as const satisfies SourceSection

type ApiEntry = FromSchema<typeof apisSchema>[string]

/** The document is not among the files: its operations are accepted one by one where they change. */
function toApiEntry([name, entry]: [string, unknown]): SectionEntry {
  if (!isObject(entry)) return { name }
  const { document, server, headers } = entry as ApiEntry
  const isAddress = typeof document === 'string' && /^https?:/i.test(document)
  const url = server ?? (isAddress ? document : undefined)
  return withoutUndefined({ name, url, headers, tools: isAddress ? undefined : document })
}

export const toolFilesSection = {
  key: 'toolFiles',
  noun: 'tool folder',
  title: 'tool folder',
  schema: toolFoldersSchema,
  entries: (settings) => (isObject(settings) ? Object.entries(settings).map(toFolderEntry) : []),
} as const satisfies SourceSection

type FolderEntry = FromSchema<typeof toolFoldersSchema>[string]

/** Only the code is among the files: tool files are accepted one by one where they change what a call does. */
function toFolderEntry([name, entry]: [string, unknown]): SectionEntry {
  if (!isObject(entry)) return { name }
  const { code, folder = '.' } = entry as FolderEntry
  return withoutUndefined({ name, files: code === undefined ? undefined : [code], tools: folder })
}

export const builtinsSection = {
  key: 'builtins',
  noun: 'built-in',
  title: 'set of built-in tools',
  schema: builtinsSchema,
  takesList: true,
  entries: (settings) =>
    Object.keys(builtinSettings(settings)).map((name) => ({
      name,
      offers: describeBuiltin(name as BuiltinName),
    })),
} as const satisfies SourceSection

/** A list of names means each of them with its defaults. */
export function builtinSettings(settings: unknown): Partial<Record<BuiltinName, object>> {
  if (Array.isArray(settings)) return Object.fromEntries(settings.filter(isText).map((name) => [name, {}]))
  return isObject(settings) ? settings : {}
}

/** An entry of unchecked settings may contain anything: unusable members are skipped. */
function readable({
  name,
  command,
  args,
  env,
  inheritEnv,
  cwd,
  url,
  transport,
  headers,
  files,
  tools,
  offers,
}: SectionEntry): SectionEntry {
  return withoutUndefined({
    name,
    command: text(command),
    args: texts(args),
    env: textMap(env),
    inheritEnv: texts(inheritEnv),
    cwd: text(cwd),
    url: text(url),
    transport: text(transport),
    headers: textMap(headers),
    files: texts(files),
    tools: text(tools),
    offers: text(offers),
  })
}

const isText = (value: unknown): value is string => typeof value === 'string'

function text(value: unknown): string | undefined {
  return isText(value) ? value : undefined
}

function texts(value: unknown): string[] | undefined {
  return Array.isArray(value) ? value.filter(isText) : undefined
}

function textMap(value: unknown): Record<string, string> | undefined {
  if (!isObject(value)) return undefined
  return Object.fromEntries(Object.entries(value).filter((each): each is [string, string] => isText(each[1])))
}

/** Their position in the JSON Schema of the config. */
export const sectionSchemas = {
  [mcpSection.key]: mcpSection.schema,
  [openapiSection.key]: openapiSection.schema,
  [toolFilesSection.key]: toolFilesSection.schema,
  [builtinsSection.key]: builtinsSection.schema,
} as const

const sections: SourceSection[] = [mcpSection, openapiSection, toolFilesSection, builtinsSection]

/** The sections of all kinds of sources, in their order. */
export function sourceSections(): readonly SourceSection[] {
  return sections
}

/** Adds a section of another kind, and returns a function that removes it. */
export function addSourceSection(section: SourceSection): () => void {
  if (sections.some(({ key }) => key === section.key))
    throw new TypeError(`There is a kind of source with the key "${section.key}" already.`)
  sections.push(section)
  return () => {
    const at = sections.indexOf(section)
    if (at >= 0) sections.splice(at, 1)
  }
}

/** Everything that the sections of a config set up. */
export function entriesIn(config: object): { section: SourceSection; entry: SectionEntry }[] {
  return sections.flatMap((section) =>
    section.entries(Reflect.get(config, section.key)).map((entry) => ({ section, entry: readable(entry) })),
  )
}
