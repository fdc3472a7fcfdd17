/** Drops undefined members: `undefined` is not a JSON value. */
export function withoutUndefined<Shape extends object>(record: Shape): Shape {
  for (const key of Object.keys(record) as (keyof Shape)[]) {
    if (record[key] === undefined) delete record[key]
  }
  return record
}
