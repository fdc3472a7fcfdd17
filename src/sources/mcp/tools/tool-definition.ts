import { createHash } from 'node:crypto'
import { canonicalJson } from '../../../platform/json/canonical-json.js'
import { remember } from '../../../platform/json/remember.js'
import { isJsonObject, type JsonObject } from '../protocol/json-rpc.js'
import { cleanDefinition } from '../clean-definition.js'

/** A tool as its server describes it; what is none of the protocol's types is left out. */
export interface ToolDefinition {
  readonly name: string
  readonly title: string | undefined
  readonly description: string | undefined
  readonly inputSchema: JsonObject | undefined
  readonly outputSchema: JsonObject | undefined
  readonly annotations: JsonObject | undefined
  /** All of it, as the server sent it. */
  readonly raw: JsonObject
}

/** Nothing for what has no name. */
export function parseTool(raw: unknown): ToolDefinition | undefined {
  if (!isJsonObject(raw)) return undefined
  const { name, title, description, inputSchema, outputSchema, annotations } = raw
  if (typeof name !== 'string' || name === '') return undefined
  return {
    name,
    title: textOf(title),
    description: textOf(description),
    inputSchema: objectOf(inputSchema),
    outputSchema: objectOf(outputSchema),
    annotations: objectOf(annotations),
    raw,
  }
}

/** The members that a person who accepts a tool accepts. */
export const pinnedMembers = [
  'title',
  'description',
  'inputSchema',
  'outputSchema',
  'annotations',
  'execution',
  'icons',
  '_meta',
] as const

/** What of `_meta` has an effect here. The rest is the server's own business. */
const USED_META = ['anthropic/searchHint', 'anthropic/alwaysLoad'] as const

/** What of a definition is kept as accepted, and compared from then on. */
export function toPin({ raw }: ToolDefinition): JsonObject {
  return pinOf(raw)
}

const pinOf = remember((raw: JsonObject): JsonObject => {
  const all: JsonObject = { ...raw, _meta: usedMeta(raw['_meta']) }
  const said = pinnedMembers.filter((member) => all[member] !== undefined)
  return { name: raw['name'], ...Object.fromEntries(said.map((member) => [member, all[member]])) }
})

/** The JSON by which an entry, or the pin of one, is compared. */
export const canonicalOf = remember((entry: JsonObject) => canonicalJson(entry))

/** Short, and the same for entries that say the same. */
export const digestOf = remember((entry: JsonObject) =>
  createHash('sha256').update(canonicalOf(entry)).digest('base64'),
)

/** An entry as it may be shown. */
export const shownDefinition = remember((raw: JsonObject) => cleanDefinition(raw))

function usedMeta(meta: unknown): JsonObject | undefined {
  if (!isJsonObject(meta)) return undefined
  const used = USED_META.filter((name) => meta[name] !== undefined)
  return used.length === 0 ? undefined : Object.fromEntries(used.map((name) => [name, meta[name]]))
}

export function isSamePin(a: JsonObject, b: JsonObject): boolean {
  return a === b || canonicalOf(a) === canonicalOf(b)
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function objectOf(value: unknown): JsonObject | undefined {
  return isJsonObject(value) ? value : undefined
}
