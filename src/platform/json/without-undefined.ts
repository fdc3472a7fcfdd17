/** Drops what is not there: a record says what it knows, and `undefined` is not a JSON value. */
export function withoutUndefined<Shape extends object>(record: Shape): Shape {
  for (const key of Object.keys(record) as (keyof Shape)[]) {
    if (record[key] === undefined) delete record[key]
  }
  return record
}
