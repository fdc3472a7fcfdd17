import { sourceKinds } from '../../sources/kinds.js'
import type { CribSettings } from '../crib-settings.js'

export interface EntryPart {
  /** The name of an entry in the config, such as a server. */
  entry: string
  /** What comes after the name of the entry; absent where only that was given. */
  tool?: string
}

/** Which entry of a config a name speaks of: `mcp.notes.write`, `mcp__notes__write`, `notes.write` or `notes`. */
export function entryOfTool({ config }: Pick<CribSettings, 'config'>, name: string): EntryPart | undefined {
  const entries = sourceKinds()
    .flatMap((kind) =>
      kind.entries(Reflect.get(config, kind.key)).map(({ name: entry }) => ({
        entry,
        namespace: kind.namespaceOf?.(entry),
      })),
    )
    .toSorted((a, b) => b.entry.length - a.entry.length)
  for (const { entry, namespace } of entries)
    for (const { whole, starts } of spellings(entry, namespace)) {
      if (whole.includes(name)) return { entry }
      const start = starts.find((each) => name.startsWith(each))
      if (start !== undefined) return { entry, tool: name.slice(start.length) }
    }
  return undefined
}

/** Whether a tool that is not here may be one of a source that a config names: then it comes where that config is served. */
export function mayBeOfSource(toolId: string): boolean {
  return sourceKinds().some(({ namespaceOf }) => {
    const namespace = namespaceOf?.('any')
    return namespace !== undefined && toolId.startsWith(kindOf(namespace))
  })
}

/** What all namespaces of a kind begin with: `mcp.`. */
function kindOf(namespace: string): string {
  return namespace.slice(0, namespace.indexOf('.') + 1)
}

interface Spelling {
  readonly whole: readonly string[]
  readonly starts: readonly string[]
}

/** By the entry's own name first, then by what its namespace makes of it. */
function spellings(entry: string, namespace: string | undefined): Spelling[] {
  if (namespace === undefined) return [spelling(entry, '')]
  const kind = kindOf(namespace)
  return [...new Set([entry, namespace.slice(kind.length)])].map((word) => spelling(word, kind))
}

function spelling(word: string, kind: string): Spelling {
  const short = [`${word}__`, `${word}.`]
  if (kind === '') return { whole: [word], starts: short }
  const joined = kind.replaceAll('.', '__')
  return { whole: [word, `${kind}${word}`], starts: [`${kind}${word}.`, `${joined}${word}__`, ...short] }
}
