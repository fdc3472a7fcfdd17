import type { JsonSchema } from '../../../contract/json-schema.js'
import { isObject } from '../../../platform/json/is-object.js'
import type { CompiledResponse } from '../compiled.js'
import type { Located } from '../document/references.js'
import { joinSchemas, type OpenSchema, type SchemaVariant } from './schema/create-schemas.js'
import { partAt, partOrEmptyAt, textsIn, type DocumentReader, type Part } from './document-reader.js'
import { fitSchema } from './schema/fit-schema.js'
import { isJson, jsonFirst } from '../../http/media-types.js'

export interface ReadResponse {
  readonly response: CompiledResponse
  /** What a successful response holds, where it is JSON. */
  readonly schemas: readonly Located[]
  /** Names of headers that successful responses have, in lower case. */
  readonly headers: readonly string[]
}

/** The successful responses of an operation. `default` is one only where the document names no other. */
export function compileResponse(reader: DocumentReader, operation: Part): ReadResponse {
  const responses = partAt(reader, operation, 'responses')
  const codes = Object.keys(responses?.value ?? {})
  const good = codes.filter((code) => /^2(?:\d\d|xx)$/i.test(code))
  const used = good.length > 0 ? good : codes.filter((code) => code === 'default')
  const contents: ResponseContent[] = []
  const headers = new Set<string>()
  for (const code of used) {
    const response = partAt(reader, responses!, code)
    if (!response) continue
    contents.push(...contentOf(reader, { operation, response }))
    const named = partAt(reader, response, 'headers')
    for (const name of Object.keys(named?.value ?? {})) headers.add(name.toLowerCase())
  }
  const sorted = jsonFirst(contents)
  return {
    response: { mediaTypes: [...new Set(sorted.map(({ mediaType }) => mediaType))] },
    schemas: sorted.flatMap(({ mediaType, schema }) => (schema && isJson(mediaType) ? [schema] : [])),
    headers: [...headers],
  }
}

interface ResponseContent {
  readonly mediaType: string
  readonly schema: Located | undefined
}

function contentOf(
  reader: DocumentReader,
  { operation, response }: { operation: Part; response: Part },
): ResponseContent[] {
  const { value, base } = response
  if (reader.dialect === '2.0') {
    const types = textsIn(operation.value['produces'] ?? reader.root.value['produces'])
    const { schema } = value
    if (schema === undefined) return []
    const isFile = isObject(schema) && schema['type'] === 'file'
    const usual = isFile ? 'application/octet-stream' : 'application/json'
    return (types.length > 0 ? types : [usual]).map((mediaType) => ({
      mediaType,
      schema: isFile ? undefined : { value: schema, base },
    }))
  }
  const content = partAt(reader, response, 'content')
  return Object.keys(content?.value ?? {}).map((mediaType) => {
    const media = partOrEmptyAt(reader, content!, mediaType)
    const schema = media?.value['schema']
    return { mediaType, schema: schema === undefined ? undefined : { value: schema, base: media!.base } }
  })
}

/** The contract of the output; undefined where successful responses need not be JSON. */
export function compileOutput(
  { schemas: found }: ReadResponse,
  { schemas }: DocumentReader,
): JsonSchema | undefined {
  if (found.length === 0) return undefined
  const make = (variant: SchemaVariant): OpenSchema => {
    const all = new Map<string, OpenSchema>()
    for (const part of found) {
      const open = schemas.convert(part, variant)
      all.set(JSON.stringify(open.schema), open)
    }
    const list = [...all.values()]
    return list.length === 1 ? list[0]! : joinSchemas({ anyOf: list.map(({ schema }) => schema) }, list)
  }
  const output = fitSchema(make, { schemas, use: 'output' })
  return Object.keys(output).length === 0 ? undefined : output
}
