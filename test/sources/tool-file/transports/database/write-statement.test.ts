import { describe, expect, it } from 'vitest'
import type { DatabaseEngine } from '../../../../../src/sources/tool-file/compiled.js'
import { engines } from '../../../../../src/sources/tool-file/transports/database/engines/engines.js'
import { writeStatement } from '../../../../../src/sources/tool-file/transports/database/write-statement.js'

function write(sql: string, engine: DatabaseEngine, input = {}) {
  return writeStatement(sql, { engine, placeholders: engines[engine], input })
}

function textOf(sql: string, engine: DatabaseEngine): string {
  const written = write(sql, engine)
  return written.ok ? written.bind({}).text : written.problem
}

const SQL = `SELECT ':a', :a, :b FROM t WHERE c = :a`

describe('[AML-FILE-10] the statement of a tool', () => {
  it.each([
    ['postgresql', `SELECT ':a', $1, $2 FROM t WHERE c = $1`, ['x', 2]],
    ['mysql', `SELECT ':a', ?, ? FROM t WHERE c = ?`, ['x', 2, 'x']],
    ['mssql', `SELECT ':a', @1, @2 FROM t WHERE c = @1`, ['x', 2]],
    ['bigquery', `SELECT ':a', @p1, @p2 FROM t WHERE c = @p1`, ['x', 2]],
    ['snowflake', `SELECT ':a', ?, ? FROM t WHERE c = ?`, ['x', 2, 'x']],
    ['rds-data-api', `SELECT ':a', :p1, :p2 FROM t WHERE c = :p1`, ['x', 2]],
  ] as const)('has the placeholders of %s', (engine, text, values) => {
    const written = write(SQL, engine)
    const statement = written.ok ? written.bind({ a: 'x', b: 2 }) : undefined
    expect(statement?.text).toBe(text)
    expect(statement?.values.map(({ value }) => value)).toEqual(values)
  })

  it('has the same text for all values', () => {
    const written = write('SELECT :a', 'postgresql')
    if (!written.ok) throw new Error(written.problem)
    for (const a of [`'; DROP TABLE t; --`, '$1', ':b', ['x'], { x: 1 }])
      expect(written.bind({ a })).toEqual({ text: 'SELECT $1', values: [{ value: a, schema: undefined }] })
  })

  it('binds null for a field that the input lacks, also where an object has that name by itself', () => {
    const written = write('SELECT :a, :toString, :__proto__', 'postgresql')
    expect(written.ok && written.bind({}).values.map(({ value }) => value)).toEqual([null, null, null])
  })

  it('gives the schema of a field with its value', () => {
    const input = { type: 'object', properties: { at: { type: 'string', format: 'date-time' } } }
    const written = write('SELECT :at, :other', 'rds-data-api', input)
    expect(written.ok && written.bind({}).values.map(({ schema }) => schema)).toEqual([
      input.properties.at,
      undefined,
    ])
  })

  it.each([
    ['SELECT 1; DELETE FROM t', 'it has 2 statements instead of one'],
    ['', 'it has 0 statements instead of one'],
    ['-- nothing', 'it has 0 statements instead of one'],
    ['SELECT $1', 'it has $1; parameters are written as :field'],
    [`SELECT 'a`, 'it has a quote without an end'],
    ['SELECT 1 /* a', 'it has a comment without an end'],
  ])('%s cannot be sent', (sql, problem) => {
    expect(textOf(sql, 'postgresql')).toBe(problem)
  })

  it('keeps a last semicolon: MERGE of SQL Server needs it', () => {
    expect(textOf('MERGE t USING u ON :a = 1;\n', 'mssql')).toBe('MERGE t USING u ON @1 = 1;\n')
  })
})
