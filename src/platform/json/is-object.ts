/** A JSON object: neither null nor a list. Instances of classes count too. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isObjectOrList(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
