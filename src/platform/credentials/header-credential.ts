import type { Credential, Proof } from './credential.js'

type Values = Readonly<Record<string, string>>

/** A function is called for each request: a secret then lives no longer than it has to. */
export type HeaderSource = Values | (() => Values | Promise<Values>)

export interface HeaderCredentialOptions {
  readonly origin: string
  readonly headers?: HeaderSource | undefined
  readonly query?: Values | undefined
}

/** Headers and query parameters that are set. Rejects a value that cannot be sent with the rest of a sentence. */
export function headerCredential({ origin, headers, query }: HeaderCredentialOptions): Credential {
  if (typeof headers === 'function')
    return { origin, proof: async () => ({ headers: checkHeaders(await headers()), query }) }
  let proof: Proof | undefined
  return { origin, proof: () => (proof ??= { headers: checkHeaders(headers ?? {}), query }) }
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
