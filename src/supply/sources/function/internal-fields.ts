import type { JsonSchema } from '../../../foundation/contract/json-schema.js'

/** Dotted paths of the properties that a schema marks `visibility: "internal"`. */
export function findInternalFields(schema: JsonSchema): string[] {
  const found: string[] = []
  visit(schema, '', found, 0)
  return found
}

const MAX_DEPTH = 64

function visit(schema: unknown, path: string, found: string[], depth: number): void {
  if (typeof schema !== 'object' || schema === null || depth > MAX_DEPTH) return
  if (Array.isArray(schema)) {
    for (const part of schema) visit(part, path, found, depth + 1)
    return
  }
  for (const [keyword, value] of Object.entries(schema)) {
    if (typeof value !== 'object' || value === null) continue
    if (keyword === 'properties') visitProperties(value as Record<string, unknown>, path, found, depth)
    else if (SUBSCHEMAS.has(keyword)) visit(value, path, found, depth + 1)
  }
}

const SUBSCHEMAS = new Set([
  'items',
  'prefixItems',
  'additionalProperties',
  'anyOf',
  'oneOf',
  'allOf',
  'if',
  'then',
  'else',
])

function visitProperties(
  properties: Record<string, unknown>,
  path: string,
  found: string[],
  depth: number,
): void {
  for (const [name, property] of Object.entries(properties)) {
    const at = path === '' ? name : `${path}.${name}`
    if (isInternal(property)) found.push(at)
    else visit(property, at, found, depth + 1)
  }
}

function isInternal(property: unknown): boolean {
  return (
    typeof property === 'object' && property !== null && Reflect.get(property, 'visibility') === 'internal'
  )
}
