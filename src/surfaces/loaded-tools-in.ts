/** Bounds for what may be anything: a conversation is read once, and none of this is met by one that fits a model. */
const MAX_VALUES = 1_000_000
const MAX_DEPTH = 64
const MAX_TEXTS_WITHIN_TEXTS = 3
/** More than any model was ever shown. */
const MAX_NAMES = 1_000

/** How the words that a model gets of a search begin the line with the names of what was loaded. */
export const LOADED_WORDS = 'toolcrib loaded: '
const LOADED_LINE = new RegExp(`^${LOADED_WORDS}([\\w-]+(?:, [\\w-]+)*)`, 'gm')

interface Reading {
  /** The last one first. */
  found: string[]
  names: Set<string>
  seen: Set<object>
  valuesLeft: number
}

/**
 * Names of the tools that were loaded in a conversation, in their order, once each: from the results of tool searches and
 * from references to tools, whatever the shape of the messages around them. Who passes them on as `load` goes on where
 * the conversation was; only what the caller may see is loaded by that. It is read from its end: what is newest is found
 * however long it is.
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
    // Anybody may have written it: as a pattern it would load what nobody found.
    if (name.includes('*')) continue
    known.add(name)
    found.push(name)
  }
}

/** A search result names what it loaded; providers that search by themselves leave a reference to each tool. */
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

/** What a model is told of a search: the line that names what it may call by now. */
function toldIn(text: string): string[] {
  return [...text.matchAll(LOADED_LINE)].flatMap(([, names]) => names!.split(', '))
}

function mayTell(text: string): boolean {
  return text.includes('tool_reference') || (text.includes('toolcrib') && text.includes('loaded'))
}

/** The JSON that a text is, or that stands among its words. */
function parseWithin(text: string): unknown {
  const starts = [text.indexOf('{'), text.indexOf('[')].filter((place) => place >= 0)
  const from = Math.min(...starts)
  const to = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']')) + 1
  if (starts.length === 0 || to <= from) return undefined
  try {
    return JSON.parse(text.slice(from, to)) as unknown
  } catch {
    return undefined
  }
}
