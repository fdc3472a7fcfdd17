import type { JsonSchema } from '../contract/json-schema.js'
import type { CatalogTool } from '../catalog/catalog-tool.js'

/** The texts of a tool, and the weight of a word in each. */
export const fieldWeights = {
  name: 2.5,
  aliases: 2,
  title: 2,
  hint: 2,
  namespace: 1.2,
  description: 1,
  capabilities: 1,
  guidance: 0.8,
  parameters: 0.5,
} as const

export type FieldName = keyof typeof fieldWeights

/** The usual number of words in a field: a word among few says more than the same word among many. */
export const usualWords: Readonly<Record<FieldName, number>> = {
  name: 3,
  aliases: 3,
  title: 4,
  hint: 6,
  namespace: 2,
  description: 14,
  capabilities: 4,
  guidance: 20,
  parameters: 24,
}

/** Longer text is not indexed: one tool must not slow down a catalog. */
export const MAX_FIELD_CHARS = 4_000
const MAX_DEPTH = 4

export type ToolFields = Partial<Record<FieldName, string>>

/** The texts by which a tool can be found. */
export function toolFields({ draft }: CatalogTool): ToolFields {
  const fields: ToolFields = {}
  // Drafts also come from JavaScript, without type checks.
  const put = (name: FieldName, text: unknown): void => {
    if (typeof text === 'string' && text !== '') fields[name] = text.slice(0, MAX_FIELD_CHARS)
  }
  put('name', draft.name)
  put('aliases', draft.aliases.join(' '))
  put('title', draft.title)
  put('hint', draft.searchHint)
  put('namespace', draft.namespace)
  put('description', draft.description)
  put('capabilities', draft.capabilityRefs.join(' '))
  put('guidance', draft.useGuidance)
  const texts: string[] = []
  gatherParameters(draft.input.modelSchema, { texts, room: MAX_FIELD_CHARS, depth: MAX_DEPTH })
  put('parameters', texts.join(' '))
  return fields
}

/** Names, descriptions and fixed values of all parameters, nested ones too, up to the limit. */
function gatherParameters(
  schema: unknown,
  { texts, room, depth }: { texts: string[]; room: number; depth: number },
): number {
  if (typeof schema !== 'object' || schema === null || depth === 0 || room <= 0) return room
  let left = room
  const add = (text: unknown): void => {
    if (typeof text !== 'string' || left <= 0) return
    texts.push(text)
    left -= text.length + 1
  }
  const goInto = (part: unknown): void => {
    left = gatherParameters(part, { texts, room: left, depth: depth - 1 })
  }
  const { properties, items, anyOf, oneOf, allOf } = schema as JsonSchema & Record<string, unknown>
  if (typeof properties === 'object' && properties !== null) {
    for (const [name, property] of Object.entries(properties)) {
      if (left <= 0) break
      add(name)
      if (typeof property !== 'object' || property === null) continue
      const { description, enum: values } = property as Record<string, unknown>
      add(description)
      if (Array.isArray(values)) values.forEach(add)
      goInto(property)
    }
  }
  goInto(items)
  for (const some of [anyOf, oneOf, allOf]) if (Array.isArray(some)) some.forEach(goInto)
  return left
}
