import type { LiveSecrets } from '../redaction/live-secrets.js'
import type { Credential, Proof } from '../http-client/credential.js'
import { secretsOfHeader, secretsOfParameter } from './secrets-of-proof.js'
import { trackSecrets } from './track-secrets.js'

type Values = Readonly<Record<string, string>>

/** A function is called for each request: a secret then lives no longer than it has to. */
export type HeaderSource = Values | (() => Values | Promise<Values>)

export interface HeaderCredentialOptions {
  readonly origin: string
  readonly headers?: HeaderSource | undefined
  readonly query?: Values | undefined
  /** Values in use that are secrets are added here, so that they are masked everywhere. */
  readonly live?: LiveSecrets | undefined
}

/** Fixed headers and query parameters. Rejects a value that cannot be sent with the rest of a sentence. */
export function headerCredential({ origin, headers, query, live }: HeaderCredentialOptions): Credential {
  const track = live && trackSecrets(live)
  const toProof = (given: Values): Proof => {
    const proof = { headers: checkHeaders(given), query }
    track?.(secretsOf(proof))
    return proof
  }
  if (typeof headers === 'function') return { origin, proof: async () => toProof(await headers()) }
  let proof: Proof | undefined
  return { origin, proof: () => (proof ??= toProof(headers ?? {})) }
}

function secretsOf({ headers = {}, query = {} }: Proof): string[] {
  return [
    ...Object.entries(headers).flatMap(([name, value]) => secretsOfHeader(name, value)),
    ...Object.entries(query).flatMap(([name, value]) => secretsOfParameter(name, value)),
  ]
}

function checkHeaders(given: Values): Values {
  const checked = new Headers()
  for (const [name, value] of Object.entries(given)) {
    try {
      checked.set(name, value)
    } catch {
      // The built-in error quotes the value.
      throw new Error(`its header "${name}" cannot be sent`)
    }
  }
  return Object.fromEntries(checked)
}
