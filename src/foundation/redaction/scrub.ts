import { MASK } from './mask-fields.js'

/** Removes known secrets from a text or from every text inside a value. Longer ones first: one may hold another. */
export function scrubText(text: string, secrets: readonly string[]): string {
  let clean = text
  for (const secret of secrets) {
    if (clean.includes(secret)) clean = clean.replaceAll(secret, MASK)
    // The same secret as it stands inside JSON.
    const quoted = JSON.stringify(secret).slice(1, -1)
    if (quoted !== secret && clean.includes(quoted)) clean = clean.replaceAll(quoted, MASK)
  }
  return clean
}

export function scrubValue<Value>(value: Value, secrets: readonly string[]): Value {
  return secrets.length === 0 ? value : (scrub(value, secrets) as Value)
}

function scrub(value: unknown, secrets: readonly string[]): unknown {
  if (typeof value === 'string') return scrubText(value, secrets)
  if (typeof value === 'number') return secrets.includes(String(value)) ? MASK : value
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => scrub(item, secrets))
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [scrubText(key, secrets), scrub(member, secrets)]),
  )
}
