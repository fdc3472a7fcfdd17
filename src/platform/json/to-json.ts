/** A value as JSON represents it, or undefined where JSON cannot. Shares nothing with the given value. */
export function toJson<Value>(value: Value): Value | undefined {
  if (value === undefined) return undefined
  try {
    const text = JSON.stringify(value)
    return text === undefined ? undefined : (JSON.parse(text) as Value)
  } catch {
    return undefined
  }
}
