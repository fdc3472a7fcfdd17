import type { LiveSecrets } from '../redaction/live-secrets.js'
import type { Credential, Proof } from '../http-client/credential.js'
import { trackSecrets } from './track-secrets.js'

export interface Token {
  readonly value: string
  /** Milliseconds since 1970. Absent: until it is refused. */
  readonly expiresAtMs?: number | undefined
  /** What must be masked; the value by default. */
  readonly secrets?: readonly string[] | undefined
}

export interface TokenCredentialOptions {
  readonly origin: string
  /** Returns a token. `refused` is the one that the server did not accept. */
  load(refused: string | undefined): Promise<Token>
  /** Where it is sent; by default as `Authorization: Bearer`. */
  readonly sentAs?: TokenPosition | undefined
  /** Tokens in use are added here, so that they are masked everywhere. */
  readonly live?: LiveSecrets | undefined
  /** What is masked before the first token is loaded. */
  readonly knownSecrets?: readonly string[] | undefined
  now?(): number
}

export interface TokenPosition {
  readonly in: 'header' | 'query' | 'cookie'
  readonly name: string
  /** Of a header: the word before the token, such as `Bearer`. */
  readonly scheme?: string | undefined
}

export const BEARER: TokenPosition = { in: 'header', name: 'authorization', scheme: 'Bearer' }
/** Renewed this long before it expires: a request takes time to arrive. */
const EARLY_MS = 30_000
/** A token that is refused this soon after a renewal is not refused because it expired. */
const JUST_RENEWED_MS = 10_000

/** A token that is loaded when it is needed, again before it expires, and once more when it is refused with 401. */
export function tokenCredential(options: TokenCredentialOptions): Credential {
  const { origin, sentAs = BEARER, live, now = Date.now } = options
  const track = live && trackSecrets(live)
  if (options.knownSecrets) track?.(options.knownSecrets)
  let current: { readonly token: Token; readonly proof: Proof } | undefined
  let renewedAtMs = Number.NEGATIVE_INFINITY
  let loading: Promise<void> | undefined

  /** Concurrent requests share one load. */
  function load(refused: string | undefined): Promise<void> {
    loading ??= loadOnce(refused).finally(() => (loading = undefined))
    return loading
  }

  async function loadOnce(refused: string | undefined): Promise<void> {
    const token = await options.load(refused)
    track?.(token.secrets ?? [token.value])
    if (refused !== undefined) renewedAtMs = now()
    current = { token, proof: toProof(sentAs, token.value) }
  }

  const isGood = (): boolean => {
    const { expiresAtMs } = current?.token ?? {}
    return current !== undefined && (expiresAtMs === undefined || now() < expiresAtMs - EARLY_MS)
  }

  return {
    origin,
    async proof() {
      if (!isGood()) await load(undefined)
      return current!.proof
    },
    async refused({ status, sent }) {
      if (status !== 401) return 'give_up'
      const before = current
      // Another request has loaded a new one already.
      if (before && sent && valueIn(sent, sentAs) !== valueIn(before.proof, sentAs)) return 'retry'
      if (now() - renewedAtMs < JUST_RENEWED_MS) return 'give_up'
      await load(before?.token.value)
      return current?.token.value === before?.token.value ? 'give_up' : 'retry'
    },
    async settled() {
      await loading?.catch(() => {})
    },
  }
}

function toProof(place: TokenPosition, token: string): Proof {
  switch (place.in) {
    case 'query':
      return { query: { [place.name]: token } }
    case 'cookie':
      return { cookies: { [place.name]: token } }
    case 'header': {
      const value = place.scheme === undefined ? token : `${place.scheme} ${token}`
      return { headers: { [place.name.toLowerCase()]: value } }
    }
  }
}

function valueIn({ headers, query, cookies }: Proof, { in: part, name }: TokenPosition): string | undefined {
  switch (part) {
    case 'query':
      return query?.[name]
    case 'cookie':
      return cookies?.[name]
    case 'header':
      return headers?.[name.toLowerCase()]
  }
}
