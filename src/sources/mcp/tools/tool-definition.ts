import { createHash } from 'node:crypto'
import { canonicalJson } from '../../../platform/json/canonical-json.js'
import { isObject } from '../../../platform/json/is-object.js'
import { remember } from '../../../platform/json/remember.js'
import type { MemberNames } from '../../changes/diff-tool.js'
import type { JsonObject } from '../protocol/json-rpc.js'
import { cleanDefinition } from '../clean-definition.js'

/** A tool as its server describes it, without members of the wrong type. */
export interface ToolDefinition {
  readonly name: string
  readonly title: string | undefined
  readonly description: string | undefined
  readonly inputSchema: JsonObject | undefined
  readonly outputSchema: JsonObject | undefined
  readonly annotations: JsonObject | undefined
  /** The whole definition, as the server sent it. */
  readonly raw: JsonObject
}

/** Undefined for an entry without a name. */
export function parseTool(raw: unknown): ToolDefinition | undefined {
  if (!isObject(raw)) return undefined
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

/** The members that are covered when a person accepts a tool, each with its name for people. */
export const pinnedMembers = {
  title: 'title',
  description: 'description',
  inputSchema: 'input schema',
  outputSchema: 'output schema',
  annotations: 'hints',
  execution: 'way of running',
  icons: 'icons',
  _meta: 'hints for loading',
} as const satisfies MemberNames

/** The keys of `_meta` that have an effect here. The others are not compared. */
const USED_META = ['anthropic/searchHint', 'anthropic/alwaysLoad'] as const

/** The part of a definition that is stored as accepted, and compared from then on. */
export function toPin({ raw }: ToolDefinition): JsonObject {
  return pinOf(raw)
}

const pinOf = remember((raw: JsonObject): JsonObject => {
  const all: JsonObject = { ...raw, _meta: usedMeta(raw['_meta']) }
  const said = Object.keys(pinnedMembers).filter((member) => all[member] !== undefined)
  return { name: raw['name'], ...Object.fromEntries(said.map((member) => [member, all[member]])) }
})

/** The JSON by which entries and pins are compared. */
export const canonicalOf = remember((entry: JsonObject) => canonicalJson(entry))

/** A short digest, equal for equal entries. */
export const digestOf = remember((entry: JsonObject) =>
  createHash('sha256').update(canonicalOf(entry)).digest('base64'),
)

/** An entry that is safe to show. */
export const shownDefinition = remember((raw: JsonObject) => cleanDefinition(raw))

function usedMeta(meta: unknown): JsonObject | undefined {
  if (!isObject(meta)) return undefined
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
  return isObject(value) ? value : undefined
}
