import type { JsonSchema } from '../../contract/json-schema.js'

/** The target of a local reference (`#` or `#/$defs/name`). */
export function resolvePointer(root: JsonSchema, ref: string): unknown {
  if (ref !== '#' && !ref.startsWith('#/')) return undefined
  let target: unknown = root
  for (const token of ref.split('/').slice(1)) {
    const key = decoded(token)?.replaceAll('~1', '/').replaceAll('~0', '~')
    if (key === undefined || typeof target !== 'object' || target === null || !Object.hasOwn(target, key))
      return undefined
    target = (target as JsonSchema)[key]
  }
  return target
}

/** A stray percent sign makes a reference invalid. */
function decoded(token: string): string | undefined {
  try {
    return decodeURIComponent(token)
  } catch {
    return undefined
  }
}
