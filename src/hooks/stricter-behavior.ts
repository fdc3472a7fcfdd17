import type { PermissionBehavior } from '../contract/unions.js'

const STRICTNESS: Record<PermissionBehavior, number> = { passthrough: 0, allow: 1, ask: 2, deny: 3 }

/** The stricter of two behaviors; none is the weakest. */
export function stricterBehavior(a: PermissionBehavior, b: PermissionBehavior): PermissionBehavior {
  return STRICTNESS[b] > STRICTNESS[a] ? b : a
}
