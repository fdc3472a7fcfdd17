import type { JsonSchema } from '../../../contract/json-schema.js'
import { defineKey } from '../../../platform/json/define-key.js'
import { isObject } from '../../../platform/json/is-object.js'
import type { FileField } from '../compiled.js'

type Transfer = FileField['transfer']

/**
 * Finds the fields of a schema that hold files. `transfer` is either a keyword of the schema (`transfer: inline`), which
 * is then written out as properties, or a property with a fixed value.
 */
export function expandFiles(schema: JsonSchema): { schema: JsonSchema; files: readonly FileField[] } {
  const files: FileField[] = []
  return { schema: expand(schema, [], files) as JsonSchema, files }
}

function expand(schema: unknown, path: readonly string[], files: FileField[]): unknown {
  if (!isObject(schema)) return schema
  const transfer = transferOf(schema['transfer'])
  const made = transfer ? writeOut(schema, transfer) : schema
  const found = transfer ?? transferOfProperties(schema)
  if (found) {
    const limit = sizeLimit(schema)
    files.push({ path, transfer: found, ...(limit !== undefined && { maxSizeBytes: limit }) })
    return made
  }
  const copy: Record<string, unknown> = {}
  for (const [keyword, value] of Object.entries(made)) defineKey(copy, keyword, expandKeyword(keyword, value))
  return copy

  function expandKeyword(keyword: string, value: unknown): unknown {
    if (keyword === 'properties' && isObject(value)) {
      const properties = {}
      for (const [name, each] of Object.entries(value))
        defineKey(properties, name, expand(each, [...path, name], files))
      return properties
    }
    if (keyword === 'items')
      return Array.isArray(value)
        ? value.map((each) => expand(each, [...path, '*'], files))
        : expand(value, [...path, '*'], files)
    if (['oneOf', 'anyOf', 'allOf'].includes(keyword) && Array.isArray(value))
      return value.map((each) => expand(each, path, files))
    return value
  }
}

function transferOf(value: unknown): Transfer | undefined {
  return value === 'inline' || value === 'ref' ? value : undefined
}

function transferOfProperties({ properties }: JsonSchema): Transfer | undefined {
  const transfer = isObject(properties) ? properties['transfer'] : undefined
  if (!isObject(properties) || !isObject(transfer)) return undefined
  const fixed = transferOf(transfer['const'])
  if (fixed) return fixed
  const words: unknown = transfer['enum']
  if (!Array.isArray(words) || words.length === 0 || !words.every(transferOf)) return undefined
  if (words.length === 1) return transferOf(words[0])
  return Object.hasOwn(properties, 'content') ? 'inline' : 'ref'
}

function sizeLimit(schema: JsonSchema): number | undefined {
  if (typeof schema['max_size_bytes'] === 'number') return schema['max_size_bytes']
  const stated = isObject(schema['properties']) ? schema['properties']['max_size_bytes'] : undefined
  if (!isObject(stated)) return undefined
  const limit = stated['const'] ?? stated['maximum'] ?? stated['default']
  return typeof limit === 'number' ? limit : undefined
}

/** The schema of a file, with properties instead of the keywords of AML. */
function writeOut(schema: JsonSchema, transfer: Transfer): JsonSchema {
  const { transfer: _, filename, mime_type: mimeType, max_size_bytes: size, content, url, ...rest } = schema
  const described = (value: unknown): object => (typeof value === 'string' ? { description: value } : {})
  const body =
    transfer === 'inline'
      ? { content: { type: 'string', contentEncoding: 'base64', ...described(content) } }
      : { url: { type: 'string', format: 'uri', ...described(url) } }
  const properties = {
    transfer: { const: transfer },
    filename: { type: 'string', ...described(filename) },
    mime_type: { type: 'string', ...described(mimeType) },
    ...(typeof size === 'number' && { max_size_bytes: { const: size } }),
    ...body,
    ...(isObject(rest['properties']) ? rest['properties'] : {}),
  }
  const required = Array.isArray(rest['required']) ? rest['required'] : Object.keys(body)
  return { ...rest, type: 'object', properties, required }
}
