export interface ChallengeOptions {
  /** Where the document about this server is. */
  readonly resourceMetadataUrl?: string | undefined
  /** Absent where nothing was sent: then there is no mistake to name. */
  readonly error?: 'invalid_request' | 'invalid_token' | 'insufficient_scope' | undefined
  readonly description?: string | undefined
  /** What a token must have to come in here. */
  readonly scope?: readonly string[] | undefined
}

/** The text of `WWW-Authenticate`: how to come in (RFC 6750, RFC 9728). */
export function challenge({ resourceMetadataUrl, error, description, scope }: ChallengeOptions = {}): string {
  const parts: [string, string | undefined][] = [
    ['realm', 'toolcrib'],
    ['error', error],
    ['error_description', description],
    ['scope', scope?.length ? scope.join(' ') : undefined],
    ['resource_metadata', resourceMetadataUrl],
  ]
  const said = parts.flatMap(([name, value]) => (value === undefined ? [] : [`${name}="${quotable(value)}"`]))
  return `Bearer ${said.join(', ')}`
}

/** What may stand between quotes in a header; a line break would begin another header. */
function quotable(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '').replace(/["\\]/g, '\\$&')
}
