/** The tokens of a JSON pointer (RFC 6901), or what is wrong with it. */
export function parsePointer(pointer: string): { tokens: string[] } | { problem: string } {
  if (pointer === '') return { tokens: [] }
  if (!pointer.startsWith('/'))
    return {
      problem:
        'A JSON pointer begins with a slash, such as /items/0/name, or is empty for the whole document.',
    }
  if (/~(?![01])/.test(pointer))
    return { problem: 'In a JSON pointer a tilde is written ~0 and a slash inside a key ~1.' }
  const tokens = pointer
    .slice(1)
    .split('/')
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
  return { tokens }
}

export function toPointerToken(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1')
}
