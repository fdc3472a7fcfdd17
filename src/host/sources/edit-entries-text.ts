import { extname } from 'node:path'
import type { Document, Pair, Scalar, YAMLMap } from 'yaml'
import { fromMcpJson, isMcpJson } from '../../platform/config/from-mcp-json.js'
import { mcpSection, sourceSections } from '../../platform/config/source-sections.js'
import { parseJsonText, rawJson, removeMember, setMember } from '../../platform/json/edit-json-text.js'
import { sameJson } from '../../platform/json/same-json.js'

/** Entries of one kind to add or remove. */
export interface EntriesEdit {
  /** The key of the kind in the config. */
  readonly key: string
  readonly put?: Readonly<Record<string, object>>
  readonly remove?: readonly string[]
}

export interface EditedEntries {
  text: string
  /** The config before and after the change. */
  before: unknown
  after: unknown
}

/** The text of a config with the changed entries; comments and everything else in it stay. */
export async function editEntriesText(
  text: string,
  path: string,
  change: EntriesEdit,
): Promise<EditedEntries> {
  // A file that ends in .json may also be written as YAML.
  const json = extname(path) === '.json' ? parseJsonText(text) : undefined
  const list = await editList(text, { json, change })
  if (list !== undefined) return list
  const edited =
    json === undefined
      ? await editYaml(text, change, extname(path) === '.json' && text.trim() === '')
      : editJson(text, json, change)
  if (!edited) throw new Error(`${path} cannot be read, so it is not changed: mend it first.`)
  return edited
}

/**
 * Entries that are, or become, a list of names. Undefined where they are, or become, an object: entries with settings make
 * one of a list.
 */
async function editList(
  text: string,
  { json, change }: { json: unknown; change: EntriesEdit },
): Promise<EditedEntries | undefined> {
  const { key, put = {}, remove = [] } = change
  const takesList = sourceSections().some((section) => section.key === key && section.takesList === true)
  if (!takesList) return undefined
  const yaml = await import('yaml')
  const document = yaml.parseDocument(text)
  if (json === undefined && document.errors.length > 0) return undefined
  const before: unknown = json ?? document.toJS() ?? {}
  const present = (before as Record<string, unknown>)[key] ?? []
  if (!Array.isArray(present)) return undefined
  const names = [...new Set([...present.map(String), ...Object.keys(put)])]
  const left = names.filter((name) => !remove.includes(name))
  const hasSettings = Object.values(put).some((entry) => Object.keys(entry).length > 0)
  const settings = hasSettings ? Object.fromEntries(left.map((name) => [name, put[name] ?? {}])) : left
  if (json !== undefined) {
    const edited = setMember(text, [key], rawJson(settings, text, [key]))
    return { text: edited, before, after: parseJsonText(edited) }
  }
  const isNew = !document.has(key) && !hasSettings
  if (!isNew) {
    const node = document.createNode(settings)
    if (yaml.isSeq(node)) node.flow = true
    document.set(key, node)
  }
  const start = text === '' || text.endsWith('\n') ? text : `${text}\n`
  const edited = isNew ? `${start}${key}: [${left.join(', ')}]\n` : document.toString(styleOf(text))
  return { text: edited, before, after: yaml.parse(edited) as unknown }
}

function editJson(
  text: string,
  before: unknown,
  { key: section, put = {}, remove = [] }: EntriesEdit,
): EditedEntries | undefined {
  const key = section === mcpSection.key ? serversKey(before) : section
  const present = (before as Record<string, unknown> | null)?.[key] ?? {}
  if (typeof present !== 'object' || Array.isArray(present)) return undefined
  let edited = text
  for (const name of remove) edited = removeMember(edited, [key, name])
  for (const [name, value] of Object.entries(put)) {
    const path = [key, name]
    edited = setMember(edited, path, rawJson(value, edited, path))
  }
  return { text: edited, before: fromMcpJson(before), after: fromMcpJson(parseJsonText(edited)) }
}

/** VS Code has its own word for it. */
function serversKey(config: unknown): string {
  return isMcpJson(config) && Object.hasOwn(config as object, 'servers') ? 'servers' : mcpSection.key
}

async function editYaml(
  text: string,
  { key, put = {}, remove = [] }: EntriesEdit,
  isNewJson: boolean,
): Promise<EditedEntries | undefined> {
  const yaml = await import('yaml')
  let document = yaml.parseDocument(text)
  if (document.errors.length > 0) return undefined
  const before: unknown = document.toJS() ?? {}
  let edited = text
  const apply = (change: () => void, inPlace: () => string | undefined): void => {
    const guess = inPlace()
    change()
    // If the surrounding lines do not allow a local edit, the library writes the whole text.
    const isSame = guess !== undefined && sameJson(yaml.parse(guess), document.toJS())
    edited = isSame ? guess : document.toString(styleOf(edited))
    document = yaml.parseDocument(edited)
  }
  const mapOf = (): YAMLMap<Scalar, unknown> | undefined => {
    const map = document.get(key)
    return yaml.isMap(map) ? (map as YAMLMap<Scalar, unknown>) : undefined
  }
  for (const name of remove)
    apply(
      () => document.deleteIn([key, name]),
      () => withoutLines(edited, mapOf(), name),
    )
  for (const [name, entry] of Object.entries(put))
    apply(
      () => {
        const map = mapOf()
        if (!map) document.set(key, document.createNode({}))
        // Empty braces do not mean that the entries should be on one line.
        else if (map.items.length === 0) map.flow = false
        document.setIn([key, name], document.createNode(entry))
      },
      () => withLines(edited, document, mapOf(), { key, name, entry, stringify: yaml.stringify }),
    )
  if (isNewJson) edited = `${JSON.stringify(document.toJS(), null, 2)}\n`
  return { text: edited, before: fromMcpJson(before), after: fromMcpJson(document.toJS()) }
}

type Entry = { key: string; name: string; entry: object; stringify: typeof import('yaml').stringify }

/** The text with the entry below the last one, or with a new block at the end of the file. */
function withLines(
  text: string,
  document: Document,
  map: YAMLMap<Scalar, unknown> | undefined,
  { key, name, entry, stringify }: Entry,
): string | undefined {
  const indent = styleOf(text).indent
  const lines = (value: unknown, margin: string): string =>
    stringify(value, { indent, lineWidth: 0 }).trimEnd().replaceAll(/^/gm, margin)
  if (!document.has(key)) {
    const start = text === '' || text.endsWith('\n') ? text : `${text}\n`
    return `${start}${lines({ [key]: { [name]: entry } }, '')}\n`
  }
  const last = map?.items.at(-1)
  if (!map || !last || map.flow || map.has(name)) return undefined
  const end = lineEnd(text, last)
  const margin = /^[ \t]*/.exec(text.slice(lineStart(text, last)))![0]
  const head = end > 0 && text[end - 1] !== '\n' ? `${text.slice(0, end)}\n` : text.slice(0, end)
  return `${head}${lines({ [name]: entry }, margin)}\n${text.slice(end)}`
}

function withoutLines(
  text: string,
  map: YAMLMap<Scalar, unknown> | undefined,
  name: string,
): string | undefined {
  const pair = map?.items.find(({ key }) => key.value === name)
  if (!pair || map?.flow) return undefined
  return text.slice(0, lineStart(text, pair)) + text.slice(lineEnd(text, pair))
}

function lineStart(text: string, { key }: Pair<Scalar, unknown>): number {
  return text.lastIndexOf('\n', key.range![0] - 1) + 1
}

/** The position after the last line of an entry. */
function lineEnd(text: string, { key, value }: Pair<Scalar, unknown>): number {
  const range = (value as { range?: [number, number, number] | null } | null)?.range ?? key.range!
  const at = text.indexOf('\n', text.slice(0, range[1]).trimEnd().length)
  return at === -1 ? text.length : at + 1
}

/** The style of the text: long lines are not broken, and braces have inner spaces only where they had them. */
function styleOf(text: string): { lineWidth: 0; flowCollectionPadding: boolean; indent: number } {
  const indent =
    /^\S[^\n]*:[ \t]*(?:#[^\n]*)?\n(?:[ \t]*(?:#[^\n]*)?\n)*( +)[^\s-]/m.exec(text)?.[1]?.length ?? 2
  return { lineWidth: 0, flowCollectionPadding: !/[[{]\S/.test(text) || /[[{] /.test(text), indent }
}
