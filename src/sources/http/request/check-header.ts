import { invalidRequest } from './invalid-request.js'

/** Headers that frame or route the message, and those that OpenAPI leaves to other parts of the document. */
const NOT_A_PARAMETER =
  /^(?:accept|authorization|connection|content-length|content-type|cookie|expect|host|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade)$/i

const TOKEN = /^[!#$%&'*+\-.^`|~\w]+$/

/** Whether a parameter of this name is ignored. */
export function isIgnoredHeader(name: string): boolean {
  return NOT_A_PARAMETER.test(name)
}

export function isHeaderName(name: string): boolean {
  return TOKEN.test(name)
}

// Node sends a header as Latin-1: other characters have no byte there.
// oxlint-disable-next-line no-control-regex
const NOT_IN_HEADER = /[^\t\x20-\x7e\x80-\xff]/

export function isHeaderValue(text: string): boolean {
  return !NOT_IN_HEADER.test(text)
}

/** Returns the text, or throws where a header cannot hold it. */
export function checkHeaderValue(text: string, field: string): string {
  if (isHeaderValue(text)) return text
  throw invalidRequest(
    `The header parameter "${field}" has a character that a header cannot hold, such as a line break: remove or encode it.`,
  )
}

// The semicolon would start another cookie; servers remove the spaces around a value.
const NOT_IN_COOKIE = /[^\x20-\x7e]|;|^ | $/

/** Returns the text, or throws where a cookie cannot hold it unchanged. */
export function checkCookieValue(text: string, field: string): string {
  if (!NOT_IN_COOKIE.test(text)) return text
  throw invalidRequest(
    `The cookie parameter "${field}" has a character that a cookie cannot hold: encode it as the API expects.`,
  )
}

export function checkCookieName(name: string, field: string): string {
  if (isHeaderName(name)) return name
  throw invalidRequest(`The cookie parameter "${field}" has a name that a cookie cannot have: rename it.`)
}
