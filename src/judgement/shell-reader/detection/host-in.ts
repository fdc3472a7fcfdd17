// Schemes that name no machine.
const NO_HOST = new Set(['file', 'fileb', 's3', 'gs', 'data', 'oci', 'jdbc', 'unix'])

const PORT = /^\d{1,5}$/

/** The host in a URL, in `user@host:path` or in `host:port/path`; absent where there is none. */
export function hostIn(text: string): string | undefined {
  let rest = text
  const scheme = rest.indexOf('://')
  if (scheme !== -1) {
    if (NO_HOST.has(rest.slice(schemeStart(rest, scheme), scheme).toLowerCase())) return undefined
    rest = rest.slice(scheme + 3)
  }
  const end = rest.search(/[/?#\s'"<>\\]/)
  if (end !== -1) rest = rest.slice(0, end)
  rest = rest.slice(rest.lastIndexOf('@') + 1)
  if (rest.startsWith('[')) return rest.slice(1, rest.indexOf(']')).toLowerCase() || undefined
  const port = rest.indexOf(':')
  // More than one colon is an address of the sixth version.
  if (port !== -1 && rest.indexOf(':', port + 1) === -1) rest = rest.slice(0, port)
  return isHost(rest) && !PORT.test(rest) ? rest.toLowerCase() : undefined
}

function schemeStart(text: string, end: number): number {
  let start = end
  while (start > 0 && /[a-z0-9+]/i.test(text[start - 1]!)) start--
  return start
}

function isHost(text: string): boolean {
  return /^[\p{L}\p{N}_*](?:[\p{L}\p{N}._:%*-]*[\p{L}\p{N}*])?\.?$/u.test(text)
}
