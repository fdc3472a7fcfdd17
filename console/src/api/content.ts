import { request, urlOf } from './http.js'

// Stored content: pages of results that were too long to be shown, and artifacts.

/** What to read, as the query of the request. Lines count from 1. */
export type ReadRequest =
  | { readonly by: 'lines' | 'bytes'; readonly from?: number; readonly count?: number }
  | { readonly by: 'search'; readonly text: string; readonly from?: number; readonly count?: number }

/** The part of the content that a page covers, and the request that continues. */
interface Covered {
  readonly offset: number
  readonly length: number
  readonly size_bytes: number
  readonly line_count?: number
  readonly next?: ReadRequest
}

export interface TextPage extends Covered {
  readonly kind: 'text'
  readonly text: string
  readonly lines?: { readonly first: number; readonly last: number }
}

export interface MatchesPage extends Covered {
  readonly kind: 'matches'
  readonly matches: readonly { readonly offset: number; readonly line?: number; readonly text: string }[]
}

/** Pages by lines, by bytes and of a search. */
export type Page =
  | TextPage
  | MatchesPage
  | (Covered & { readonly kind: 'binary'; readonly media_type?: string })
  | { readonly kind: 'problem'; readonly problem: string; readonly next?: undefined }

const PAGE_CHARS = 60_000

export const readContent = (ref: string, ask: ReadRequest, signal?: AbortSignal): Promise<Page> =>
  request('/content', { query: { ref, max_chars: PAGE_CHARS, ...ask }, signal })

export const artifactUrl = (artifactId: string): string =>
  urlOf(`/artifacts/${encodeURIComponent(artifactId)}/content`)
