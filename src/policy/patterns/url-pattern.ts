import { toTextTest } from './glob-text.js'
import { hostOf } from './host-pattern.js'
import { withoutNeedlessEncoding } from './url-readings.js'

/** A URL with `*` in it, in the form that parsed URLs have. */
export interface UrlPattern {
  readonly text: string
  /** If the text alone would match too much. */
  readonly test: ((url: string) => boolean) | undefined
}

const FORM = /^([^/?#]*?):\/\/([^/?#]*)([\s\S]*)$/

/**
 * `https://example.com/docs/*`. Without a scheme any scheme matches, unless it starts with `*` and so matches
 * everywhere.
 */
export function parseUrlPattern(written: string): UrlPattern {
  const given = withoutNeedlessEncoding(written)
  const text = given.includes('://') || given.startsWith('*') ? given : `*://${given}`
  const found = FORM.exec(text)
  if (!found) return { text, test: undefined }
  const scheme = found[1]!.toLowerCase()
  const authority = normalAuthority(found[2]!.toLowerCase(), scheme)
  // A parsed URL has a path, at least `/`.
  const rest = found[3] === '' && !authority.endsWith('*') ? '/' : found[3]!
  const whole = `${scheme}://${authority}${rest}`
  const isWild = `${scheme}${authority}`.includes('*')
  return { text: whole, test: isWild ? toUrlTest(scheme, authority, rest) : undefined }
}

function normalAuthority(authority: string, scheme: string): string {
  if (authority.includes('*')) return authority
  const [, host, port] = /^([\s\S]*?)(?::(\d*))?$/.exec(authority)!
  const normal = hostOf(`http://${host}/`) ?? host!
  const isUsual = port === undefined || port === '' || port === USUAL_PORTS.get(scheme)
  return isUsual ? normal : `${normal}:${port}`
}

const USUAL_PORTS = new Map([
  ['http', '80'],
  ['https', '443'],
])

/** A `*` in the scheme or the host stays there: a path with the same end does not match `https://*.example.com/`. */
function toUrlTest(scheme: string, authority: string, rest: string): (url: string) => boolean {
  const tests = [scheme, authority, rest].map(toTextTest)
  return (url) => {
    const found = FORM.exec(url)
    return found !== null && tests.every((test, index) => test(found[index + 1]!))
  }
}
