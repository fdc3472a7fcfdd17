import type { DatabaseSync } from './open-database.js'

export type Columns = readonly (string | number | null)[]

type Statement = ReturnType<DatabaseSync['prepare']>

/** So many rows are inserted by one statement: most of the time of an insert is spent on the way to the library. */
const SIZES = [16, 8, 4, 2] as const

/** Inserts into a table whose rows have a position, and skips rows that are there already. */
export interface Inserts {
  /** Whether the row was inserted. */
  one(row: Columns): boolean
  /** Inserts rows with growing positions, all of them or none. Returns whether they were inserted. */
  all(rows: readonly Columns[]): boolean
}

export function createInserts(database: DatabaseSync, table: 'calls' | 'chunks', columns: number): Inserts {
  const values = `(${Array.from({ length: columns }, () => '?').join(',')})`
  const prepare = (size: number): Statement =>
    database.prepare(
      `INSERT OR IGNORE INTO ${table} VALUES ${Array.from({ length: size }, () => values).join(',')}`,
    )
  const single = prepare(1)
  /** Prepared when they are needed: most commands write one call. */
  const many = new Map<number, Statement>()
  const statementFor = (size: number): Statement => {
    let statement = many.get(size)
    if (!statement) many.set(size, (statement = prepare(size)))
    return statement
  }
  let removeFrom: Statement | undefined

  const one = (row: Columns): boolean => single.run(...row).changes === 1

  function insertSome(rows: readonly Columns[]): boolean {
    if (rows.length === 1) return one(rows[0]!)
    return Number(statementFor(rows.length).run(...rows.flat()).changes) === rows.length
  }

  return {
    one,
    all(rows) {
      for (let from = 0; from < rows.length;) {
        const size = SIZES.find((each) => each <= rows.length - from) ?? 1
        if (!insertSome(rows.slice(from, from + size))) {
          // Positions only grow, so nothing else is at or behind the first.
          removeFrom ??= database.prepare(`DELETE FROM ${table} WHERE position >= ?`)
          removeFrom.run(rows[0]![0]!)
          return false
        }
        from += size
      }
      return true
    },
  }
}
