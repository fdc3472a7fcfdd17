/** What was thrown may be anything, with members that throw in turn. */
export function readMember(thrown: unknown, key: string): unknown {
  try {
    return typeof thrown === 'object' && thrown !== null ? Reflect.get(thrown, key) : undefined
  } catch {
    return undefined
  }
}
