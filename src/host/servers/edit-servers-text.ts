import { extname } from 'node:path'
import type { Document, Pair, Scalar, YAMLMap } from 'yaml'
import { fromMcpJson, isMcpJson } from '../../platform/config/from-mcp-json.js'
import { parseJsonText, rawJson, removeMember, setMember } from '../../platform/json/edit-json-text.js'
import { sameJson } from '../../platform/json/same-json.js'

export interface ServersChange {
  readonly put?: Readonly<Record<string, object>>
  readonly remove?: readonly string[]
}

export interface EditedServers {
  text: string
  /** What the file says before and after, as a config. */
  before: unknown
  after: unknown
}

/** The text of a config with other servers; comments and everything else in it stay as they were. */
export async function editServersText(
  text: string,
  path: string,
  change: ServersChange,
): Promise<EditedServers> {
  // A file that ends in .json may also be written as YAML.
  const json = extname(path) === '.json' ? parseJsonText(text) : undefined
  const edited =
    json === undefined
      ? await editYaml(text, change, extname(path) === '.json' && text.trim() === '')
      : editJson(text, json, change)
  if (!edited) throw new Error(`${path} cannot be read, so it is not changed: mend it first.`)
  return edited
}

function editJson(
  text: string,
  before: unknown,
  { put = {}, remove = [] }: ServersChange,
): EditedServers | undefined {
  const key = isMcpJson(before) && Object.hasOwn(before as object, 'servers') ? 'servers' : 'mcpServers'
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

async function editYaml(
  text: string,
  { put = {}, remove = [] }: ServersChange,
  isNewJson: boolean,
): Promise<EditedServers | undefined> {
  const yaml = await import('yaml')
  let document = yaml.parseDocument(text)
  if (document.errors.length > 0) return undefined
  const before: unknown = document.toJS() ?? {}
  let edited = text
  const apply = (change: () => void, inPlace: () => string | undefined): void => {
    const guess = inPlace()
    change()
    // Where the lines around do not allow it, the library writes the text anew.
    const isSame = guess !== undefined && sameJson(yaml.parse(guess), document.toJS())
    edited = isSame ? guess : document.toString(styleOf(edited))
    document = yaml.parseDocument(edited)
  }
  const mapOf = (): YAMLMap<Scalar, unknown> | undefined => {
    const map = document.get('mcpServers')
    return yaml.isMap(map) ? (map as YAMLMap<Scalar, unknown>) : undefined
  }
  for (const name of remove)
    apply(
      () => document.deleteIn(['mcpServers', name]),
      () => withoutLines(edited, mapOf(), name),
    )
  for (const [name, entry] of Object.entries(put))
    apply(
      () => {
        const map = mapOf()
        if (!map) document.set('mcpServers', document.createNode({}))
        // An empty pair of brackets is no wish for one long line.
        else if (map.items.length === 0) map.flow = false
        document.setIn(['mcpServers', name], document.createNode(entry))
      },
      () => withLines(edited, document, mapOf(), { name, entry, stringify: yaml.stringify }),
    )
  if (isNewJson) edited = `${JSON.stringify(document.toJS(), null, 2)}\n`
  return { text: edited, before: fromMcpJson(before), after: fromMcpJson(document.toJS()) }
}

type Entry = { name: string; entry: object; stringify: typeof import('yaml').stringify }

/** The entry below the last one, or a block for it at the end of the file. */
function withLines(
  text: string,
  document: Document,
  map: YAMLMap<Scalar, unknown> | undefined,
  { name, entry, stringify }: Entry,
): string | undefined {
  const indent = styleOf(text).indent
  const lines = (value: unknown, margin: string): string =>
    stringify(value, { indent, lineWidth: 0 }).trimEnd().replaceAll(/^/gm, margin)
  if (!document.has('mcpServers')) {
    const start = text === '' || text.endsWith('\n') ? text : `${text}\n`
    return `${start}${lines({ mcpServers: { [name]: entry } }, '')}\n`
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

/** Behind the last line of an entry. */
function lineEnd(text: string, { key, value }: Pair<Scalar, unknown>): number {
  const range = (value as { range?: [number, number, number] | null } | null)?.range ?? key.range!
  const at = text.indexOf('\n', text.slice(0, range[1]).trimEnd().length)
  return at === -1 ? text.length : at + 1
}

/** As it was written: no line is broken, and brackets have blanks inside only where they had. */
function styleOf(text: string): { lineWidth: 0; flowCollectionPadding: boolean; indent: number } {
  const indent =
    /^\S[^\n]*:[ \t]*(?:#[^\n]*)?\n(?:[ \t]*(?:#[^\n]*)?\n)*( +)[^\s-]/m.exec(text)?.[1]?.length ?? 2
  return { lineWidth: 0, flowCollectionPadding: !/[[{]\S/.test(text) || /[[{] /.test(text), indent }
}
