import { createHash } from 'node:crypto'
import { absoluteReference, baseOf } from './references.js'
import { parseText } from './parse-text.js'
import { walkObjects } from './walk-objects.js'

type JsonObject = Readonly<Record<string, unknown>>

/** A document with everything that it refers to. */
export interface LoadedDocument {
  /** The address that the document was loaded from. */
  readonly address: string
  readonly root: JsonObject
  /** All loaded documents, the root included, by the addresses that references to them have. */
  readonly documents: ReadonlyMap<string, unknown>
  /** Changes where any of the texts changes. */
  readonly digest: string
  /** References that could not be loaded, with the rest of a sentence each. */
  readonly missing: readonly { readonly address: string; readonly why: string }[]
}

export interface LoadOptions {
  readonly address: string
  /** The text of the document itself. */
  readonly text: string
  /** Loads the text of a document that another refers to. Rejects with the rest of a sentence. */
  loadText(address: string): Promise<string>
}

/** A document that cannot be used at all. The message is the rest of a sentence. */
export class UnreadableDocument extends Error {
  override readonly name = 'UnreadableDocument'
}

/** More than any real description has; a hostile one could name files without end. */
const MAX_DOCUMENTS = 500
const MAX_TOTAL_CHARS = 100_000_000

export async function loadDocument({ address, text, loadText }: LoadOptions): Promise<LoadedDocument> {
  const parsed = await parseText(text)
  if (!parsed.ok) throw new UnreadableDocument(parsed.why)
  const documents = new Map<string, unknown>()
  const missing = new Map<string, string>()
  const hash = createHash('sha256').update(text)
  let chars = text.length

  function add(value: JsonObject, { found, at }: { found: string; at: string }): Named[] {
    const base = baseOf(value, at)
    for (const each of [at, base]) if (!documents.has(each)) documents.set(each, value)
    return namedBy(value, { text: found, address: at, base })
  }

  async function load(at: string): Promise<Named[]> {
    hash.update(`\n${at}\n`)
    const found = await loadText(at)
    chars += found.length
    hash.update(found)
    const read = await parseText(found)
    if (!read.ok) throw new Error(read.why)
    return add(read.value, { found, at })
  }

  /** What lies nearby needs no network. */
  async function loadOne({ name, nearby }: Named): Promise<Named[]> {
    return name === nearby ? load(name) : load(nearby).catch(() => load(name))
  }

  let waiting = add(parsed.value, { found: text, at: address })
  while (waiting.length > 0) {
    const next: Named[] = []
    for (const { name, nearby } of waiting) {
      if (documents.has(name) || missing.has(name)) continue
      if (documents.size >= MAX_DOCUMENTS || chars > MAX_TOTAL_CHARS) {
        missing.set(name, 'too many documents are referred to')
        continue
      }
      try {
        if (!documents.has(nearby)) next.push(...(await loadOne({ name, nearby })))
        // A document names itself `$self`, and those that it refers to lie beside it.
        if (!documents.has(name)) documents.set(name, documents.get(nearby))
      } catch (error) {
        missing.set(name, (error as Error).message)
      }
    }
    waiting = next
  }
  return {
    address,
    root: parsed.value,
    documents,
    digest: hash.digest('hex'),
    missing: [...missing].map(([at, why]) => ({ address: at, why })),
  }
}

/** Another document that a reference leads to. */
interface Named {
  /** Its address, from the base of the document that refers to it. */
  readonly name: string
  /** Its address from where that document was loaded: mostly the same. */
  readonly nearby: string
}

interface Referring {
  readonly text: string
  readonly address: string
  readonly base: string
}

const NAMES_ANOTHER = /\$ref["']?\s*:\s*["']?[^"'#\s]/

function namedBy(value: unknown, { text, address, base }: Referring): Named[] {
  // Most documents refer only to themselves, and walking through a large one takes longer than this search.
  if (!NAMES_ANOTHER.test(text)) return []
  const named = new Map<string, Named>()
  walkObjects(value, ({ $ref: reference }) => {
    if (typeof reference !== 'string' || reference.startsWith('#')) return
    const name = documentOf(reference, base)
    const nearby = documentOf(reference, address)
    if (name !== undefined && nearby !== undefined && name !== address && name !== base)
      named.set(name, { name, nearby })
  })
  return [...named.values()]
}

function documentOf(reference: string, base: string): string | undefined {
  const absolute = absoluteReference(reference, base)
  return absolute?.slice(0, absolute.indexOf('#'))
}
