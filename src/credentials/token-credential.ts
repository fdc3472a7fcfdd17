import type { LiveSecrets } from '../redaction/live-secrets.js'
import type { Credential, Proof } from './credential.js'
import { trackSecrets } from './track-secrets.js'

export interface Token {
  readonly value: string
  /** Milliseconds since 1970. Absent: until it is refused. */
  readonly expiresAtMs?: number | undefined
}

export interface TokenCredentialOptions {
  readonly origin: string
  /** Gives a token. `refused` is the one that the other side did not accept. */
  load(refused: string | undefined): Promise<Token>
  /** Where it is sent; as `Authorization: Bearer`, unless said. */
  readonly sentAs?: TokenPlace | undefined
  /** Tokens in use are put in here, so that they show nowhere. */
  readonly live?: LiveSecrets | undefined
  now?(): number
}

export type TokenPlace =
  | { readonly in: 'header'; readonly name: string; readonly scheme?: string | undefined }
  | { readonly in: 'query'; readonly name: string }

const BEARER: TokenPlace = { in: 'header', name: 'authorization', scheme: 'Bearer' }
/** Renewed this long before its end: a request takes time to arrive. */
const EARLY_MS = 30_000
/** A token that is refused this soon after a renewal is not refused for its age. */
const JUST_RENEWED_MS = 10_000

/** A token that is loaded when it is needed, again before its end, and once more when it is refused with 401. */
export function tokenCredential(options: TokenCredentialOptions): Credential {
  const { origin, sentAs = BEARER, live, now = Date.now } = options
  const track = live && trackSecrets(live)
  let current: { readonly token: Token; readonly proof: Proof } | undefined
  let renewedAtMs = Number.NEGATIVE_INFINITY
  let loading: Promise<void> | undefined

  /** All who need a token at the same time wait for one. */
  function load(refused: string | undefined): Promise<void> {
    loading ??= loadOnce(refused).finally(() => (loading = undefined))
    return loading
  }

  async function loadOnce(refused: string | undefined): Promise<void> {
    const token = await options.load(refused)
    track?.([token.value])
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
      // Somebody else has a new one already.
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

function toProof(place: TokenPlace, token: string): Proof {
  if (place.in === 'query') return { query: { [place.name]: token } }
  const value = place.scheme === undefined ? token : `${place.scheme} ${token}`
  return { headers: { [place.name.toLowerCase()]: value } }
}

function valueIn(proof: Proof, place: TokenPlace): string | undefined {
  return place.in === 'query' ? proof.query?.[place.name] : proof.headers?.[place.name.toLowerCase()]
}
