const UNRESERVED = /^[\w.~-]*$/

/** Percent-encodes everything but RFC 3986's unreserved characters. A lone surrogate becomes U+FFFD. */
export function percentEncode(text: string): string {
  if (UNRESERVED.test(text)) return text
  return encodeComponent(text).replaceAll(/[!'()*]/g, toTriple)
}

/** `application/x-www-form-urlencoded` as the URL Standard writes it: a space is a plus sign. */
export function formEncode(text: string): string {
  if (/^[\w.*-]*$/.test(text)) return text
  return encodeComponent(text)
    .replaceAll(/[!'()~]/g, toTriple)
    .replaceAll('%20', '+')
}

/**
 * What reserved expansion must encode still, by position. Reserved characters that would end the value are encoded too:
 * a value must not become a second parameter.
 */
const NOT_KEPT = {
  path: /%(?![\dA-Fa-f]{2})|[^\w.~%:@!$&'()*+,;=-]+/g,
  query: /%(?![\dA-Fa-f]{2})|[^\w.~%:/?@!$'()*,;-]+/g,
  cookie: /%(?![\dA-Fa-f]{2})|[^\w.~%:/?#[\]@!$&'()*+=-]+/g,
  /** The literal text of a path template, without its query and fragment. */
  template: /%(?![\dA-Fa-f]{2})|[^\w.~%:@!$&'()*+,;=/-]+/g,
  /** A query string that is complete already. */
  querystring: /%(?![\dA-Fa-f]{2})|[^\w.~%:/?@!$&'()*+,;=-]+/g,
}

/** RFC 6570's reserved expansion: reserved characters and percent-encoded triples stay. */
export function encodeReserved(text: string, position: keyof typeof NOT_KEPT): string {
  return text.replaceAll(NOT_KEPT[position], percentEncode)
}

function encodeComponent(text: string): string {
  try {
    return encodeURIComponent(text)
  } catch {
    return encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '\uFFFD'))
  }
}

function toTriple(char: string): string {
  return `%${char.charCodeAt(0).toString(16).toUpperCase()}`
}
