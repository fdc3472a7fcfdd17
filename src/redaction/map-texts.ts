/** The value with each of its texts replaced; keys stay. */
export function mapTexts<Value>(value: Value, map: (text: string) => string): Value {
  return walk(value, map) as Value
}

function walk(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => walk(item, map))
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, walk(member, map)]))
}
