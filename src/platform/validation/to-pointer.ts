/** The JSON pointer (RFC 6901) of a path of keys. */
export function toPointer(path: readonly PropertyKey[]): string {
  let pointer = ''
  for (const key of path) pointer += '/' + String(key).replaceAll('~', '~0').replaceAll('/', '~1')
  return pointer
}
