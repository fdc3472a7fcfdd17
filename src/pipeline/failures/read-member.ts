/** Reads a member of a thrown value, which may be of any type and have getters that throw. */
export function readMember(thrown: unknown, key: string): unknown {
  try {
    return typeof thrown === 'object' && thrown !== null ? Reflect.get(thrown, key) : undefined
  } catch {
    return undefined
  }
}
