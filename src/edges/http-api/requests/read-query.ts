import type { JsonSchema } from '../../../contract/json-schema.js'
import { nearestWord } from '../../../platform/config/nearest-word.js'
import { badRequest } from '../problem.js'

type Schemas = Readonly<Record<string, JsonSchema>>

/** The query parameters, as values of the types that the route declares. Throws a `Problem` for unknown names. */
export function readQuery(text: string, schemas: Schemas): Record<string, unknown> {
  const read: Record<string, unknown> = {}
  for (const [name, value] of new URLSearchParams(text)) {
    const schema = Object.hasOwn(schemas, name) ? schemas[name] : undefined
    if (!schema) throw badRequest(unknownSentence(name, Object.keys(schemas)))
    if (typeOf(schema) === 'array') {
      const items = value === '' ? [] : value.split(',')
      read[name] = [...((read[name] as string[] | undefined) ?? []), ...items]
    } else if (name in read) throw badRequest(`The query parameter "${name}" is given twice.`)
    else read[name] = valueOf(value, schema)
  }
  return read
}

function unknownSentence(name: string, known: readonly string[]): string {
  const near = nearestWord(name, [...known])
  if (near !== undefined) return `There is no query parameter "${printable(name)}"; did you mean "${near}"?`
  const there = known.length === 0 ? 'this address takes none' : `there are ${known.join(', ')}`
  return `There is no query parameter "${printable(name)}"; ${there}.`
}

function printable(name: string): string {
  return name.slice(0, 60).replaceAll(/[^\x20-\x7e]/g, '?')
}

/** What is no number or boolean stays a text, which the check of the schema then refuses. */
function valueOf(text: string, schema: JsonSchema): unknown {
  switch (typeOf(schema)) {
    case 'integer':
    case 'number':
      return /^-?\d{1,15}(?:\.\d{1,10})?$/.test(text) ? Number(text) : text
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : text
    default: // texts stay texts
      return text
  }
}

function typeOf(schema: JsonSchema): unknown {
  return typeof schema === 'object' ? schema['type'] : undefined
}
