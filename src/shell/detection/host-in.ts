// Schemes without a host.
const NO_HOST = new Set(['file', 'fileb', 's3', 'gs', 'data', 'oci', 'jdbc', 'unix'])

const PORT = /^\d{1,5}$/

/** The host in a URL, in `user@host:path` or in `host:port/path`; undefined if there is none. */
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
  // More than one colon is an IPv6 address.
  if (port !== -1 && rest.indexOf(':', port + 1) === -1) rest = rest.slice(0, port)
  return isHost(rest) && !PORT.test(rest) ? rest.toLowerCase() : undefined
}

function schemeStart(text: string, end: number): number {
  let start = end
  while (start > 0 && isSchemeChar(text.charCodeAt(start - 1))) start--
  return start
}

/** A letter, a digit or a plus sign. */
export function isSchemeChar(code: number): boolean {
  return (
    (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 43
  )
}

const HOST = /^[\p{L}\p{N}_*](?:[\p{L}\p{N}._:%*-]*[\p{L}\p{N}*])?\.?$/u
// Nearly every host is one of these, which are checked much faster.
const USUAL_HOST = /^[a-z](?:[a-z0-9.-]*[a-z0-9])?$/

function isHost(text: string): boolean {
  return USUAL_HOST.test(text) || HOST.test(text)
}
