export interface ChallengeOptions {
  /** The URL of the protected-resource document of this server. */
  readonly resourceMetadataUrl?: string | undefined
  /** Absent where no token was sent: then there is no error to name. */
  readonly error?: 'invalid_request' | 'invalid_token' | 'insufficient_scope' | undefined
  readonly description?: string | undefined
  /** The scopes that a token needs. */
  readonly scope?: readonly string[] | undefined
}

/** The text of `WWW-Authenticate`: how to authenticate (RFC 6750, RFC 9728). */
export function challenge({ resourceMetadataUrl, error, description, scope }: ChallengeOptions = {}): string {
  const parts: [string, string | undefined][] = [
    ['realm', 'toolcrib'],
    ['error', error],
    ['error_description', description],
    ['scope', scope?.length ? scope.join(' ') : undefined],
    ['resource_metadata', resourceMetadataUrl],
  ]
  const fields = parts.flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}="${quotable(value)}"`],
  )
  return `Bearer ${fields.join(', ')}`
}

/** A text for a quoted string in a header. A line break would start another header. */
function quotable(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '').replace(/["\\]/g, '\\$&')
}
