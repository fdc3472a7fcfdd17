import type { FromSchema } from '../../contract/json-schema.js'
import { isObject } from '../json/is-object.js'
import { withoutUndefined } from '../json/without-undefined.js'
import type { CheckedSchema } from './checked-schema.js'
import { serversSchema } from './servers-schema.js'

/** One thing that a section of the config sets up: its name, and what it starts, reaches or reads. */
export interface SectionEntry {
  readonly name: string
  readonly command?: string | undefined
  readonly args?: readonly string[] | undefined
  readonly env?: Readonly<Record<string, string>> | undefined
  /** Names of variables of this process that the command gets too. */
  readonly inheritEnv?: readonly string[] | undefined
  /** Where the command starts, relative to the project. */
  readonly cwd?: string | undefined
  readonly url?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Files that it reads: paths or globs, relative to the config file. */
  readonly files?: readonly string[] | undefined
}

/** The key of the config under which one kind of source has its settings: what is known of the kind without its code. */
export interface SourceSection {
  readonly key: string
  /** What one of its entries is called in sentences: `server`. */
  readonly noun: string
  /** The same where several kinds are told apart: `MCP server`. */
  readonly title: string
  readonly schema: CheckedSchema
  /** Of settings that nobody has checked, too: whatever is no entry is left out. */
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

/** Servers may have members that other clients put there: those mean nothing here. */
function toServerEntry([name, entry]: [string, unknown]): SectionEntry {
  if (!isObject(entry)) return { name }
  const { command, args, env, inheritEnv, cwd, url, headers } = entry as ServerSettings
  return withoutUndefined({ name, command, args, env, inheritEnv, cwd, url, headers })
}

/** An entry of settings that nobody has checked may hold anything: what is of no use to its readers is left out. */
function readable({
  name,
  command,
  args,
  env,
  inheritEnv,
  cwd,
  url,
  headers,
  files,
}: SectionEntry): SectionEntry {
  return withoutUndefined({
    name,
    command: text(command),
    args: texts(args),
    env: textMap(env),
    inheritEnv: texts(inheritEnv),
    cwd: text(cwd),
    url: text(url),
    headers: textMap(headers),
    files: texts(files),
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

/** Where they stand in the JSON Schema of the config. */
export const sectionSchemas = { [mcpSection.key]: mcpSection.schema } as const

const sections: SourceSection[] = [mcpSection]

/** The sections of all kinds of sources, in their order. */
export function sourceSections(): readonly SourceSection[] {
  return sections
}

/** Takes a section of another kind. What it returns takes it out again. */
export function addSourceSection(section: SourceSection): () => void {
  if (sections.some(({ key }) => key === section.key))
    throw new TypeError(`There is a kind of source with the key "${section.key}" already.`)
  sections.push(section)
  return () => void sections.splice(sections.indexOf(section), 1)
}

/** Everything that the sections of a config set up. */
export function entriesIn(config: object): { section: SourceSection; entry: SectionEntry }[] {
  return sections.flatMap((section) =>
    section.entries(Reflect.get(config, section.key)).map((entry) => ({ section, entry: readable(entry) })),
  )
}
