/** A host by name, or every name below one. */
export type HostPattern =
  | { readonly kind: 'exact'; readonly host: string }
  | { readonly kind: 'below'; readonly host: string }
  | { readonly kind: 'any' }

const HOST =
  /^(?:\[[0-9a-f:.]+\]|[\p{L}\p{N}_](?:[\p{L}\p{N}_-]*[\p{L}\p{N}_])?(?:\.[\p{L}\p{N}_](?:[\p{L}\p{N}_-]*[\p{L}\p{N}_])?)*)$/u

/** `example.com`, `*.example.com` (names below it, not itself), `*`. */
export function parseHostPattern(given: string): HostPattern | undefined {
  const text = given.trim()
  if (text === '*') return { kind: 'any' }
  const isBelow = text.startsWith('*.')
  const name = isBelow ? text.slice(2) : text
  // A name and nothing else: of a whole URL, or of one with a port, only a part would count.
  if (!/^(?:[^\s/\\?#@:]+|\[?(?=[^:]*:[^:]*:)[0-9a-f:.]+\]?)$/i.test(name)) return undefined
  const host = normalHost(name)
  if (!HOST.test(host)) return undefined
  return isBelow ? { kind: 'below', host } : { kind: 'exact', host }
}

// Such a name has only one spelling: no disguised number, no other script, no port.
const PLAIN_NAME = /^(?=.*[g-wyz_-])[a-z0-9_.-]+$/

/** Names are compared as the network does: lower case, no dot at the end, one spelling. */
export function normalHost(host: string): string {
  const lower = host.toLowerCase().replace(/\.+$/, '')
  if (PLAIN_NAME.test(lower) || /[\s/\\?#@]/.test(lower)) return lower
  const url = toUrl(`http://${lower}/`) ?? toUrl(`http://[${lower}]/`)
  return url ? hostIn(url) : lower
}

/** The host of a URL, or nothing if it has no readable one. */
export function hostOf(url: string): string | undefined {
  const read = readUrl(url)
  return read && hostIn(read) !== '' ? hostIn(read) : undefined
}

/** The host that a name or a URL states, as rules compare it. */
export function toHost(text: string): string {
  return hostOf(text) ?? normalHost(text)
}

const hostIn = ({ hostname }: URL): string => hostname.replace(/\.+$/, '')

/** As an HTTP client reads it: `https:example.com` has a host too, and so has a name without a scheme. */
export function readUrl(given: string): URL | undefined {
  const url = toUrl(given)
  if (url && (url.hostname !== '' || url.protocol === 'file:')) return url
  if (/^\s*[a-z][a-z0-9+.-]*:\/\//i.test(given)) return undefined
  const named = toUrl(`http://${given}`)
  return named && named.hostname !== '' ? named : undefined
}

function toUrl(text: string): URL | undefined {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}
