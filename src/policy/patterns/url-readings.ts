import { readUrl } from './host-pattern.js'

/** Characters that mean the same with and without encoding, in every part of a URL (RFC 3986, section 2.3). */
const UNRESERVED = /^[A-Za-z0-9._~-]$/
const ENCODED = /%([0-9a-f]{2})/gi
/** Servers behind proxies decode a path more than once. */
const MOST_ROUNDS = 4

/** A URL or a pattern without needless encoding: `/%61dmin` is `/admin`. */
export function withoutNeedlessEncoding(text: string): string {
  if (!text.includes('%')) return text
  return text.replaceAll(ENCODED, (whole, digits: string) => {
    const sign = String.fromCharCode(Number.parseInt(digits, 16))
    return UNRESERVED.test(sign) ? sign : whole.toUpperCase()
  })
}

/**
 * The ways in which servers may read the path of a URL: as it is written, without `..`, and decoded. A deny or an ask
 * holds in each of them, and an allow must cover all of them.
 */
export function urlReadings(given: string): readonly string[] {
  const parsed = readUrl(given)
  if (!parsed) return [given]
  const href = withoutNeedlessEncoding(parsed.href)
  // The usual case.
  if (href === given && !parsed.pathname.includes('%')) return [href]
  const readings = new Set([href])
  // The request is sent as it is written, and not every server removes "..".
  if (/^https?:\/\/[^/?#\\@]+\//i.test(given)) readings.add(withoutNeedlessEncoding(given))
  readings.add(withDecodedPath(parsed))
  return [...readings]
}

function withDecodedPath(url: URL): string {
  const decoded = new URL(url)
  for (let round = 0; round < MOST_ROUNDS && decoded.pathname.includes('%'); round++) {
    const before = decoded.pathname
    // Assigning a path resolves ".." in it, and encodes what must be encoded.
    decoded.pathname = decodePath(before)
    if (decoded.pathname === before) break
  }
  return withoutNeedlessEncoding(decoded.href)
}

/** Bytes above ASCII stay: they are parts of characters. */
function decodePath(path: string): string {
  return path.replaceAll(ENCODED, (whole, digits: string) => {
    const code = Number.parseInt(digits, 16)
    return code < 0x80 ? String.fromCharCode(code) : whole
  })
}
