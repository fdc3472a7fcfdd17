import { parseJson } from '../platform/json/parse-json.js'

/** Limits for arbitrary input: a conversation that fits a model stays below them. */
const MAX_VALUES = 1_000_000
const MAX_DEPTH = 64
const MAX_TEXTS_WITHIN_TEXTS = 3
/** More than any model was ever shown. */
const MAX_NAMES = 1_000

/** Prefix of the line that names the loaded tools in a search result for the model. */
export const LOADED_PREFIX = 'toolcrib loaded: '
const LOADED_LINE = new RegExp(`^${LOADED_PREFIX}([\\w-]+(?:, [\\w-]+)*)`, 'gm')

interface Reading {
  /** The latest first. */
  found: string[]
  names: Set<string>
  seen: Set<object>
  valuesLeft: number
}

/**
 * Names of the tools that were loaded in a conversation, in their order, once each: from the results of tool searches
 * and from tool references, whatever the message format. Pass them as `load` to continue a conversation; only tools
 * that the caller may see are loaded. It is read from its end, so that the newest names are found in a conversation of
 * any length.
 */
export function loadedToolsIn(conversation: unknown): string[] {
  const reading: Reading = { found: [], names: new Set(), seen: new Set(), valuesLeft: MAX_VALUES }
  read(conversation, reading, { depth: 0, texts: 0 })
  return [...new Set(reading.found.reverse())]
}

function read(value: unknown, reading: Reading, at: { depth: number; texts: number }): void {
  if (reading.valuesLeft-- <= 0 || reading.names.size >= MAX_NAMES || at.depth > MAX_DEPTH) return
  if (typeof value === 'string') {
    if (at.texts >= MAX_TEXTS_WITHIN_TEXTS || !mayTell(value)) return
    const parsed = parseWithin(value)
    if (parsed !== undefined) read(parsed, reading, { depth: at.depth + 1, texts: at.texts + 1 })
    take(toldIn(value), reading)
    return
  }
  if (typeof value !== 'object' || value === null || reading.seen.has(value)) return
  reading.seen.add(value)
  const within = { depth: at.depth + 1, texts: at.texts }
  const values = Array.isArray(value) ? (value as unknown[]) : Object.values(value)
  for (let index = values.length - 1; index >= 0; index--) read(values[index], reading, within)
  take(namesIn(value), reading)
}

function take(names: readonly string[], { found, names: known }: Reading): void {
  for (let index = names.length - 1; index >= 0 && known.size < MAX_NAMES; index--) {
    const name = names[index]!
    // Anyone may have written it: as a pattern it would load tools that were never found.
    if (name.includes('*')) continue
    known.add(name)
    found.push(name)
  }
}

/** A search result names the tools it loaded; providers with their own search leave a reference to each tool. */
function namesIn(value: object): string[] {
  const { type, tool_name: name, tools, matches, toolcrib } = value as Record<string, unknown>
  if (type === 'tool_reference') return typeof name === 'string' ? [name] : []
  if (type === 'tool_search_output') return Array.isArray(tools) ? tools.flatMap(nameIn) : []
  if (!Array.isArray(matches) || typeof toolcrib !== 'object' || toolcrib === null) return []
  const { loaded } = toolcrib as Record<string, unknown>
  return Array.isArray(loaded) ? loaded.filter((each) => typeof each === 'string') : []
}

function nameIn(tool: unknown): string[] {
  const name: unknown = typeof tool === 'object' && tool !== null ? Reflect.get(tool, 'name') : undefined
  return typeof name === 'string' ? [name] : []
}

/** The names in the line of a search result that lists the loaded tools. */
function toldIn(text: string): string[] {
  return [...text.matchAll(LOADED_LINE)].flatMap(([, names]) => names!.split(', '))
}

function mayTell(text: string): boolean {
  return text.includes('tool_reference') || (text.includes('toolcrib') && text.includes('loaded'))
}

/** Parses a text as JSON, or the JSON inside a text. */
function parseWithin(text: string): unknown {
  const starts = [text.indexOf('{'), text.indexOf('[')].filter((place) => place >= 0)
  const from = Math.min(...starts)
  const to = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']')) + 1
  return starts.length === 0 || to <= from ? undefined : parseJson(text.slice(from, to))
}
