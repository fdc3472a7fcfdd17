import type { JsonSchema } from '../../../../contract/json-schema.js'
import { isObject } from '../../../../platform/json/is-object.js'
import type { DatabaseEngine } from '../../compiled.js'
import { splitSql } from '../../sql-parameters.js'
import type { Engine, Statement } from './session.js'

export type WrittenStatement =
  | { readonly ok: true; bind(input: Readonly<Record<string, unknown>>): Statement }
  /** The rest of a sentence: why the SQL cannot be sent. */
  | { readonly ok: false; readonly problem: string }

export interface StatementOptions {
  readonly engine: DatabaseEngine
  readonly placeholders: Pick<Engine, 'placeholder' | 'repeatsPlaceholders'>
  readonly input: JsonSchema
}

/**
 * The text of a tool's SQL with the placeholders of its engine. It is written once for a tool: a call adds values, and
 * nothing of a call becomes text. A field that the input lacks is bound as null.
 */
export function writeStatement(
  sql: string,
  { engine, placeholders, input }: StatementOptions,
): WrittenStatement {
  const { parts, positional, unclosed, statements } = splitSql(sql, engine)
  if (unclosed) return { ok: false, problem: `it has a ${unclosed.what} without an end` }
  if (positional[0])
    return { ok: false, problem: `it has ${positional[0].text}; parameters are written as :field` }
  if (statements !== 1) return { ok: false, problem: `it has ${statements} statements instead of one` }
  const { placeholder, repeatsPlaceholders } = placeholders
  const fields: string[] = []
  const written = parts.map((part) => {
    if (part.kind === 'text') return part.text
    const known = repeatsPlaceholders ? fields.indexOf(part.name) : -1
    return placeholder(known < 0 ? fields.push(part.name) : known + 1)
  })
  const text = written.join('')
  const schemas = fields.map((field) => schemaOf(input, field))
  return {
    ok: true,
    bind: (given) => ({
      text,
      values: fields.map((field, at) => ({
        value: (Object.hasOwn(given, field) ? given[field] : undefined) ?? null,
        schema: schemas[at],
      })),
    }),
  }
}

function schemaOf(input: JsonSchema, field: string): JsonSchema | undefined {
  const properties = isObject(input) && isObject(input['properties']) ? input['properties'] : {}
  const schema = Object.hasOwn(properties, field) ? properties[field] : undefined
  return isObject(schema) ? (schema as JsonSchema) : undefined
}
