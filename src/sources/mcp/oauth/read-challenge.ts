import type { Library } from './library.js'

export interface RefusedAnswer {
  readonly status: number
  readonly wwwAuthenticate: string | undefined
}

/** What a refusal says of how to come in. */
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
    // A header that is none says nothing.
    return {}
  }
}
