/** A value as JSON holds it, or nothing where JSON cannot. Shares nothing with what was given. */
export function toJson<Value>(value: Value): Value | undefined {
  if (value === undefined) return undefined
  try {
    const text = JSON.stringify(value)
    return text === undefined ? undefined : (JSON.parse(text) as Value)
  } catch {
    return undefined
  }
}
