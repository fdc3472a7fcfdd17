import { sourceKinds } from '../../sources/kinds.js'
import type { CribSettings } from '../crib-settings.js'
import { configEntries, type ConfigEntry } from './config-entries.js'

export interface EntryPart extends ConfigEntry {
  /** The part after the name of the entry; absent where the name has only the entry. */
  readonly tool?: string
}

/** The config entry that a tool name belongs to: `mcp.notes.write`, `mcp__notes__write`, `notes.write` or `notes`. */
export function entryOfTool(settings: Pick<CribSettings, 'config'>, name: string): EntryPart | undefined {
  return entriesOfTool(settings, name)[0]
}

/** The same where entries of several kinds have one name: a name without the kind belongs to each of them. */
export function entriesOfTool(settings: Pick<CribSettings, 'config'>, name: string): EntryPart[] {
  const entries = configEntries(settings).toSorted((a, b) => b.entry.length - a.entry.length)
  // A name with its kind comes first: of the servers "notes" and "mcp", `mcp.notes.write` belongs to "notes".
  for (const isFull of [true, false]) {
    const found = entries.flatMap((each) => partOf(each, { name, isFull }))
    const [first] = found
    if (first) return found.filter(({ entry }) => entry === first.entry)
  }
  return []
}

function partOf(of: ConfigEntry, { name, isFull }: { name: string; isFull: boolean }): EntryPart | [] {
  for (const { whole, starts } of spellings(of, isFull)) {
    if (whole === name) return of
    const start = starts.find((each) => name.startsWith(each))
    if (start !== undefined) return { ...of, tool: name.slice(start.length) }
  }
  return []
}

/** Whether an unknown tool may belong to a source that a config names: it then appears where that config is served. */
export function mayBeOfSource(toolId: string): boolean {
  return sourceKinds().some(({ namespaceOf }) => {
    const namespace = namespaceOf?.('any')
    return namespace !== undefined && toolId.startsWith(prefixOf(namespace))
  })
}

/** The common prefix of all namespaces of a kind: `mcp.`. */
function prefixOf(namespace: string): string {
  return namespace.slice(0, namespace.indexOf('.') + 1)
}

interface Spelling {
  readonly whole: string
  readonly starts: readonly string[]
}

/** The entry's own name first, then the name in its namespace. */
function spellings({ kind, entry }: ConfigEntry, isFull: boolean): Spelling[] {
  const namespace = kind.namespaceOf?.(entry)
  const prefix = namespace === undefined ? '' : prefixOf(namespace)
  const words = new Set([entry, namespace?.slice(prefix.length) ?? entry])
  return [...words].map((word) =>
    isFull
      ? {
          whole: `${prefix}${word}`,
          starts: [`${prefix}${word}.`, `${prefix.replaceAll('.', '__')}${word}__`],
        }
      : { whole: word, starts: [`${word}__`, `${word}.`] },
  )
}
