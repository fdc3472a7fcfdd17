import { fileURLToPath } from 'node:url'
import { watchFiles } from '../../../platform/files/watch-files.js'
import type { CachedDocument } from '../compiled-cache.js'
import type { DocumentOrigin } from './document-origin.js'

export interface FollowOptions {
  readonly origin: DocumentOrigin
  /** How often an address is asked; 0: never. */
  readonly pollMs: number
  /** Ends it. */
  readonly signal: AbortSignal
  onChange(): Promise<void>
}

/** Files are watched, addresses are asked from time to time. */
export interface FollowedDocument {
  /** Follows the document and the files that it refers to now. */
  follow(document: CachedDocument | undefined): void
}

export function followDocument({ origin, pollMs, signal, onChange }: FollowOptions): FollowedDocument {
  const { path } = origin
  let watched: { readonly files: string; readonly ending: AbortController } | undefined
  let isPolling = false

  function watchAll(paths: readonly string[]): void {
    const files = paths.join('\n')
    if (watched?.files === files) return
    watched?.ending.abort()
    watched = { files, ending: new AbortController() }
    watchFiles(paths, { onChange, signal: AbortSignal.any([signal, watched.ending.signal]) })
  }

  function poll(): void {
    if (isPolling || pollMs === 0) return
    isPolling = true
    const timer = setInterval(() => void onChange(), pollMs).unref()
    signal.addEventListener('abort', () => clearInterval(timer), { once: true })
  }

  return {
    follow(document) {
      if (signal.aborted) return
      if (path === undefined) return poll()
      const referred = (document?.referred ?? []).map(({ address }) => address)
      const files = referred
        .filter((address) => address.startsWith('file:'))
        .map((each) => fileURLToPath(each))
      watchAll([path, ...files])
    },
  }
}
