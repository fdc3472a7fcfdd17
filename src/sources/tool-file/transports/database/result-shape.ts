import type { JsonSchema } from '../../../../contract/json-schema.js'
import { isObject } from '../../../../platform/json/is-object.js'
import { toJsonValue, wantedTypes, type Wanted } from './json-value.js'
import type { AnswerFacts, Column, Row } from './session.js'

/**
 * How rows become the output of a tool. The output schema decides:
 *
 * 1. The list: the property `rows` of type array, else the only property of type array. It gets all rows, unless the
 *    query has a column of that name. A row is an object by column names. Where the items of the list are no objects
 *    and the query has one column, the list gets the values of that column.
 * 2. Without a list, the output is the first row: each column is a property.
 * 3. The other properties: a column of that name, from the first row; `row_count`: the number of rows;
 *    `affected_rows`: the number of rows that were written; `insert_id`: the id of the row that was written.
 *    A column has precedence, and `row_count` is the number of written rows where the statement returns none.
 * 4. A column belongs to the property of the same name, else to the one whose name differs only in case. A column
 *    without a property is kept under its own name, unless the schema has `additionalProperties: false`.
 *
 * The same rules hold for the properties of the list's items.
 */
export interface ResultShape {
  /** The name of the list; undefined where the output is one row. */
  readonly list: string | undefined
  /** One row as an item of the list, or as an output. */
  toItem(row: Row): unknown
  /** The properties beside the list, or the whole output where there is no list. */
  toRest(first: Row | undefined, counts: RowCounts): Record<string, unknown>
  /** A property of one row that must be there. Where there is no row, the call fails. */
  readonly needsRow: boolean
}

export interface RowCounts extends AnswerFacts {
  readonly rows: number
}

interface ObjectShape {
  readonly properties: Readonly<Record<string, unknown>>
  readonly required: readonly string[]
  readonly isOpen: boolean
}

export function shapeOf(output: JsonSchema, columns: readonly Column[]): ResultShape {
  const whole = objectShape(output)
  const list = listOf(whole, columns)
  const items = list === undefined ? undefined : itemsOf(whole.properties[list])
  const isValues = items !== undefined && !isObjectSchema(items) && columns.length === 1
  const asItem = items === undefined ? whole : objectShape(items)
  const toRow = rowReader(asItem, columns)
  const beside: ObjectShape = { ...whole, isOpen: list === undefined && whole.isOpen }
  const toBeside = rowReader(list === undefined ? beside : without(beside, list), columns)
  const [column] = columns
  const wanted = wantedTypes(items)
  return {
    list,
    toItem: isValues ? (row) => toJsonValue(row[0], column!, wanted) : toRow,
    toRest: (first, counts) => ({
      ...countsOf(whole, columns, counts),
      ...(first && toBeside(first)),
    }),
    needsRow: list === undefined && columns.length > 0 && hasRequiredColumn(whole, columns),
  }
}

const COUNTS = ['row_count', 'affected_rows', 'insert_id']

function countsOf(
  { properties }: ObjectShape,
  columns: readonly Column[],
  { rows, affectedRows, insertId }: RowCounts,
): Record<string, unknown> {
  const written = columns.length === 0 ? affectedRows : undefined
  const counts: Record<string, unknown> = {
    row_count: written ?? rows,
    affected_rows: affectedRows,
    insert_id: insertId,
  }
  return Object.fromEntries(
    COUNTS.filter((name) => Object.hasOwn(properties, name) && counts[name] !== undefined).map((name) => [
      name,
      counts[name],
    ]),
  )
}

function hasRequiredColumn({ required, properties }: ObjectShape, columns: readonly Column[]): boolean {
  return required.some(
    (name) => Object.hasOwn(properties, name) && columns.some((column) => isSameName(column.name, name)),
  )
}

function listOf({ properties }: ObjectShape, columns: readonly Column[]): string | undefined {
  const lists = Object.keys(properties).filter((name) => wantedTypes(properties[name])?.has('array'))
  const list = lists.includes('rows') ? 'rows' : lists.length === 1 ? lists[0] : undefined
  return list !== undefined && columns.some(({ name }) => isSameName(name, list)) ? undefined : list
}

const isSameName = (column: string, property: string): boolean =>
  column === property || column.toLowerCase() === property.toLowerCase()

function itemsOf(list: unknown): JsonSchema {
  const items = isObject(list) ? list['items'] : undefined
  return isObject(items) ? (items as JsonSchema) : {}
}

function isObjectSchema(schema: JsonSchema): boolean {
  const wanted = wantedTypes(schema)
  return wanted ? wanted.has('object') : true
}

function objectShape(schema: JsonSchema): ObjectShape {
  const { properties, required, additionalProperties } = (isObject(schema) ? schema : {}) as Record<
    string,
    unknown
  >
  return {
    properties: isObject(properties) ? properties : {},
    required: Array.isArray(required) ? (required as string[]) : [],
    isOpen: additionalProperties !== false,
  }
}

function without(shape: ObjectShape, name: string): ObjectShape {
  const { [name]: _, ...properties } = shape.properties
  return { ...shape, properties }
}

/** Made once for an answer: a row is then only copied. */
function rowReader(
  { properties, isOpen }: ObjectShape,
  columns: readonly Column[],
): (row: Row) => Record<string, unknown> {
  const reading: { at: number; column: Column; name: string; wanted: Wanted }[] = []
  for (const [at, column] of columns.entries()) {
    const property = propertyOf(properties, column.name)
    if (property === undefined && !isOpen) continue
    const name = property ?? column.name
    reading.push({
      at,
      column,
      name,
      wanted: wantedTypes(property === undefined ? undefined : properties[property]),
    })
  }
  return (row) => {
    const entries = reading.map(({ at, column, name, wanted }) => [
      name,
      toJsonValue(row[at], column, wanted),
    ])
    // Not by assignment: a column may have the name __proto__.
    return Object.fromEntries(entries) as Record<string, unknown>
  }
}

function propertyOf(properties: Readonly<Record<string, unknown>>, column: string): string | undefined {
  if (Object.hasOwn(properties, column)) return column
  const lower = column.toLowerCase()
  return Object.keys(properties).find((name) => name.toLowerCase() === lower)
}
