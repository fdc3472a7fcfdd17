import type { JsonSchema } from '../../../contract/json-schema.js'
import { isObject } from '../../../platform/json/is-object.js'
import type { CompiledBody } from '../../http/http-operation.js'
import type { ReadContent } from './compile-body.js'
import type { ReadParameter } from './compile-parameters.js'
import { partAt, type DocumentReader, type Part } from './document-reader.js'
import { fitsSchema } from './schema/fits-schema.js'
import { toType } from './schema/keyword-values.js'
import { smallData } from './schema/small-data.js'

interface ExampleParts {
  readonly parameters: readonly ReadParameter[]
  readonly body: CompiledBody | undefined
  readonly content: ReadContent | undefined
  readonly input: JsonSchema
}

/** A longer example costs more than it explains. */
const MAX_CHARS = 2_000

/** An example of the input, where the document has a usable one for everything that is required. */
export function exampleOf(
  reader: DocumentReader,
  { parameters, body, content, input }: ExampleParts,
): unknown[] {
  const { properties } = input
  if (!isObject(properties)) return []
  const fits = (field: string, value: unknown): boolean =>
    fitsSchema(value, { schema: properties[field], root: input })
  const example: [string, unknown][] = []
  for (const { parameter, part } of parameters) {
    const { field, isRequired } = parameter
    const { type } = isObject(properties[field]) ? properties[field] : {}
    const value = candidates(reader, part)
      .map((each) => toType(each, type))
      .find((each) => fits(field, each))
    if (value !== undefined) example.push([field, value])
    else if (isRequired) return []
  }
  if (body) {
    const value = bodyCandidates(reader, content).find((each) => fits(body.field, each))
    if (value !== undefined) example.push([body.field, value])
    else if (body.isRequired) return []
  }
  const made = Object.fromEntries(example)
  return example.length === 0 || JSON.stringify(made).length > MAX_CHARS ? [] : [made]
}

/** Some documents write the example of a body as a text that is JSON. */
function bodyCandidates(reader: DocumentReader, content: ReadContent | undefined): unknown[] {
  if (!content?.media || content.content.kind === 'binary') return []
  const found = candidates(reader, content.media)
  if (content.content.kind !== 'json') return found
  return found.flatMap((value) => {
    if (typeof value !== 'string') return [value]
    try {
      return [JSON.parse(value) as unknown, value]
    } catch {
      return [value]
    }
  })
}

/** `example`, those of `examples`, and those of the schema. */
function candidates(reader: DocumentReader, part: Part): unknown[] {
  const { example, 'x-example': vendor, examples } = part.value
  const named = isObject(examples) ? partAt(reader, part, 'examples') : undefined
  const values = Object.keys(named?.value ?? {})
    .slice(0, 5)
    .map((name) => {
      const { dataValue, value } = partAt(reader, named!, name)?.value ?? {}
      return dataValue ?? value
    })
  const found = reader.references.follow({ value: part.value['schema'], base: part.base })
  const schema = isObject(found?.value) ? found.value : {}
  const ofSchema: unknown[] = Array.isArray(schema['examples']) ? schema['examples'].slice(0, 5) : []
  const listed: unknown[] = Array.isArray(examples) ? examples.slice(0, 5) : []
  return [example, vendor, ...values, ...listed, schema['example'], ...ofSchema].flatMap((each) => {
    const data = each === undefined || each === null ? undefined : smallData(each, MAX_CHARS)
    return data === undefined ? [] : [data]
  })
}
