import { describe, expect, it } from 'vitest'
import type { JsonSchema } from '../../../../../src/contract/json-schema.js'
import {
  shapeOf,
  type RowCounts,
} from '../../../../../src/sources/tool-file/transports/database/result-shape.js'
import type { Row } from '../../../../../src/sources/tool-file/transports/database/session.js'

const TEXT = { type: 'string' }
const INTEGER = { type: 'integer' }
const LIST = { type: 'array', items: { type: 'object' } }
const object = (properties: object, more = {}): JsonSchema => ({ type: 'object', properties, ...more })

/** The output for rows, as a call writes it. */
function outputOf(schema: JsonSchema, names: string[], rows: Row[], facts: Partial<RowCounts> = {}): unknown {
  const columns = names.map((name) => ({ name, type: 'text' }))
  const { list, toItem, toRest } = shapeOf(schema, columns)
  const rest = toRest(rows[0], { rows: rows.length, ...facts })
  return list === undefined ? rest : { [list]: rows.map(toItem), ...rest }
}

const ROWS: Row[] = [
  [1, 'one'],
  [2, 'two'],
]
const ITEMS = [
  { id: 1, text: 'one' },
  { id: 2, text: 'two' },
]
const names = ['id', 'text']

describe('the output for rows', () => {
  it('has all rows in the only list', () => {
    expect(outputOf(object({ results: LIST }), names, ROWS)).toEqual({ results: ITEMS })
    expect(outputOf(object({ results: { type: ['array', 'null'] } }), names, [])).toEqual({ results: [] })
  })

  it('has them in "rows" where there are several lists', () => {
    expect(outputOf(object({ tags: LIST, rows: LIST }), names, ROWS)).toEqual({ rows: ITEMS })
  })

  it('has the values of one column where the items are no objects', () => {
    expect(outputOf(object({ ids: { type: 'array', items: INTEGER } }), ['id'], [[1], ['2']])).toEqual({
      ids: [1, 2],
    })
  })

  it('is the first row without a list', () => {
    expect(outputOf(object({ id: INTEGER }), names, ROWS)).toEqual({ id: 1, text: 'one' })
    expect(outputOf(object({ id: INTEGER }, { additionalProperties: false }), names, ROWS)).toEqual({ id: 1 })
  })

  it('is the first row where a column has the name of the list', () => {
    expect(outputOf(object({ id: INTEGER, tags: LIST }), ['id', 'tags'], [[1, [{ a: 1 }]]])).toEqual({
      id: 1,
      tags: [{ a: 1 }],
    })
  })

  it('has counts where the schema has them, and columns before them', () => {
    const schema = object({ rows: LIST, row_count: INTEGER, total: INTEGER, affected_rows: INTEGER })
    expect(outputOf(schema, ['id', 'total'], [[1, 40]])).toEqual({
      rows: [{ id: 1, total: 40 }],
      row_count: 1,
      total: 40,
    })
    const written = object({ row_count: INTEGER, affected_rows: INTEGER, insert_id: INTEGER })
    expect(outputOf(written, [], [], { affectedRows: 3, insertId: 9 })).toEqual({
      row_count: 3,
      affected_rows: 3,
      insert_id: 9,
    })
    expect(outputOf(object({ row_count: INTEGER }), ['row_count'], [[7]])).toEqual({ row_count: 7 })
  })

  it('finds the property of a column in any case', () => {
    const items = object({ id: INTEGER, fullName: TEXT }, { additionalProperties: false })
    const schema = object({ people: { type: 'array', items }, Total: INTEGER })
    expect(outputOf(schema, ['ID', 'FULLNAME', 'TOTAL'], [['5', 'Ada', 1]])).toEqual({
      people: [{ id: 5, fullName: 'Ada' }],
      Total: 1,
    })
  })

  it('needs a row only for required columns of one row', () => {
    const columns = [{ name: 'id', type: 'int4' }]
    expect(shapeOf(object({ id: INTEGER }, { required: ['id'] }), columns).needsRow).toBe(true)
    expect(shapeOf(object({ id: INTEGER }), columns).needsRow).toBe(false)
    expect(shapeOf(object({ rows: LIST, id: INTEGER }, { required: ['rows', 'id'] }), columns).needsRow).toBe(
      false,
    )
  })

  it('keeps a column with the name of a prototype as data', () => {
    const output = outputOf(object({}), ['__proto__', 'constructor'], [['a', 'b']]) as object
    expect(Object.keys(output)).toEqual(['__proto__', 'constructor'])
    expect(Object.getPrototypeOf(output)).toBe(Object.prototype)
  })
})
