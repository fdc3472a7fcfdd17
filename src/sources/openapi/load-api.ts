import { compiledCache, digestOf, type CachedDocument } from './compiled-cache.js'
import type { DocumentOrigin, LoadedText } from './document/document-origin.js'

export interface LoadOptions {
  readonly origin: DocumentOrigin
  /** Compiled documents are kept here. Absent: they are compiled each time. */
  readonly cacheFolder: string | undefined
  readonly signal: AbortSignal
  /** The document that is in use; that of the cache by default. */
  readonly last?: CachedDocument | undefined
}

/** Loads and compiles a document, or takes the last one where no text has changed. Rejects with the rest of a sentence. */
export async function loadApi(options: LoadOptions): Promise<CachedDocument> {
  const { origin, cacheFolder, signal } = options
  const cache = cacheFolder === undefined ? undefined : compiledCache(cacheFolder)
  const last = options.last ?? (await cache?.read(origin.address))
  let loaded = await origin.load(signal, last?.etag)
  if (last && (loaded === 'unchanged' || digestOf(loaded.text) === last.textDigest)) {
    if (await isUnchanged(last, options)) {
      await cache?.confirm(origin.address)
      return last
    }
  }
  // What it refers to has changed.
  if (loaded === 'unchanged') loaded = await origin.load(signal)
  if (loaded === 'unchanged') throw new Error('it answered 304 without being asked')
  const made = await compile(loaded, { ...options, last })
  try {
    cache?.write(made)
  } catch {
    // Without a cache the next start takes longer, and nothing else changes.
  }
  return made
}

export interface LastCompiled {
  readonly document: CachedDocument
  /** When it was last known to be up to date, in milliseconds since 1970. */
  readonly confirmedAt: number
}

/** A compiled document from an earlier run; the document may have changed since. */
export async function lastCompiled({
  origin: { address },
  cacheFolder,
}: Pick<LoadOptions, 'origin' | 'cacheFolder'>): Promise<LastCompiled | undefined> {
  if (cacheFolder === undefined) return undefined
  const cache = compiledCache(cacheFolder)
  const [document, confirmedAt] = await Promise.all([cache.read(address), cache.confirmedAt(address)])
  return document && { document, confirmedAt }
}

async function isUnchanged({ referred }: CachedDocument, { origin, signal }: LoadOptions): Promise<boolean> {
  // Documents of the network that it refers to are loaded again when it changes itself.
  if (origin.path === undefined) return true
  const checks = referred.map(async ({ address, textDigest }) => {
    try {
      return digestOf(await origin.loadReferred(address, signal)) === textDigest
    } catch {
      return textDigest === ''
    }
  })
  return (await Promise.all(checks)).every((each) => each)
}

async function compile(
  { text, etag }: LoadedText,
  { origin, signal, last }: LoadOptions,
): Promise<CachedDocument> {
  // Loaded on first use: most starts find the document in the cache.
  const [{ loadDocument }, { compileDocument }] = await Promise.all([
    import('./document/load-document.js'),
    import('./compile/compile-document.js'),
  ])
  const digests = new Map<string, string>()
  const document = await loadDocument({
    address: origin.address,
    text,
    async loadText(address) {
      digests.set(address, '')
      const found = await origin.loadReferred(address, signal)
      digests.set(address, digestOf(found))
      return found
    },
  })
  const lost = last?.referred.find(
    ({ address, textDigest }) => textDigest !== '' && digests.get(address) === '',
  )
  // Without it all operations that use it would count as changed.
  if (lost) throw new Error(`it refers to ${lost.address}, which cannot be loaded any more`)
  return {
    address: origin.address,
    textDigest: digestOf(text),
    etag,
    referred: [...digests].map(([address, textDigest]) => ({ address, textDigest })),
    digest: document.digest,
    compiled: compileDocument(document),
  }
}
