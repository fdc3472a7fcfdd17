import { describe, expect, it } from 'vitest'
import { databaseEngines, type DatabaseEngine } from '../../../src/sources/tool-file/compiled.js'
import { splitSql } from '../../../src/sources/tool-file/sql-parameters.js'

const namesOf = (sql: string, engine: DatabaseEngine = 'postgresql'): string[] =>
  splitSql(sql, engine).parts.flatMap((part) => (part.kind === 'parameter' ? [part.name] : []))

/** Statement, engine, the names of its parameters. */
const CASES: [string, DatabaseEngine, string[]][] = [
  ['select * from t where a = :a and b=:b_2', 'postgresql', ['a', 'b_2']],
  ['select :a, :a', 'mysql', ['a', 'a']],
  [':a', 'postgresql', ['a']],
  ['select :größe', 'postgresql', ['größe']],
  ['select (:a)', 'mssql', ['a']],
  ['limit :n;', 'postgresql', ['n']],
  ['select :1', 'postgresql', []],
  ['select : a', 'postgresql', []],
  // Quotes
  [`select ':a' , :b`, 'postgresql', ['b']],
  [`select 'it''s :a', :b`, 'postgresql', ['b']],
  [`select '\\', :b`, 'postgresql', ['b']],
  [`select E'\\' :a', :b`, 'postgresql', ['b']],
  [`select e'\\\\', :b`, 'postgresql', ['b']],
  [`select name'\\', :b`, 'postgresql', ['b']],
  [`select ":a", :b`, 'postgresql', ['b']],
  [`select "x"":a", :b`, 'postgresql', ['b']],
  [`select '\\' :a', :b`, 'mysql', ['b']],
  [`select "\\" :a", :b`, 'mysql', ['b']],
  ['select `:a`, :b', 'mysql', ['b']],
  ['select `a``:a`, :b', 'mysql', ['b']],
  ['select [a:b], [x]]:y], :c', 'mssql', ['c']],
  ['select arr[:a]', 'postgresql', ['a']],
  [`select '\\', :b`, 'mssql', ['b']],
  [`select N':a', :b`, 'mssql', ['b']],
  [`select '''a':a''', :b`, 'bigquery', ['b']],
  [`select """x " :a""", :b`, 'bigquery', ['b']],
  [`select r'\\', :b`, 'bigquery', ['b']],
  [`select rb"\\", :b`, 'bigquery', ['b']],
  [`select '\\' :a', :b`, 'bigquery', ['b']],
  ['select `p.:a`, :b', 'bigquery', ['b']],
  [`select '\\' :a', :b`, 'snowflake', ['b']],
  [`select "\\", :b`, 'snowflake', ['b']],
  ['select $$ :a $$, :b', 'snowflake', ['b']],
  ['select $tag$ :a $tag$, :b', 'snowflake', ['a', 'b']],
  ['select $$ :a $$, :b', 'postgresql', ['b']],
  ['select $x$ $$ :a $y$ $x$, :b', 'postgresql', ['b']],
  ['select a$x$, :b, c$x$', 'postgresql', ['b']],
  ['select `:a`, :b', 'rds-data-api', ['b']],
  [`select '\\', :b`, 'rds-data-api', ['b']],
  // Comments
  ['select 1 -- :a\n, :b', 'postgresql', ['b']],
  ['select 1 --:a', 'postgresql', []],
  ['select 1 -- :a\r, :b', 'postgresql', ['b']],
  ['select 5--:a', 'mysql', ['a']],
  ['select 5 -- :a\n, :b', 'mysql', ['b']],
  ['select 5 # :a\n, :b', 'mysql', ['b']],
  ['select 5 # :a\n, :b', 'bigquery', ['b']],
  [`select j #> :a`, 'postgresql', ['a']],
  ['select * from #t where a = :a', 'mssql', ['a']],
  ['select 1 // :a\n, :b', 'snowflake', ['b']],
  ['select 1 /* :a */, :b', 'postgresql', ['b']],
  ['select 1 /* /* :a */ :x */, :b', 'postgresql', ['b']],
  ['select 1 /* /* :a */ :x */, :b', 'mssql', ['b']],
  ['select 1 /* /* :a */, :x', 'mysql', ['x']],
  [`select 1 /* ' */, :b /* ' */`, 'postgresql', ['b']],
  [`select '--', :b, '/*', :c`, 'postgresql', ['b', 'c']],
  ['select/* */:a', 'postgresql', ['a']],
  // Colons that mean something else
  ['select :a::int, b::text', 'postgresql', ['a']],
  ['select :a ::int', 'postgresql', ['a']],
  ['select b:: text', 'postgresql', []],
  ['set @x := :a', 'mysql', ['a']],
  ['set @x:=5', 'mysql', []],
  ['select f(a := :a)', 'postgresql', ['a']],
  ['select f(a:=b)', 'postgresql', []],
  ['select a[1:n], a[:n]', 'postgresql', ['n']],
  ['select src:name.first, src[0]:x, "src":y, f(x):z, :b', 'snowflake', ['b']],
  ['select geography::Point(:a, :b, 4326)', 'mssql', ['a', 'b']],
]

describe('the parameters of SQL', () => {
  it.each(CASES)('%s on %s', (sql, engine, names) => {
    expect(namesOf(sql, engine)).toEqual(names)
  })

  it.each(databaseEngines)('the parts are the whole statement on %s', (engine) => {
    for (const [sql] of CASES) {
      const { parts } = splitSql(sql, engine)
      const joined = parts.map((part) => (part.kind === 'text' ? part.text : `:${part.name}`)).join('')
      expect(joined).toBe(sql)
      for (const part of parts) if (part.kind === 'parameter') expect(sql[part.start]).toBe(':')
    }
  })

  it('says where a quote or a comment without an end begins', () => {
    expect(splitSql(`select 'a, :b`, 'postgresql').unclosed).toEqual({ what: 'quote', start: 7 })
    expect(splitSql('select $a$ :b $b$', 'postgresql').unclosed).toEqual({ what: 'quote', start: 7 })
    expect(splitSql('select /* /* */', 'postgresql').unclosed).toEqual({ what: 'comment', start: 7 })
    expect(splitSql('select 1 -- end', 'postgresql').unclosed).toBeUndefined()
  })

  it('finds the placeholders of the engine itself', () => {
    expect(splitSql(`select $1, '$2'`, 'postgresql').positional).toEqual([{ text: '$1', start: 7 }])
    expect(splitSql(`select ?, '?'`, 'mysql').positional).toEqual([{ text: '?', start: 7 }])
    expect(splitSql('select data ? :key', 'postgresql').positional).toEqual([])
  })

  it('counts statements', () => {
    expect(splitSql('', 'postgresql').statements).toBe(0)
    expect(splitSql(' -- nothing', 'postgresql').statements).toBe(0)
    expect(splitSql(`select ';' /* ; */;\n`, 'postgresql').statements).toBe(1)
    expect(splitSql('commit; delete from t; -- done', 'postgresql').statements).toBe(2)
  })

  it('reads a megabyte of quotes and colons without delay', () => {
    for (const text of [`'`, ':', '$', '/*', '-', ':a', `r'`, '`', '$a'])
      for (const engine of databaseEngines) splitSql(text.repeat(1e6 / text.length), engine)
  }, 30_000)
})
