import { toTextTest } from './glob-text.js'
import { hostOf } from './host-pattern.js'

/** A URL with `*` in it, written as URLs are after they were read. */
export interface UrlPattern {
  readonly text: string
  /** Where the text alone would take too much. */
  readonly test: ((url: string) => boolean) | undefined
}

const FORM = /^([^/?#]*?):\/\/([^/?#]*)([\s\S]*)$/

/** `https://example.com/docs/*`. Without a scheme any will do, unless it starts with `*` and so fits everywhere. */
export function parseUrlPattern(given: string): UrlPattern {
  const text = given.includes('://') || given.startsWith('*') ? given : `*://${given}`
  const found = FORM.exec(text)
  if (!found) return { text, test: undefined }
  const scheme = found[1]!.toLowerCase()
  const authority = normalAuthority(found[2]!.toLowerCase(), scheme)
  // A URL that was read has a path, if only `/`.
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

/** A `*` in the scheme or the host stays there: `https://*.example.com/` is not met by a path that ends like it. */
function toUrlTest(scheme: string, authority: string, rest: string): (url: string) => boolean {
  const tests = [scheme, authority, rest].map(toTextTest)
  return (url) => {
    const found = FORM.exec(url)
    return found !== null && tests.every((test, index) => test(found[index + 1]!))
  }
}
