import { isVaried } from './judge-value.js'
import type { NoteSecret } from '../secret-span.js'

const SCHEME =
  /(?:Basic|Bearer|Token|Api-?Key|Api-?Token|Digest|GenieKey|Bot|SSWS|OAuth|JWT|Splunk|Key|PRIVATE-TOKEN)[ \t]+(?:token=|apikey=)?\\?["']?/iy
const PLACEHOLDER =
  /x{4,}|\*{3,}|\.{3,}|^\[redacted|your|example[_-]?token|:\/\/|^(?:token|abc|test|foo|secret|key|jwt|access|valid|invalid|my)[-_]?(?:token)?[-_]?\d{0,6}$/i
const CREDENTIAL = /[^\s"'`\\,;<>(){}[\]$]{6,}/y

/** `Bearer …`, `Basic …`: the scheme says that a credential follows. Returns whether there was a scheme. */
export function readAuthorization(text: string, at: number, note: NoteSecret): boolean {
  SCHEME.lastIndex = at
  if (!SCHEME.test(text)) return false
  const start = SCHEME.lastIndex
  CREDENTIAL.lastIndex = start
  if (CREDENTIAL.test(text)) {
    const end = CREDENTIAL.lastIndex
    if (isVaried(text, start, end) && !PLACEHOLDER.test(text.slice(start, end)))
      note(start, end, 'authorization_header')
  }
  return true
}

/** Where the scheme occurs without the name of its header. */
export function findBearers(text: string, note: NoteSecret): void {
  for (let at = text.indexOf('Bearer '); at !== -1; at = text.indexOf('Bearer ', at + 1)) {
    CREDENTIAL.lastIndex = at + 7
    // Prose: "Bearer authentication". A credential is long and has digits.
    if (!CREDENTIAL.test(text) || CREDENTIAL.lastIndex - at < 19) continue
    if (/\d/.test(text.slice(at + 7, CREDENTIAL.lastIndex))) readAuthorization(text, at, note)
  }
}
