import type { Library } from './library.js'

export interface RefusedAnswer {
  readonly status: number
  readonly wwwAuthenticate: string | undefined
}

/** The challenge of a refusal: what is needed for access. */
export interface Challenge {
  readonly resourceMetadataUrl?: URL | undefined
  readonly scope?: string | undefined
  readonly error?: string | undefined
}

export function readChallenge(library: Library, { wwwAuthenticate }: RefusedAnswer): Challenge {
  if (wwwAuthenticate === undefined) return {}
  try {
    const headers = { 'www-authenticate': wwwAuthenticate }
    return library.extractWWWAuthenticateParams(new Response(null, { headers }))
  } catch {
    // An invalid header carries no challenge.
    return {}
  }
}
